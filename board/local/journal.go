package local

import (
	"context"
	"iter"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/journal"
	"github.com/zrankdb/zrank/board/internal/moderation"
	"github.com/zrankdb/zrank/board/internal/periods"
)

// Journal iterates over the journal of the board, newest first: what was submitted, as far as Spec.Journal says. Submissions that were skipped or duplicates
// are not there. O(rows of the journal). It yields at most one error, at the end: ErrNoJournal, ErrClosed, ErrNoBoard, those of the engine.
func (b *localBoard) Journal(ctx context.Context, q board.JournalQuery) iter.Seq2[board.JournalRow, error] {
	return journal.All(ctx, b.core(), q)
}

// AsOf returns the ranking of the period of a window that contains a moment, as it was then: a copy of it in memory, which does not change. The moment is by
// the engine's clock: the ranking has the submissions that have arrived until then. A moment in the future is now. O(n log n + rows of the journal since then).
//
// The ranking shows what counts today, as of then: members that are hidden, banned or erased now are not in it, reverted submissions are not, and renamed
// members have their present names. A result of Correct is there from its correction on. A member that was removed is there until then. Ranks are closed up, and rows have no metadata.
// On a board of the best n it has these alone. There are none of a rolling window. Its Info is that of the period; one that was closed later is open. Its cursors are those of the period's ranking.
//
// While it is computed submissions go on. It begins again when an operator changes a member meanwhile. Errors: ErrNoJournal; a *BeforeJournalError; an *UndoError;
// ErrBusy while a Ban, Hide, Rename or another change of a member is in progress; ErrNoPeriod if the period is not kept any more; ErrNoWindow, an *OutsideError, that of ctx, ErrClosed,
// ErrNoBoard, engine.ErrInTx, those of the engine.
func (b *localBoard) AsOf(ctx context.Context, window string, at time.Time) (board.Ranking, error) {
	return periods.AsOf(ctx, b.core(), window, at, moderation.CheckNone)
}

// AsOfRow returns the ranking of a period as it was after a row of the journal had come, like AsOf. The row may be one before the oldest of the journal: then
// it is the ranking as it was before that one. Errors: those of AsOf; ErrPeriodName; ErrNotInJournal for a row that has not come yet.
func (b *localBoard) AsOfRow(ctx context.Context, window, period string, row uint64) (board.Ranking, error) {
	return periods.RowAsOf(ctx, b.core(), window, period, row, moderation.CheckNone)
}

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
func (b *localBoard) Revert(ctx context.Context, member string, r board.Reversion, a board.Action) (board.Reverted, error) {
	return moderation.Revert(ctx, b.core(), member, r, a)
}
