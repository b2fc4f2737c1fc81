package local

import (
	"context"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/closing"
	"github.com/zrankdb/zrank/board/internal/observers"
	"github.com/zrankdb/zrank/board/internal/periods"
	"github.com/zrankdb/zrank/board/internal/rolling"
	"github.com/zrankdb/zrank/board/internal/submit"
)

// localBoard is the board.Board of an engine. It stays valid after a migration. A dropped board returns ErrNoBoard for ever, even after another
// board with its name is defined.
type localBoard catalog.Board

func (b *localBoard) core() *catalog.Board { return (*catalog.Board)(b) }

// public returns a board with the methods of this package.
func public(b *catalog.Board, err error) (board.Board, error) {
	if err != nil {
		return nil, err
	}
	return (*localBoard)(b), nil
}

// Name returns the board's name.
func (b *localBoard) Name() string { return b.core().State().Name }

// Spec returns a copy of the stored spec, with its defaults filled in.
func (b *localBoard) Spec() board.Spec { return b.core().State().Spec.WithDefaults() }

// Version returns the version in the keys of the board's sets: 1, and one more with each migration.
func (b *localBoard) Version() int { return b.core().State().Version }

// Submit applies a submission to every window of the board, or to those that it names, in one commit, and returns when that is as durable as the engine makes
// it (B1). It waits while the board is being migrated. O(windows log members). In a board in parts it counts the ranks after the commit (B9).
//
// Errors: ErrMember, ErrOnce, ErrMeta, ErrNoWindow, ErrCount, ErrCondition; those of rules.Check and a *ScoreError; an *OutsideError, a *PeriodClosedError,
// ErrTime; ErrClosed, ErrNoBoard if it has been dropped; those of the engine. After an error nothing has changed, unless it is ErrStalled or
// ErrPersistence: see Engine.Update.
func (b *localBoard) Submit(ctx context.Context, sub board.Submission) (board.Change, error) {
	return submit.One(ctx, b.core(), sub, nil)
}

// Apply is Submit for callers that only need to know whether any entry has changed: it looks up no ranks, unless the spec has BestRanks. In a board in
// parts it locks the parts of its member and no other, so that goroutines get most out of them. Errors: as Submit.
func (b *localBoard) Apply(ctx context.Context, sub board.Submission) (changed bool, err error) {
	return submit.Apply(ctx, b.core(), sub)
}

// SubmitFunc is Submit with a score that the function score computes. No other goroutine can change the member's entry meanwhile. score gets
// the member's row in the first of the board's windows that the submission goes to, with its ordinal rank from 1, and false if the member is not ranked. It returns the score to
// submit, or false to submit nothing. SubmitFunc may call score more than once, and holds locks then: if score calls the board or the engine,
// that call returns engine.ErrInTx. SubmitFunc ignores sub.Score. Errors: those of Submit.
func (b *localBoard) SubmitFunc(ctx context.Context, sub board.Submission, score func(was board.Row, ranked bool) (board.Score, bool)) (board.Change, error) {
	return submit.One(ctx, b.core(), sub, score)
}

// SubmitAll applies submissions one after the other, in one commit: all or none. Their changes together may not exceed
// engine.MaxTransaction, nor their periods engine.MaxKeys. O(submissions windows log members). Errors: a *BatchError, which wraps the error
// that Submit would return for one of the submissions; ErrClosed, ErrNoBoard and those of the engine, which concern the whole batch, unwrapped.
func (b *localBoard) SubmitAll(ctx context.Context, subs []board.Submission) ([]board.Change, error) {
	return submit.All(ctx, b.core(), subs)
}

// SetMeta replaces the metadata of a member's entry in the live period of a window; empty metadata removes it. The entry keeps its score and
// its place. O(1). Errors: ErrNoWindow, ErrMeta, ErrNotRanked, an *OutsideError, a *PeriodClosedError, ErrClosed, ErrNoBoard, those of the
// engine.
func (b *localBoard) SetMeta(ctx context.Context, window, member string, meta []byte) error {
	return submit.SetMeta(ctx, b.core(), window, member, meta)
}

// Remove removes a member from every period that accepts results, with its metadata, in one commit, and returns its entries: windows as
// in the spec, periods in order of time. The member's next submission counts as its first. Closed periods, periods whose time is up, baselines
// and best ranks keep the member. O(open periods log members). Errors: ErrClosed, ErrNoBoard; those of the engine, ErrTooManyKeys if more than
// engine.MaxKeys periods are open.
func (b *localBoard) Remove(ctx context.Context, member string) (removed []board.Removed, err error) {
	return submit.Remove(ctx, b.core(), member)
}

// BestRank returns the best ordinal rank, from 1, that a member ever had right after one of its submissions, in any period of a window. ok is
// false if none is stored: only boards whose spec has BestRanks store them. O(1). Errors: ErrNoWindow, those of the engine.
func (b *localBoard) BestRank(ctx context.Context, window, member string) (rank int, ok bool, err error) {
	return observers.BestRank(ctx, b.core(), window, member)
}

// CloseNow closes the live period of a window by hand. It first closes the earlier periods that still take late results. If no period is
// live, it closes these alone. Until the next period begins, the window refuses submissions of the present. The commit is as durable as the
// engine makes it: a program that pays prizes with the engine at Interval or None calls Engine.Barrier first. Errors: ErrNoWindow, ErrNoEnd, an
// *OutsideError if there is no such period, those of the engine.
func (b *localBoard) CloseNow(ctx context.Context, window string) (info board.Info, err error) {
	return closing.CloseNow(ctx, b.core(), window)
}

