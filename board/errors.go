package board

import (
	"errors"
	"fmt"
	"time"

	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/board/window"
)

var (
	// ErrOpen is returned by Open when the engine's boards are open already.
	ErrOpen = errors.New("board: the engine's boards are open already")
	// ErrClosed is returned by every call on boards after Boards.Close. After Engine.Close calls on boards return an error that wraps both
	// ErrClosed and engine.ErrClosed; calls on rankings return engine.ErrClosed alone.
	ErrClosed = errors.New("board: closed")
	// ErrNoBoard is returned when no board has the name asked for, or it has been dropped.
	ErrNoBoard = errors.New("board: no such board")
	// ErrSpec is returned when a spec has an impossible value.
	ErrSpec = errors.New("board: impossible spec")
	// ErrSpecChanged is returned when a board exists with another spec; the error names each difference.
	ErrSpecChanged = errors.New("board: exists with another spec")
	// ErrRelocated is returned by all calls on a board that package move has moved to another store, or is about to. The error is a *RelocatedError.
	ErrRelocated = errors.New("board: is elsewhere")
	// ErrIncoming is returned by Define while a board of the same name is being moved here.
	ErrIncoming = errors.New("board: is being moved here")
	// ErrImmovable is returned by package move for a board whose spec has something that cannot move. The error names all of it.
	ErrImmovable = errors.New("board: cannot be moved to another store")
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
	// ErrTime is returned for a time in a period that has not begun, for a submission in a transaction that has no time, and while the clock is further ahead
	// than Options.MaxJump lets it jump.
	ErrTime = errors.New("board: time cannot be counted")
	// ErrOnce is returned for a Once key of more than MaxOnce bytes.
	ErrOnce = errors.New("board: Once key is longer than 256 bytes")
	// ErrMeta is returned for metadata longer than Spec.MaxMeta allows.
	ErrMeta = errors.New("board: metadata is too long")
	// ErrCondition is returned for a Condition that does not exist.
	ErrCondition = errors.New("board: no such condition")
	// ErrNotRanked is returned by calls about a member's entry when the member is not ranked.
	ErrNotRanked = errors.New("board: member is not ranked")
	// ErrCount is returned for a number of rows, bins or places that is out of range.
	ErrCount = errors.New("board: count is out of range")
	// ErrCursor is returned for a text that is no cursor, and for a cursor of another ranking, or of a board before it was migrated.
	ErrCursor = errors.New("board: not a cursor of this ranking")
	// ErrPeriodOver is returned by a ranking of Board.Live for a cursor of one of the window's last 100 periods before the live one. The
	// error names that period. The ranking that Board.Period returns for it takes the cursor. errors.Is(err, ErrCursor) holds too.
	ErrPeriodOver = fmt.Errorf("%w: its period is over", ErrCursor)
	// ErrMode is returned for a mode that does not exist.
	ErrMode = rules.ErrMode
	// ErrViewDone is returned when the Ranking of a View is used after the View has returned.
	ErrViewDone = errors.New("board: view is over")
	// ErrBaseline is returned for a baseline's name that is empty, longer than 64 bytes, or has a slash or a control character.
	ErrBaseline = errors.New("board: impossible name of a baseline")
	// ErrNoJournal is returned when a board keeps no journal: see Spec.Journal.
	ErrNoJournal = errors.New("board: keeps no journal")
	// ErrZone is returned for the text of a Zone that does not exist.
	ErrZone = errors.New("board: no such zone")
	// ErrNoLeagues is returned by calls about cohorts and tiers on a board without Spec.Leagues.
	ErrNoLeagues = errors.New("board: has no leagues")
	// ErrNoCohort is returned when a member is in no cohort of a period.
	ErrNoCohort = errors.New("board: member is in no cohort")
	// ErrTier is returned when the leagues of a board have no tier of a name; the error names those that there are.
	ErrTier = errors.New("board: no such tier")
	// ErrUnsettled is returned by Promotions while the cohorts of the period are being settled.
	ErrUnsettled = errors.New("board: the cohorts of the period are not settled yet")
	// ErrBeforeJournal is returned by AsOf for a moment before the journal begins. The error is a *BeforeJournalError.
	ErrBeforeJournal = errors.New("board: the journal does not go back so far")
	// ErrUndo is returned by AsOf when the journal cannot be undone so far. The error is an *UndoError.
	ErrUndo = errors.New("board: a row of the journal cannot be undone")
	// ErrNotInJournal is returned when a submission cannot be reverted because the journal does not have it, or not all of them: see JournalError.
	ErrNotInJournal = errors.New("board: not in the journal")
	// ErrReverted is returned for a submission that has been reverted.
	ErrReverted = errors.New("board: the submission has been reverted")
	// ErrUnion is returned for an impossible UnionSpec, for an impossible name of a stored union, and for sources that cannot be united.
	ErrUnion = errors.New("board: impossible union")
	// ErrNoUnion is returned when no stored union has the name asked for, and by a ranking of one that has been dropped or stored again since.
	ErrNoUnion = errors.New("board: no such stored union")
	// ErrPeriodOpen is returned by Correct for a period that is not closed: a submission changes it.
	ErrPeriodOpen = errors.New("board: period is not closed")
	// ErrAction is returned for an Action without By, or with texts that are too long or no UTF-8, and by Rename and Merge of a member with itself.
	ErrAction = errors.New("board: impossible moderation action")
	// ErrBanned is returned for a submission of a member that is banned, and by Ban for one that is banned already.
	ErrBanned = errors.New("board: member is banned")
	// ErrExists is returned by Rename when the board has places of the new name: see Merge.
	ErrExists = errors.New("board: the new name has places already")
	// ErrBoardExists is returned by package move if there is a board of the name.
	ErrBoardExists = errors.New("board: there is a board of that name")
	// ErrBusy is returned by Rename, Merge and Correct while another change of a member is in progress, and by Revert while the member is being renamed or
	// merged.
	ErrBusy = errors.New("board: the member is being changed")
	// ErrNotBanned is returned by Unban for a member that is not banned.
	ErrNotBanned = errors.New("board: member is not banned")
	// ErrHidden is returned by Hide for a member that is hidden.
	ErrHidden = errors.New("board: member is hidden")
	// ErrNotHidden is returned by Show for a member that is not hidden.
	ErrNotHidden = errors.New("board: member is not hidden")
	// ErrGroups is returned for an impossible name of a group or of a kind of groups.
	ErrGroups = errors.New("board: impossible groups")
	// ErrNoGroups is returned when there is no such kind of groups: see Boards.DefineGroups.
	ErrNoGroups = errors.New("board: no such kind of groups")
	// ErrNoGroup is returned when a kind has no such group.
	ErrNoGroup = errors.New("board: no such group")
	// ErrGroupExists is returned by Create when the kind has a group with the name.
	ErrGroupExists = errors.New("board: the group exists already")
	// ErrInGroup is returned to a member that joins a group and is in one.
	ErrInGroup = errors.New("board: member is in a group already")
	// ErrNotInGroup is returned to a member that leaves its group and is in none.
	ErrNotInGroup = errors.New("board: member is in no group")
	// ErrCircle is returned for a derived board that would follow itself, or whose groups would contain each other: a board further down has groups of the same kind.
	ErrCircle = errors.New("board: groups contain each other")
	// ErrDerived is returned by calls that change scores, for a board that follows another one.
	ErrDerived = errors.New("board: its scores follow those of another board")
	// ErrNotDerived is returned by Rebuild for a board that follows no other one.
	ErrNotDerived = errors.New("board: follows no other board")
	// ErrFollowed is returned by Drop and Migrate for a board that others follow, if these cannot go on.
	ErrFollowed = errors.New("board: other boards follow it")
	// ErrUnsupported is returned for what boards do not have where they are kept: by Define of package cluster for a spec that a cluster has no place for, and by
	// servers. The error says what.
	ErrUnsupported = errors.New("board: not supported where the boards are kept")
	// ErrUndecided is returned by boards that are kept on other machines when the connection broke, or the context ended, before the answer came: the change may
	// have been made or not. In an engine Claim returns it when the context ends while the commit waits for the disk: the award is granted, unless a crash comes first.
	// To try again with the same Once key counts it once.
	ErrUndecided = errors.New("board: it is not known whether the change was made")
	// ErrNoRanks is returned by Submit of such boards if the change was made and its ranks could not be read then: it must not be sent again without a Once key.
	ErrNoRanks = errors.New("board: the change was made, and its ranks could not be read")
)

