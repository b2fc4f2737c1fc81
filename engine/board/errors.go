package board

import (
	"github.com/zrankdb/zrank/engine/board/awards"
	"github.com/zrankdb/zrank/engine/board/internal/errs"
	"github.com/zrankdb/zrank/engine/board/internal/unions"
	"github.com/zrankdb/zrank/engine/board/rules"
	"github.com/zrankdb/zrank/engine/board/window"
)

var (
	// ErrOpen is returned by Open when the engine's boards are open already.
	ErrOpen = errs.ErrOpen
	// ErrClosed is returned by every call on boards after Boards.Close. After Engine.Close calls on boards return an error that wraps both
	// ErrClosed and engine.ErrClosed; calls on rankings return engine.ErrClosed alone.
	ErrClosed = errs.ErrClosed
	// ErrNoBoard is returned when no board has the name asked for, or it has been dropped.
	ErrNoBoard = errs.ErrNoBoard
	// ErrSpec is returned when a spec has an impossible value.
	ErrSpec = errs.ErrSpec
	// ErrSpecChanged is returned when a board exists with another spec; the error names each difference.
	ErrSpecChanged = errs.ErrSpecChanged
	// ErrRelocated is returned by all calls on a board that package move has moved to another store, or is about to. The error is a *RelocatedError.
	ErrRelocated = errs.ErrRelocated
	// ErrIncoming is returned by Define while a board of the same name is being moved here.
	ErrIncoming = errs.ErrIncoming
	// ErrImmovable is returned by package move for a board whose spec has something that cannot move. The error names all of it.
	ErrImmovable = errs.ErrImmovable
	// ErrMigrating is returned while a board is being migrated or dropped, by calls that cannot wait, and by rankings that were handed
	// out before it was migrated.
	ErrMigrating = errs.ErrMigrating
	// ErrNoWindow is returned when a board does not have the window asked for; the error names those it has.
	ErrNoWindow = errs.ErrNoWindow
	// ErrNoPeriod is returned when a window has no such period, nobody has scored in it, or it is not kept any more.
	ErrNoPeriod = errs.ErrNoPeriod
	// ErrPeriodClosed is returned for a result that belongs to a closed period. The error is a *PeriodClosedError.
	ErrPeriodClosed = errs.ErrPeriodClosed
	// ErrNoEnd is returned by CloseNow for the window All.
	ErrNoEnd = errs.ErrNoEnd
	// ErrMember is returned when a member is empty or longer than MaxMember bytes.
	ErrMember = errs.ErrMember
	// ErrTime is returned for a time in a period that has not begun, and for a submission in a transaction that has no time.
	ErrTime = errs.ErrTime
	// ErrOnce is returned for a Once key of more than MaxOnce bytes.
	ErrOnce = errs.ErrOnce
	// ErrMeta is returned for metadata longer than Spec.MaxMeta allows.
	ErrMeta = errs.ErrMeta
	// ErrCondition is returned for a Condition that does not exist.
	ErrCondition = errs.ErrCondition
	// ErrNotRanked is returned by calls about a member's entry when the member is not ranked.
	ErrNotRanked = errs.ErrNotRanked
	// ErrCount is returned for a number of rows, bins or places that is out of range.
	ErrCount = errs.ErrCount
	// ErrCursor is returned for a text that is no cursor, and for a cursor of another ranking, or of a board before it was migrated.
	ErrCursor = errs.ErrCursor
	// ErrPeriodOver is returned by a ranking of Board.Live for a cursor of one of the window's last 100 periods before the live one. The
	// error names that period. The ranking that Board.Period returns for it takes the cursor. errors.Is(err, ErrCursor) holds too.
	ErrPeriodOver = errs.ErrPeriodOver
	// ErrMode is returned for a mode that does not exist.
	ErrMode = errs.ErrMode
	// ErrMoved is returned by InTx when a call needs other sets than those that the transaction has named: on a board with Spec.Top or Spec.PartMembers its
	// sets are not those of Keys, RemoveKeys or ReadKeys any more; the transaction would use up the reserve of the best; another period has begun since
	// ReadKeys; or a View finds that results have left a rolling window since. A submission has changed nothing then. Get the keys again, and begin the
	// transaction again.
	ErrMoved = errs.ErrMoved
	// ErrViewDone is returned when the Ranking of a View is used after the View has returned.
	ErrViewDone = errs.ErrViewDone
	// ErrBaseline is returned for a baseline's name that is empty, longer than 64 bytes, or has a slash or a control character.
	ErrBaseline = errs.ErrBaseline
	// ErrPlan is returned for an impossible plan of awards; errors.Is(err, ErrSpec) holds too if it is in a spec.
	ErrPlan = awards.ErrPlan
	// ErrAward is returned when there is no award with the id asked for, or a period has none.
	ErrAward = errs.ErrAward
	// ErrNotYours is returned when a member claims the award of another.
	ErrNotYours = errs.ErrNotYours
	// ErrGranted is returned for an award that has been delivered or claimed.
	ErrGranted = errs.ErrGranted
	// ErrWithheld is returned for an award that is withheld.
	ErrWithheld = errs.ErrWithheld
	// ErrExpired is returned for an award that can be claimed no more.
	ErrExpired = errs.ErrExpired
	// ErrSettling is returned while the awards of a period are being settled again.
	ErrSettling = errs.ErrSettling
	// ErrUndelivered is returned by Migrate when it would remove a window with awards that wait.
	ErrUndelivered = errs.ErrUndelivered
	// ErrNoJournal is returned when a board keeps no journal: see Spec.Journal.
	ErrNoJournal = errs.ErrNoJournal
	// ErrNoLeagues is returned by calls about cohorts and tiers on a board without Spec.Leagues.
	ErrNoLeagues = errs.ErrNoLeagues
	// ErrNoCohort is returned when a member is in no cohort of a period.
	ErrNoCohort = errs.ErrNoCohort
	// ErrTier is returned when the leagues of a board have no tier of a name; the error names those that there are.
	ErrTier = errs.ErrTier
	// ErrUnsettled is returned by Promotions while the cohorts of the period are being settled.
	ErrUnsettled = errs.ErrUnsettled
	// ErrBeforeJournal is returned by AsOf for a moment before the journal begins. The error is a *BeforeJournalError.
	ErrBeforeJournal = errs.ErrBeforeJournal
	// ErrUndo is returned by AsOf when the journal cannot be undone so far. The error is an *UndoError.
	ErrUndo = errs.ErrUndo
	// ErrNotInJournal is returned when a submission cannot be reverted because the journal does not have it, or not all of them: see JournalError.
	ErrNotInJournal = errs.ErrNotInJournal
	// ErrReverted is returned for a submission that has been reverted.
	ErrReverted = errs.ErrReverted
	// ErrUnion is returned for an impossible UnionSpec, for an impossible name of a stored union, and for sources that cannot be united.
	ErrUnion = errs.ErrUnion
	// ErrNoUnion is returned when no stored union has the name asked for, and by a ranking of one that has been dropped or stored again since.
	ErrNoUnion = errs.ErrNoUnion
	// ErrPeriodOpen is returned by Correct for a period that is not closed: a submission changes it.
	ErrPeriodOpen = errs.ErrPeriodOpen
	// ErrAction is returned for an Action without By, or with texts that are too long or no UTF-8, and by Rename and Merge of a member with itself.
	ErrAction = errs.ErrAction
	// ErrBanned is returned for a submission of a member that is banned, and by Ban for one that is banned already.
	ErrBanned = errs.ErrBanned
	// ErrExists is returned by Rename when the board has places of the new name: see Merge.
	ErrExists = errs.ErrExists
	// ErrBoardExists is returned by package move if there is a board of the name.
	ErrBoardExists = errs.ErrBoardExists
	// ErrBusy is returned by Rename, Merge and Correct while another change of a member is in progress, and by Revert while the member is being renamed or
	// merged.
	ErrBusy = errs.ErrBusy
	// ErrNotBanned is returned by Unban for a member that is not banned.
	ErrNotBanned = errs.ErrNotBanned
	// ErrHidden is returned by Hide for a member that is hidden.
	ErrHidden = errs.ErrHidden
	// ErrNotHidden is returned by Show for a member that is not hidden.
	ErrNotHidden = errs.ErrNotHidden
	// ErrEventKind is returned for a kind of event that does not exist.
	ErrEventKind = errs.ErrEventKind
	// ErrPosition is returned for a text that is no position of a feed, and for a position of another store.
	ErrPosition = errs.ErrPosition
	// ErrFuture is returned for a position behind the end of the feed: no event can have it yet.
	ErrFuture = errs.ErrFuture
	// ErrGroups is returned for an impossible name of a group or of a kind of groups.
	ErrGroups = errs.ErrGroups
	// ErrNoGroups is returned when there is no such kind of groups: see Boards.DefineGroups.
	ErrNoGroups = errs.ErrNoGroups
	// ErrNoGroup is returned when a kind has no such group.
	ErrNoGroup = errs.ErrNoGroup
	// ErrGroupExists is returned by Create when the kind has a group with the name.
	ErrGroupExists = errs.ErrGroupExists
	// ErrInGroup is returned to a member that joins a group and is in one.
	ErrInGroup = errs.ErrInGroup
	// ErrNotInGroup is returned to a member that leaves its group and is in none.
	ErrNotInGroup = errs.ErrNotInGroup
	// ErrCircle is returned for a derived board that would follow itself, or whose groups would contain each other: a board further down has groups of the same kind.
	ErrCircle = errs.ErrCircle
	// ErrDerived is returned by calls that change scores, for a board that follows another one.
	ErrDerived = errs.ErrDerived
	// ErrNotDerived is returned by Rebuild for a board that follows no other one.
	ErrNotDerived = errs.ErrNotDerived
	// ErrFollowed is returned by Drop and Migrate for a board that others follow, if these cannot go on.
	ErrFollowed = errs.ErrFollowed
	// ErrUnsupported is returned for what boards do not have where they are kept: by Define of package cluster for a spec that a cluster has no place for, and by
	// servers. The error says what.
	ErrUnsupported = errs.ErrUnsupported
	// ErrUndecided is returned by boards that are kept on other machines when the connection broke before the answer came: the change may have been made or not.
	// To try again with the same Once key counts it once.
	ErrUndecided = errs.ErrUndecided
	// ErrNoRanks is returned by Submit of such boards if the change was made and its ranks could not be read then: it must not be sent again without a Once key.
	ErrNoRanks = errs.ErrNoRanks
)

