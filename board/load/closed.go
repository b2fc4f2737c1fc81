package load

import (
	"math"
	"time"

	"github.com/zrankdb/zrank/board/internal/relocation"
	"github.com/zrankdb/zrank/board/window"
)

// timeline is a window of the board.
type timeline struct {
	window.Window
	calendar *window.Calendar
	through  int64 // up to when it is closed, in microseconds; math.MinInt64: nothing is
	periods  []relocation.Period
}

// close finds up to when the window is closed: the end of the last period whose grace is over, whether it has members or not.
func (t *timeline) close(now time.Time) {
	p, err := t.calendar.At(now)
	for ok := err == nil; ok; p, ok = t.calendar.Prev(p) {
		if t.over(p, now) {
			t.through = p.End.UnixMicro()
			break
		}
	}
	for _, have := range t.periods { // between seasons there is no period
		if t.over(have.Period, now) {
			t.through = max(t.through, have.End.UnixMicro())
		}
	}
}

// over reports whether the end of a period and its grace are past.
func (t *timeline) over(p window.Period, now time.Time) bool {
	at, ends := t.calendar.Closes(p)
	return ends && !now.Before(at)
}

// isClosed reports whether a period is closed.
func (t *timeline) isClosed(p window.Period) bool {
	return t.through != math.MinInt64 && !p.End.IsZero() && p.End.UnixMicro() <= t.through
}
