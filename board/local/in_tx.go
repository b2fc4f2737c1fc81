package local

import (
	"context"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/observers"
	"github.com/zrankdb/zrank/board/internal/periods"
	"github.com/zrankdb/zrank/board/internal/submit"
	"github.com/zrankdb/zrank/engine"
)

// InTx is a board in a transaction of its engine. It is for the closure of the transaction, in that goroutine only.
//
// A call locks the sets that it needs. If one of them is not free, is on the disk only, or the board needs other sets by now (a period has begun, a
// part was split, the board was migrated), it returns engine.ErrRestart, and the engine runs the closure again. A call returns engine.ErrReserved in
// a transaction of another engine.
type InTx struct {
	b  *catalog.Board
	tx *engine.Tx
}

// In returns a board as part of a transaction of the engine. Scores, the caller's own private keys and other boards then change together or not at all.
// The transaction need not name any keys; Hints saves it restarts. O(1). Errors: ErrNoBoard, ErrClosed.
func (bs *Boards) In(tx *engine.Tx, name string) (InTx, error) {
	b, err := bs.catalog.Lookup(name)
	return InTx{b, tx}, err
}

// locked locks the keys of a call, and makes it. If the board needs others by then, the transaction restarts.
func (t InTx) locked(keys func() ([]string, error), call func() error) error {
	return t.b.Env().In(t.tx, keys, call)
}

// submitting is locked for a submission.
func (t InTx) submitting(sub board.Submission, call func() error) error {
	return t.locked(func() ([]string, error) { return submit.AppendKeys(t.tx.Context(), t.b, nil, sub) }, call)
}

// Live returns the ranking of the period of a window that is live at the time of the transaction, Tx.Now, an Update or a View.
//
// All calls on the ranking, also those on what View and By give, work until the transaction ends, and return engine.ErrTxDone then. They see what
// the transaction has changed so far. A rolling window is that of Tx.Now: an Update removes what has left it by then, and a View restarts. In a board with
// Spec.Top and segments the rows of the others are wider by the number of changes that the transaction has made. Pin copies the ranking as it is in the transaction, without metadata, for later. A base of Arrows is
// a pinned ranking, or one of the same transaction. Errors: those of Board.Live and of InTx.
func (t InTx) Live(window string) (board.Ranking, error) { return periods.LiveIn(t.b, t.tx, window) }

// At returns the ranking of the period with Start <= at < End: see Live. It may be empty. Errors: those of Live.
func (t InTx) At(ctx context.Context, window string, at time.Time) (board.Ranking, error) {
	return periods.AtIn(t.b, t.tx, window, at)
}

// Period returns the ranking of a window's period by its name: see Live. Errors: those of Live, ErrPeriodName;
// ErrNoPeriod if the period has no members.
func (t InTx) Period(window, period string) (board.Ranking, error) {
	return periods.NamedIn(t.b, t.tx, window, period)
}

// BestRank is Board.BestRank in the transaction. ok is false if the spec has no BestRanks. Errors:
// ErrNoWindow, ErrClosed, ErrNoBoard, those of InTx.
func (t InTx) BestRank(window, member string) (rank int, ok bool, err error) {
	err = t.locked(func() ([]string, error) { return nil, nil }, func() (err error) {
		rank, ok, err = observers.BestRankIn(t.b, t.tx, window, member)
		return err
	})
	return rank, ok, err
}

// Submit is Board.Submit in the transaction. A submission without At gets the time at which its sets are locked. Errors: as there, and those of InTx. After an error of the board the transaction is as it was before the call, and may continue.
// If the score of a group would be out of range, the transaction ends with that *board.ScoreError whatever the closure returns. After an error of the engine it must not be committed.
func (t InTx) Submit(sub board.Submission) (c board.Change, err error) {
	err = t.submitting(sub, func() (err error) {
		c, err = submit.In(t.b, t.tx, sub)
		return err
	})
	return c, err
}

// Apply is Submit for callers that only need to know whether any entry has changed: it looks up no ranks, unless the spec has
// BestRanks. Errors: as Submit.
func (t InTx) Apply(sub board.Submission) (changed bool, err error) {
	err = t.submitting(sub, func() (err error) {
		changed, err = submit.ApplyIn(t.b, t.tx, sub)
		return err
	})
	return changed, err
}

// SubmitFunc is Board.SubmitFunc in the transaction. In one run of the closure it calls score once at most, with the row that the member has in the transaction. score may use the transaction, and the board in it. Errors: those of Submit.
func (t InTx) SubmitFunc(sub board.Submission, score func(was board.Row, ranked bool) (board.Score, bool)) (c board.Change, err error) {
	err = t.submitting(sub, func() (err error) {
		c, err = submit.FuncIn(t.b, t.tx, sub, score)
		return err
	})
	return c, err
}

// SetMeta is Board.SetMeta in the transaction, for the period that is live at Tx.Now. Errors:
// as there, and those of InTx.
func (t InTx) SetMeta(window, member string, meta []byte) error {
	return t.locked(func() ([]string, error) { return periods.AppendKeys(t.tx.Context(), t.b, nil, &member, window, nil) }, func() error {
		return submit.SetMetaIn(t.b, t.tx, window, member, meta)
	})
}

// Remove is Board.Remove in the transaction. Errors: as there, and those of InTx. After an error the transaction must not be committed.
func (t InTx) Remove(member string) (removed []board.Removed, err error) {
	err = t.locked(func() ([]string, error) { return submit.AppendRemoveKeys(t.tx.Context(), t.b, nil, member) }, func() (err error) {
		removed, err = submit.RemoveIn(t.b, t.tx, member)
		return err
	})
	return removed, err
}