// Errors of rules and windows, so that callers need not import them.
var (
	ErrColumns   = rules.ErrColumns
	ErrKind      = rules.ErrKind
	ErrNotFinite = rules.ErrNotFinite
	ErrBounds    = rules.ErrBounds
	ErrAbsent    = rules.ErrAbsent
	ErrOverflow  = rules.ErrOverflow
	// ErrOutside is returned for a time that lies in no period: before the first season, between seasons, outside an event. A submission to a board with other
	// windows, which have one, counts there.
	ErrOutside = window.ErrOutside
	// ErrPeriodName is returned when no period of a window has the name asked for. The error tells what a name looks like.
	ErrPeriodName = window.ErrPeriodName
)

// RelocatedError says where a board has been moved. errors.Is(err, ErrRelocated) holds.
type RelocatedError struct {
	Board    string `json:"board"`    // the board's name
	To       string `json:"to"`       // the address of the store
	Complete bool   `json:"complete"` // false: the move is not complete, and nobody accepts changes until it is made again or given up
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

// PeriodClosedError says which period takes no more results: Board, Window, Period; At, the time of the result; Live, the period that is
// live now, "" if none is. errors.Is(err, ErrPeriodClosed) holds.
type PeriodClosedError struct {
	Board  string    `json:"board"`          // the board's name
	Window string    `json:"window"`         // the window's name
	Period string    `json:"period"`         // the name of the period that is closed
	At     time.Time `json:"at,omitzero"`    // of the result
	Live   string    `json:"live,omitempty"` // the period that is live now; "": none is
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

// BeforeJournalError says from where on the journal of Board goes: First is the earliest row that AsOfRow takes, Since the earliest moment that AsOf takes, zero
// if the journal has no rows. At and Row are what was asked for.
type BeforeJournalError struct {
	Board string    `json:"board"`           // the board's name
	At    time.Time `json:"at,omitzero"`     // that was asked for; zero: Row
	Row   uint64    `json:"row,omitempty"`   // that was asked for
	First uint64    `json:"first,omitempty"` // the earliest row that AsOfRow takes
	Since time.Time `json:"since,omitzero"`  // the earliest moment that AsOf takes; zero if the journal has no rows
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

// UndoError says which row of the journal of Board stands in the way of AsOf, and why. It is the earliest row that AsOfRow takes. A rolling window has none: Row and Member are zero.
type UndoError struct {
	Board   string     `json:"board"`       // the board's name
	Window  string     `json:"window"`      // the window's name
	Period  string     `json:"period"`      // the period's name
	Row     uint64     `json:"row"`         // the earliest row that AsOfRow takes
	Arrived time.Time  `json:"arrived"`     // when the row arrived
	Member  string     `json:"member,text"` // whom the row is of
	Reason  UndoReason `json:"reason"`      // why it cannot be undone
}

// Error says what and where.
func (e *UndoError) Error() string {
	if e.Row == 0 {
		return fmt.Sprintf("%v: %q, window %s: %s", ErrUndo, e.Board, e.Window, e.Reason)
	}
	return fmt.Sprintf("%v: row %d of %q, of %s, member %q, for %s of window %s: %s", ErrUndo, e.Row, e.Board, e.Arrived.Format(time.RFC3339Nano), e.Member, e.Period, e.Window, e.Reason)
}

// Unwrap returns ErrUndo.
func (e *UndoError) Unwrap() error { return ErrUndo }

// UndoReason is why a row cannot be undone.
type UndoReason string

// Reasons.
const (
	UndoMigrated  UndoReason = "the board has been migrated since"
	UndoMerged    UndoReason = "the member has been merged with another one since, or has got the name of another one"
	UndoNoEntries UndoReason = "it is the removal of a member, from before removals had entries"
	UndoRolling   UndoReason = "results leave a rolling window without a row"
)

// JournalError says what the journal of Board does not have of Member: a Row, or with Row 0 all that was asked for. First is the oldest row that can be
// reverted, 0 if there is none, and Since is when it arrived. errors.Is(err, ErrNotInJournal) holds.
type JournalError struct {
	Board  string    `json:"board"`           // the board's name
	Member string    `json:"member,text"`     // the member's name
	Row    uint64    `json:"row,omitempty"`   // the row that was asked for; 0: all since a time
	First  uint64    `json:"first,omitempty"` // the oldest row that can be reverted, 0 if there is none
	Since  time.Time `json:"since,omitzero"`  // when that arrived
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

// BatchError says which submission of a batch cannot be taken, by its Index in the batch, from 0, and why, in Err: the fault is the
// submission's own. None has been taken.
type BatchError struct {
	Index int   `json:"index"` // in the batch, from 0
	Err   error `json:"-"`     // why it cannot be taken
}

// Error says what and where.
func (e *BatchError) Error() string { return fmt.Sprintf("submission %d: %v", e.Index, e.Err) }

// Unwrap returns Err.
func (e *BatchError) Unwrap() error { return e.Err }
