package errs

import (
	"errors"
	"fmt"
	"time"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board/rules"
)

// The errors that package board exports, and describes there.
var (
	ErrOpen          = errors.New("board: the engine's boards are open already")
	ErrClosed        = errors.New("board: closed")
	ErrNoBoard       = errors.New("board: no such board")
	ErrSpec          = errors.New("board: impossible spec")
	ErrSpecChanged   = errors.New("board: exists with another spec")
	ErrRelocated     = errors.New("board: is elsewhere")
	ErrImmovable     = errors.New("board: cannot be moved to another store")
	ErrIncoming      = errors.New("board: is being moved here")
	ErrMigrating     = errors.New("board: has been migrated, or is being")
	ErrNoWindow      = errors.New("board: no such window")
	ErrNoPeriod      = errors.New("board: no such period")
	ErrPeriodClosed  = errors.New("board: period is closed")
	ErrPeriodOpen    = errors.New("board: period is not closed")
	ErrNoEnd         = errors.New("board: the window has no end")
	ErrMember        = errors.New("board: member is empty or longer than 1 KiB")
	ErrTime          = errors.New("board: time cannot be counted")
	ErrOnce          = errors.New("board: Once key is longer than 256 bytes")
	ErrMeta          = errors.New("board: metadata is too long")
	ErrCondition     = errors.New("board: no such condition")
	ErrNotRanked     = errors.New("board: member is not ranked")
	ErrCount         = errors.New("board: count is out of range")
	ErrCursor        = errors.New("board: not a cursor of this ranking")
	ErrPeriodOver    = fmt.Errorf("%w: its period is over", ErrCursor)
	ErrMode          = rules.ErrMode
	ErrMoved         = errors.New("board: the transaction needs other keys by now")
	ErrViewDone      = errors.New("board: view is over")
	ErrBaseline      = errors.New("board: impossible name of a baseline")
	ErrAward         = errors.New("board: no such award")
	ErrNotYours      = errors.New("board: the award is another member's")
	ErrGranted       = errors.New("board: the award has been granted")
	ErrWithheld      = errors.New("board: the award is withheld")
	ErrExpired       = errors.New("board: the award has expired")
	ErrSettling      = errors.New("board: the awards of the period are not settled yet")
	ErrUndelivered   = errors.New("board: awards have not been delivered")
	ErrNoJournal     = errors.New("board: keeps no journal")
	ErrNotInJournal  = errors.New("board: not in the journal")
	ErrBeforeJournal = errors.New("board: the journal does not go back so far")
	ErrUndo          = errors.New("board: a row of the journal cannot be undone")
	ErrReverted      = errors.New("board: the submission has been reverted")
	ErrNoLeagues     = errors.New("board: has no leagues")
	ErrNoCohort      = errors.New("board: member is in no cohort")
	ErrTier          = errors.New("board: no such tier")
	ErrUnsettled     = errors.New("board: the cohorts of the period are not settled yet")
	ErrUnion         = errors.New("board: impossible union")
	ErrNoUnion       = errors.New("board: no such stored union")
	ErrAction        = errors.New("board: impossible moderation action")
	ErrBanned        = errors.New("board: member is banned")
	ErrExists        = errors.New("board: the new name has places already")
	ErrBoardExists   = errors.New("board: there is a board of that name")
	ErrBusy          = errors.New("board: the member is being changed")
	ErrNotBanned     = errors.New("board: member is not banned")
	ErrHidden        = errors.New("board: member is hidden")
	ErrNotHidden     = errors.New("board: member is not hidden")
	ErrUnsupported   = errors.New("board: not supported where the boards are kept")
	ErrUndecided     = errors.New("board: it is not known whether the change was made")
	ErrNoRanks       = errors.New("board: the change was made, and its ranks could not be read")
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

// RelocatedError says where a board is. errors.Is(err, ErrRelocated) holds.
type RelocatedError struct {
	Board    string
	To       string // the address of the store
	Complete bool   // false: the move is not complete, and nobody accepts changes until it is repeated
}

// Error says what and where.
func (e *RelocatedError) Error() string {
	how := "has left for"
	if !e.Complete {
		how = "is about to be opened at"
	}
	return fmt.Sprintf("%v: %q %s %s", ErrRelocated, e.Board, how, e.To)
}

// Unwrap returns ErrRelocated.
func (e *RelocatedError) Unwrap() error { return ErrRelocated }

// JournalError says what a journal does not have, and from where on it goes. errors.Is(err, ErrNotInJournal) holds.
type JournalError struct {
	Board, Member string
	Row           uint64    // the row that was asked for; 0: all since a time
	First         uint64    // the oldest row that can be reverted, 0 if there is none
	Since         time.Time // when that arrived
}

// Error says what and where.
func (e *JournalError) Error() string {
	what := "all that was asked for"
	if e.Row > 0 {
		what = fmt.Sprintf("row %d", e.Row)
	}
	from := "there is nothing to revert"
	if e.First > 0 {
		from = fmt.Sprintf("it goes from row %d on, of %s", e.First, e.Since.Format(time.RFC3339Nano))
	}
	return fmt.Sprintf("%v: %s of member %q, board %q; %s", ErrNotInJournal, what, e.Member, e.Board, from)
}

// Unwrap returns ErrNotInJournal.
func (e *JournalError) Unwrap() error { return ErrNotInJournal }

// BeforeJournalError says from where on a journal goes. errors.Is(err, ErrBeforeJournal) holds.
type BeforeJournalError struct {
	Board string
	At    time.Time // that was asked for; zero: Row
	Row   uint64    // that was asked for
	First uint64    // the earliest row that AsOfRow takes
	Since time.Time // the earliest moment that AsOf takes; zero if the journal has no rows
}

// Error says what and where.
func (e *BeforeJournalError) Error() string {
	asked := fmt.Sprintf("after row %d", e.Row)
	if !e.At.IsZero() {
		asked = "at " + e.At.Format(time.RFC3339Nano)
	}
	from := "it has no rows"
	if !e.Since.IsZero() {
		from = fmt.Sprintf("it goes back to row %d, and to %s", e.First, e.Since.Format(time.RFC3339Nano))
	}
	return fmt.Sprintf("%v: %q %s; %s", ErrBeforeJournal, e.Board, asked, from)
}

// Unwrap returns ErrBeforeJournal.
func (e *BeforeJournalError) Unwrap() error { return ErrBeforeJournal }

// UndoReason is why a row cannot be undone.
type UndoReason string

// Reasons.
const (
	UndoMigrated  UndoReason = "the board has been migrated since"
	UndoMerged    UndoReason = "the member has been merged with another one since, or has got the name of another one"
	UndoNoEntries UndoReason = "it is the removal of a member, from before removals had entries"
)

// UndoError says which row of a journal cannot be undone. errors.Is(err, ErrUndo) holds.
type UndoError struct {
	Board, Window, Period string
	Row                   uint64 // the earliest row that AsOfRow takes
	Arrived               time.Time
	Member                string
	Reason                UndoReason
}

// Error says what and where.
func (e *UndoError) Error() string {
	return fmt.Sprintf("%v: row %d of %q, of %s, member %q, for %s of window %s: %s", ErrUndo, e.Row, e.Board, e.Arrived.Format(time.RFC3339Nano), e.Member, e.Period, e.Window, e.Reason)
}

// Unwrap returns ErrUndo.
func (e *UndoError) Unwrap() error { return ErrUndo }

// BatchError says which submission of a batch cannot be taken, and why: the fault is the submission's own. None has been taken.
type BatchError struct {
	Index int // in the batch, from 0
	Err   error
}

// Error says what and where.
func (e *BatchError) Error() string { return fmt.Sprintf("submission %d: %v", e.Index, e.Err) }

// Unwrap returns Err.
func (e *BatchError) Unwrap() error { return e.Err }
