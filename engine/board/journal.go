package board

import (
	"context"
	"iter"
	"time"

	"github.com/zrankdb/zrank/engine/board/internal/asof"
	"github.com/zrankdb/zrank/engine/board/internal/journal"
	"github.com/zrankdb/zrank/engine/board/internal/moderation"
	"github.com/zrankdb/zrank/engine/board/internal/revert"
)

// JournalQuery says which rows of a journal to read.
//
//	Member  string     the rows of a member; "": of all
//	Since   time.Time  those that arrived then or later; zero: all
type JournalQuery = journal.Query

// JournalRow is a submission in the journal of a board, or the removal of a member.
//
//	Number    uint64     from 1, in the order of arrival
//	Arrived   time.Time  when it arrived, by the engine's clock
//	At        time.Time  when it happened: Submission.At
//	Member    string
//	Score     Score      as it was submitted; without columns for a removal
//	Windows   []string   the names of the windows that it went to; nil: all, or it is from before a migration
//	Once      string     its Once key
//	Removal   bool       the member was removed then
//	Reverted  uint64     the number of the entry of the audit log that has reverted it; 0: it is not reverted
type JournalRow = journal.Entry

// Journal iterates over the journal of the board, newest first: what was submitted, as far as Spec.Journal says. Submissions that were skipped or duplicates
// are not there. O(rows of the journal). It yields at most one error, at the end: ErrNoJournal, ErrClosed, ErrNoBoard, those of the engine.
func (b *Board) Journal(q JournalQuery) iter.Seq2[JournalRow, error] {
	return journal.All(b.core(), q)
}

// AsOf returns the ranking of the period of a window that contains a moment, as it was then: a copy of it in memory, which does not change. The moment is by
// the engine's clock: the ranking has the submissions that have arrived until then. A moment in the future is now. O(n log n + rows of the journal since then).
//
// The ranking shows what counts today, as of then: members that are hidden, banned or erased now are not in it, reverted submissions are not, and renamed
// members have their present names. A result of Correct is there from its correction on. A member that was removed is there until then. Ranks are closed up, and rows have no metadata.
// On a board of the best n it has these alone. Its Info is that of the period; one that was closed later is open. Its cursors are those of the period's ranking.
//
// While it is computed submissions go on. It begins again when an operator changes a member meanwhile. Errors: ErrNoJournal; a *BeforeJournalError; an *UndoError;
// ErrBusy while a Ban, Hide, Rename or another change of a member is in progress; ErrNoPeriod if the period is not kept any more; ErrNoWindow, an *OutsideError, that of ctx, ErrClosed,
// ErrNoBoard, engine.ErrInTx, those of the engine.
func (b *Board) AsOf(ctx context.Context, window string, at time.Time) (Ranking, error) {
	return asof.At(ctx, b.core(), window, at, moderation.CheckNone)
}

// AsOfRow returns the ranking of a period as it was after a row of the journal had come, like AsOf. The row may be one before the oldest of the journal: then
// it is the ranking as it was before that one. Errors: those of AsOf; ErrPeriodName; ErrNotInJournal for a row that has not come yet.
func (b *Board) AsOfRow(ctx context.Context, window, period string, row uint64) (Ranking, error) {
	return asof.Row(ctx, b.core(), window, period, row, moderation.CheckNone)
}

// Reversion says which submissions of a member to revert.
//
//	Row    uint64     the one with this number in the journal; 0: all since a time
//	Since  time.Time  all that arrived then or later; zero: all
type Reversion = revert.Spec

// Reverted is what a Revert has done, or would do in a dry run.
//
//	Entry   uint64    the number of its entry in the audit log, 0 in a dry run and if there was nothing to revert
//	Rows    []uint64  the rows of the journal that are reverted, in order
//	Places  []Place   the places that have changed, in open and in closed periods: windows as in the spec, periods in order of time
type Reverted = revert.Result

// Revert takes submissions of a member back, in one commit: in every period, open or closed, the member gets the entry that it would have without them.
// That is what it had before the earliest of them, as the journal has it, with its later submissions applied again by the rules of the board. Rows stay in
// the journal, marked with the number of the entry of the audit log. O(rows of the journal + later rows of the member).
//
// The ranks of closed periods close up. Awards of a closed period stay as they are: see Resettle. A closed period that is
// concerned is read from the disk, and indexed again afterwards. Best ranks and baselines stay as they are. Once keys stay used, so that a retry of a reverted submission does not count. Conditions, and the functions of
// SubmitFunc, are not asked again: a later submission counts with the score that it had. Metadata that a reverted submission has set is deleted where no
// later submission has replaced it.
//
// Errors: ErrMember, ErrAction; ErrNoJournal; a *JournalError if the journal does not have the row, or does not go back to Since, or if the board has been
// migrated or the member merged with another one since; ErrReverted for a row that has been reverted; ErrBusy while the member is being renamed or merged; those of rules.Check and a *ScoreError if a later submission cannot count without the
// reverted ones; that of ctx, ErrClosed, ErrNoBoard, engine.ErrInTx, those of the engine. After an error nothing has changed, unless it is ErrStalled or
// ErrPersistence: see Engine.Update.
func (b *Board) Revert(ctx context.Context, member string, r Reversion, a Action) (Reverted, error) {
	return revert.Revert(ctx, b.core(), member, r, a, moderation.CheckStays)
}