// SaveBaseline stores a copy of the ranking of a window's live period, as it is at one moment, under a name. It replaces a baseline
// of the same name. Ranking.Arrows compares later rankings with it. Writers wait while one page is copied at a time. The baseline stays until
// it is saved again or dropped, and takes as much memory as the ranking. O(n log n). Errors: ErrNoWindow, ErrBaseline, an *OutsideError if
// no period is live, ErrClosed, ErrNoBoard, that of ctx, those of the engine.
func (b *localBoard) SaveBaseline(ctx context.Context, window, name string) error {
	return periods.SaveBaseline(ctx, b.core(), window, name)
}

// Baseline returns a baseline of a window. It is empty if nobody was ranked when it was saved. O(1). Errors: ErrNoWindow, ErrBaseline.
func (b *localBoard) Baseline(ctx context.Context, window, name string) (board.Ranking, error) {
	return periods.Baseline(b.core(), window, name)
}

// Baselines returns the names of a window's baselines that have members, in order. O(sets of the engine). Errors: ErrNoWindow, those of the engine.
func (b *localBoard) Baselines(ctx context.Context, window string) ([]string, error) {
	return periods.Baselines(b.core(), window)
}

// DropBaseline drops a baseline, if there is one. Errors: ErrNoWindow, ErrBaseline, ErrClosed, ErrNoBoard, those of the engine.
func (b *localBoard) DropBaseline(ctx context.Context, window, name string) error {
	return periods.DropBaseline(ctx, b.core(), window, name)
}

// Live returns the ranking of the live period of a window. Callers may keep it: each call on it, Info too, reads the one period that is live
// at that moment by the engine's clock. View and Pin stay with the period of their beginning, so a program that shows rows with their Info
// reads both in a View. The ranking may be empty. Page returns ErrPeriodOver for a cursor of a period that is over; the ranking that Period
// returns takes the cursor. While no period is live, between seasons, calls return an *OutsideError. O(1). Errors:
// ErrNoWindow, an *OutsideError if no period is live, ErrClosed, ErrNoBoard.
func (b *localBoard) Live(ctx context.Context, window string) (board.Ranking, error) {
	return periods.Live(b.core(), window)
}

// At returns the ranking of the period with Start <= t < End. The ranking stays with that period.
// It may be empty. O(1). Errors: those of Live.
func (b *localBoard) At(ctx context.Context, window string, t time.Time) (board.Ranking, error) {
	return periods.At(b.core(), window, t)
}

// Period returns the ranking of a window's period by its name. Errors: ErrNoWindow; ErrPeriodName if no period has such a
// name, with an example of one; ErrNoPeriod if nobody has scored in it, or it is not kept any more; those of the engine.
func (b *localBoard) Period(ctx context.Context, window, period string) (board.Ranking, error) {
	return periods.Named(ctx, b.core(), window, period)
}

// LastClosed returns the ranking of a window's last closed period that had members: Ranking.Arrows compares a live ranking with it. After periods
// without members it is not the one before the live one: Ranking.Info says which it is. O(1).
// Errors: ErrNoWindow, ErrNoPeriod if there is none.
func (b *localBoard) LastClosed(ctx context.Context, window string) (board.Ranking, error) {
	return periods.LastClosed(b.core(), window)
}

// Latest returns the ranking of a window's latest period that has members, closed or not. O(periods). Errors: ErrNoWindow, ErrNoPeriod if there
// is none, those of the engine.
func (b *localBoard) Latest(ctx context.Context, window string) (board.Ranking, error) {
	return periods.Latest(ctx, b.core(), window)
}

// Periods returns the periods of a window that have members, in order of time, with the space that each takes. It does not load them.
// O(periods). Errors: ErrNoWindow, those of the engine.
func (b *localBoard) Periods(ctx context.Context, window string) ([]board.Usage, error) {
	return periods.OfWindow(ctx, b.core(), window)
}

// NextReset returns the first moment of the window's next period: for a countdown. ok is false if there is none: for the window All, after the
// last season, and after an event. O(1). Errors: ErrNoWindow.
func (b *localBoard) NextReset(ctx context.Context, window string) (at time.Time, ok bool, err error) {
	return periods.NextReset(b.core(), window)
}

// NextChange returns when the first of the results behind a member's score leaves a rolling window: the score stays as it is until then, unless the
// member submits. If the other results give the same score, it stays longer. ok is false if the member is not ranked, and for windows of other
// kinds. The results behind the score of a group are those of its members. O(1), of a group
// O(members). Errors: ErrNoWindow, those of the engine.
func (b *localBoard) NextChange(ctx context.Context, window, member string) (at time.Time, ok bool, err error) {
	return rolling.NextChange(ctx, b.core(), window, member)
}

// Deadline returns until when the board accepts a result that happens at t: the time at which the first of the periods that contain t closes. ok is
// false if none of them closes by itself. A rolling window accepts a result until it leaves. O(windows). Errors: an *OutsideError.
func (b *localBoard) Deadline(ctx context.Context, t time.Time) (until time.Time, ok bool, err error) {
	return periods.Deadline(b.core(), t)
}
