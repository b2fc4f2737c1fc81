package board

import (
	"time"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board/internal/catalog"
	"github.com/zrankdb/zrank/engine/board/internal/periods"
	"github.com/zrankdb/zrank/engine/board/internal/submit"
)

// Keys appends to dst the keys of the sets that a submission may change. A transaction must name these keys before it can submit with In.
// sub.At must be set. O(windows). Errors: those of Submit that are known before the transaction; engine.ErrInTx if it is called inside a
// closure of the engine while the board is being migrated.
func (b *Board) Keys(dst []string, sub Submission) ([]string, error) {
	return submit.AppendKeys(b.core(), dst, sub)
}

// RemoveKeys appends to dst the keys of the sets that the removal of a member may change. A transaction must name these keys before it can remove the
// member with In. O(open periods). Errors: ErrClosed, ErrNoBoard; engine.ErrInTx as from Keys.
func (b *Board) RemoveKeys(dst []string, member string) ([]string, error) {
	return submit.AppendRemoveKeys(b.core(), dst, member)
}

// ReadKeys appends to dst the keys of the sets that hold the rankings of periods of a window, and the best ranks: of the period that is live, or of those
// that are named. A transaction must name these keys before it can read the rankings with In, or set metadata. Metadata needs no keys. On a board with
// Spec.Top they are those of the best members: see ReadKeysOf. ReadKeys first removes from a rolling window what has left it, unless it is called
// inside a closure of the engine. O(periods). Errors: ErrNoWindow, ErrPeriodName, an *OutsideError if no period is live, ErrClosed, ErrNoBoard, those
// of the engine; ErrMigrating for a rolling window if the board has been migrated meanwhile.
func (b *Board) ReadKeys(dst []string, window string, periods ...string) ([]string, error) {
	return readKeys(b, dst, nil, window, periods)
}

// ReadKeysOf is ReadKeys with the keys that reads of one member need too. They are the same, unless the board has Spec.Top: then Rank, Score and Card of a
// member that is not among the best look into one more set, which depends on the member, and so does SetMeta. A transaction that has not named it gets
// engine.ErrNotNamed from these calls, and not the answer that the member is not ranked. Keys and RemoveKeys of the member have it too.
func (b *Board) ReadKeysOf(dst []string, member, window string, periods ...string) ([]string, error) {
	return readKeys(b, dst, &member, window, periods)
}

func readKeys(b *Board, dst []string, member *string, window string, names []string) ([]string, error) {
	return periods.AppendKeys(b.core(), dst, member, window, names)
}

// InTx is a board in a transaction of its engine. It is for the closure of the transaction, in that goroutine only.
//
// A call returns engine.ErrNotNamed if the transaction has not named the keys that it needs, and engine.ErrReserved if it is one of another engine. It
// returns ErrMigrating if the board is being migrated, or has been since the caller has got the keys, and ErrMoved if it needs other keys by now: the
// caller gets the keys again, and begins the transaction again.
type InTx struct {
	b  *catalog.Board
	tx *engine.Tx
}

// In returns the board as part of a transaction of its engine. The transaction must have named the Keys of every submission, the RemoveKeys of every
// member that it removes, and the ReadKeys of all that it reads. Scores, the caller's own private keys and other boards then change together or not at all.
func (b *Board) In(tx *engine.Tx) InTx { return InTx{b.core(), tx} }

// Live returns the ranking of the period of a window that is live at the time of the transaction, Tx.Now. The transaction, an Update or a View, must have
// named its ReadKeys.
//
// All calls on the ranking, also those on what View and By give, work until the transaction ends, and return engine.ErrTxDone then. They see what
// the transaction has changed so far. A rolling window is that of Tx.Now: an Update removes what has left it by then, and a View returns ErrMoved if
// something has left since ReadKeys. In a board with Spec.Top rows of the others need ReadKeysOf; with segments they are wider by the number of changes
// that the transaction has made. Pin copies the ranking as it is in the transaction, without metadata, for later. A base of Arrows is
// a pinned ranking, or one of the same transaction. Errors: those of Board.Live and of InTx; ErrMoved also if the period has begun since ReadKeys.
func (t InTx) Live(window string) (Ranking, error) { return periods.LiveIn(t.b, t.tx, window) }

// At returns the ranking of the period with Start <= at < End, whose ReadKeys the transaction has named: see Live. It may be empty. Errors: those of Live.
func (t InTx) At(window string, at time.Time) (Ranking, error) {
	return periods.AtIn(t.b, t.tx, window, at)
}

// Period returns the ranking of a window's period by its name, whose ReadKeys the transaction has named: see Live. Errors: those of Live, ErrPeriodName;
// ErrNoPeriod if the period has no members.
func (t InTx) Period(window, period string) (Ranking, error) {
	return periods.NamedIn(t.b, t.tx, window, period)
}

// BestRank is Board.BestRank in the transaction, which must have named the ReadKeys of the window. ok is false if the spec has no BestRanks. Errors:
// ErrNoWindow, ErrClosed, ErrNoBoard, those of InTx.
func (t InTx) BestRank(window, member string) (rank int, ok bool, err error) {
	return submit.BestRankIn(t.b, t.tx, window, member)
}

// Submit is Board.Submit in the transaction: the submission's At must be set. Errors: as there, and ErrMigrating if the board is being
// migrated, or has been since Keys. After an error of the board the transaction is as it was before the call, and may continue. After an error
// of the engine it must not be committed.
func (t InTx) Submit(sub Submission) (c Change, err error) {
	return submit.In(t.b, t.tx, sub)
}

// Apply is Submit for callers that only need to know whether any entry has changed: it looks up no ranks, unless the spec has
// BestRanks. Errors: as Submit.
func (t InTx) Apply(sub Submission) (changed bool, err error) {
	return submit.ApplyIn(t.b, t.tx, sub)
}

// SubmitFunc is Board.SubmitFunc in the transaction, which must have named the Keys of the submission. It calls score once at most, with the row that the
// member has in the transaction. score may use the transaction, and the board in it. Errors: those of Submit.
func (t InTx) SubmitFunc(sub Submission, score func(was Row, ranked bool) (Score, bool)) (Change, error) {
	return submit.FuncIn(t.b, t.tx, sub, score)
}

// SetMeta is Board.SetMeta in the transaction, for the period that is live at Tx.Now. The transaction must have named the ReadKeysOf the member. Errors:
// as there, and those of InTx.
func (t InTx) SetMeta(window, member string, meta []byte) error {
	return submit.SetMetaIn(t.b, t.tx, window, member, meta)
}

// Remove is Board.Remove in the transaction, which must have named the RemoveKeys of the member. Errors: as there; ErrMigrating as from Submit; ErrMoved
// also if a period has begun to accept results since RemoveKeys. After an error the transaction must not be committed.
func (t InTx) Remove(member string) (removed []Removed, err error) {
	return submit.RemoveIn(t.b, t.tx, member)
}
