package errs

import (
	"errors"
	"fmt"
	"time"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board/rules"
	"github.com/zrankdb/zrank/engine/board/window"
)

var (
	// ErrOpen is returned by Open when the engine's boards are open already.
	ErrOpen = errors.New("board: the engine's boards are open already")
	// ErrClosed is returned by every call on boards after Boards.Close. After Engine.Close it is too, and wraps engine.ErrClosed then; on
	// rankings calls return engine.ErrClosed alone.
	ErrClosed = errors.New("board: closed")
	// ErrNoBoard is returned when no board has the name asked for, or it has been dropped.
	ErrNoBoard = errors.New("board: no such board")
	// ErrSpec is returned when a spec has an impossible value.
	ErrSpec = errors.New("board: impossible spec")
	// ErrSpecChanged is returned when a board exists with another spec; the error names each difference.
	ErrSpecChanged = errors.New("board: exists with another spec")
	// ErrMigrating is returned while a board is being migrated or dropped, by calls that cannot wait, and by rankings that were handed
	// out before it was migrated.
	ErrMigrating = errors.New("board: has been migrated, or is being")
	// ErrNoWindow is returned when a board does not have the window asked for; the error names those it has.
	ErrNoWindow = errors.New("board: no such window")
	// ErrNoPeriod is returned when a window has no such period, nobody has scored in it, or it is not kept any more.
	ErrNoPeriod = errors.New("board: no such period")
	// ErrPeriodClosed is returned for a result that belongs to a closed period. The error is a *PeriodClosedError.
	ErrPeriodClosed = errors.New("board: period is closed")
	// ErrNoEnd is returned by CloseNow for the window All.
	ErrNoEnd = errors.New("board: the window has no end")
	// ErrMember is returned when a member is empty or longer than MaxMember bytes.
	ErrMember = errors.New("board: member is empty or longer than 1 KiB")
	// ErrTime is returned for a time in a period that has not begun, and where a transaction's submission has none.
	ErrTime = errors.New("board: time cannot be counted")
	// ErrOnce is returned for a Once key of more than MaxOnce bytes.
	ErrOnce = errors.New("board: Once key is longer than 256 bytes")
	// ErrMeta is returned for metadata longer than Spec.MaxMeta allows.
	ErrMeta = errors.New("board: metadata is too long")
	// ErrCondition is returned for a Condition that does not exist.
	ErrCondition = errors.New("board: no such condition")
	// ErrNotRanked is returned when something is asked of a member's entry that there is not.
	ErrNotRanked = errors.New("board: member is not ranked")
	// ErrCount is returned for a number of rows, bins or places that is out of range.
	ErrCount = errors.New("board: count is out of range")
	// ErrCursor is returned for a text that is no cursor, and for a cursor of another ranking, or of a board before it was migrated.
	ErrCursor = errors.New("board: not a cursor of this ranking")
	// ErrPeriodOver is returned by a ranking of Board.Live for a cursor of a period of the same window that was live before: of one of
	// the last 100. The error names that period, whose own ranking, Board.Period, takes the cursor. errors.Is(err, ErrCursor) holds too.
	ErrPeriodOver = fmt.Errorf("%w: its period is over", ErrCursor)
	// ErrMode is returned for a mode that does not exist.
	ErrMode = errors.New("board: no such mode")
	// ErrViewDone is returned when the Ranking of a View is used after the View has returned.
	ErrViewDone = errors.New("board: view is over")
	// ErrBaseline is returned for a baseline's name that is empty, longer than 64 bytes, or has a slash or a control character.
	ErrBaseline = errors.New("board: impossible name of a baseline")
)

// Errors of rules and windows, so that callers need not import them.
var (
	ErrColumns   = rules.ErrColumns
	ErrKind      = rules.ErrKind
	ErrNotFinite = rules.ErrNotFinite
	ErrBounds    = rules.ErrBounds
	ErrOverflow  = rules.ErrOverflow
	// ErrOutside is returned for a time that lies in no period: before the first season, between seasons, outside an event.
	ErrOutside = window.ErrOutside
	// ErrPeriodName is returned when no period of a window has the name asked for. The error tells what a name looks like.
	ErrPeriodName = window.ErrPeriodName
)

// ErrAgain makes a call begin again: the board has another spec by now, or the live period has ended since the call read the clock.
var ErrAgain = errors.New("board: again")

// ErrEngineClosed is ErrClosed of boards whose engine is closed.
var ErrEngineClosed = fmt.Errorf("%w: %w", ErrClosed, engine.ErrClosed)

// PeriodClosedError says which period takes no more results. errors.Is(err, ErrPeriodClosed) holds.
type PeriodClosedError struct {
	Board, Window, Period string
	At                    time.Time // of the result
	Live                  string    // the period that is live now; "": none is
}

// Error says what and where.
func (e *PeriodClosedError) Error() string {
	live := "none is live"
	if e.Live != "" {
		live = e.Live + " is live"
	}
	return fmt.Sprintf("%v: %s of %q, window %s, for a result of %s; %s",
		ErrPeriodClosed, e.Period, e.Board, e.Window, e.At.Format(time.RFC3339Nano), live)
}

// Unwrap returns ErrPeriodClosed.
func (e *PeriodClosedError) Unwrap() error { return ErrPeriodClosed }

// BatchError says which submission of a batch cannot be taken, and why: the fault is the submission's own. None has been taken.
type BatchError struct {
	Index int // in the batch, from 0
	Err   error
}

// Error says what and where.
func (e *BatchError) Error() string { return fmt.Sprintf("submission %d: %v", e.Index, e.Err) }

// Unwrap returns Err.
func (e *BatchError) Unwrap() error { return e.Err }
