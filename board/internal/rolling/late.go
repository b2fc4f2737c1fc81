package rolling

import (
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/state"
)

// IsLate reports whether a result of a time has left a rolling window by now. O(1).
func IsLate(t *state.Timeline, at, now time.Time) bool {
	return t.Roll != nil && t.Leaves(at.UnixMicro()) <= now.UnixMicro()
}

// LateError returns the error of a result that IsLate.
func LateError(t *state.Timeline, at time.Time) error {
	return &board.PeriodClosedError{Board: t.Board, Window: t.Window.Name, Period: Period, At: at, Live: Period}
}
