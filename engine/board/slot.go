package board

import (
	"math"
	"sync/atomic"
	"time"

	"github.com/zrankdb/zrank/engine/board/window"
)

// slot is a period with the key of its set, and the times at which it closes. Times are microseconds after 1970.
type slot struct {
	Period
	key    string
	middle int64 // the period is closed if its window is closed beyond this time: a later change of time-zone rules cannot reopen it
	closes int64 // when its time is up; math.MaxInt64: never
	noted  atomic.Bool
}

func newSlot(p Period, key string, cal *window.Calendar) *slot {
	x := &slot{Period: p, key: key, middle: math.MaxInt64, closes: math.MaxInt64}
	if !p.End.IsZero() {
		x.middle = p.Start.UnixMicro()/2 + p.End.UnixMicro()/2
	}
	if at, ok := cal.Closes(p); ok {
		x.closes = at.UnixMicro()
	}
	return x
}

// livePeriod is a period with its ranking, while it is live.
type livePeriod struct {
	subject
	from, to int64 // in Unix seconds: [from, to)
}

func newLivePeriod(s subject, p Period) *livePeriod {
	l := &livePeriod{subject: s, from: math.MinInt64, to: math.MaxInt64}
	if !p.End.IsZero() {
		l.from, l.to = p.Start.Unix(), p.End.Unix()
	}
	return l
}

// contains reports whether the period is live at a time.
func (l *livePeriod) contains(t time.Time) bool {
	unix := t.Unix()
	return l.from <= unix && unix < l.to
}