// Errors of rules and windows, so that callers need not import them.
var (
	ErrColumns   = rules.ErrColumns
	ErrKind      = rules.ErrKind
	ErrNotFinite = rules.ErrNotFinite
	ErrBounds    = rules.ErrBounds
	ErrAbsent    = rules.ErrAbsent
	ErrOverflow  = rules.ErrOverflow
	// ErrOutside is returned for a time that lies in no period: before the first season, between seasons, outside an event.
	ErrOutside = window.ErrOutside
	// ErrPeriodName is returned when no period of a window has the name asked for. The error tells what a name looks like.
	ErrPeriodName = window.ErrPeriodName
)

// RelocatedError says where a board has been moved. errors.Is(err, ErrRelocated) holds.
//
//	Board     string
//	To        string  the store
//	Complete  bool    false: the move is not complete, and nobody accepts changes until it is made again or given up
type RelocatedError = errs.RelocatedError

// PeriodClosedError says which period takes no more results: Board, Window, Period; At, the time of the result; Live, the period that is
// live now, "" if none is. errors.Is(err, ErrPeriodClosed) holds.
type PeriodClosedError = errs.PeriodClosedError

// UnionError says what is at fault in a union, in Err: one of its sources, by its index, Board and Window, or, with Source -1, the score of a
// Member, which does not fit in the result. Column is the name of the column at fault, "" if the fault is none of a column.
type UnionError = unions.Error

// BeforeJournalError says from where on the journal of Board goes: First is the earliest row that AsOfRow takes, Since the earliest moment that AsOf takes, zero
// if the journal has no rows. At and Row are what was asked for.
type BeforeJournalError = errs.BeforeJournalError

// UndoError says which row of the journal of Board stands in the way of AsOf, and why. It is the earliest row that AsOfRow takes.
type UndoError = errs.UndoError

// UndoReason is why a row cannot be undone.
type UndoReason = errs.UndoReason

// Reasons of an UndoError.
const (
	UndoMigrated  = errs.UndoMigrated  // the row is of an earlier version of the board
	UndoMerged    = errs.UndoMerged    // the member has been merged since, or another one has got its name
	UndoNoEntries = errs.UndoNoEntries // it is the removal of a member, from before such rows had entries
)

// JournalError says what the journal of Board does not have of Member: a Row, or with Row 0 all that was asked for. First is the oldest row that can be
// reverted, 0 if there is none, and Since is when it arrived. errors.Is(err, ErrNotInJournal) holds.
type JournalError = errs.JournalError

// BatchError says which submission of a batch cannot be taken, by its Index in the batch, from 0, and why, in Err: the fault is the
// submission's own. None has been taken.
type BatchError = errs.BatchError
