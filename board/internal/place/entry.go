package place

import (
	"context"

	"github.com/zrankdb/zrank/engine"
)

// AppendKeys appends the keys of the sets that have the entry, or would have it; with all, also
// those that have the ranks. A transaction locks them before it asks whether the board may be
// changed: see catalog.Board.CheckWritable.
func (p *Place) AppendKeys(dst []string, all bool) []string { return p.kind().appendKeys(dst, all) }

// Open opens the sets in a transaction. Errors: ErrMoved if the member has other sets by now, one
// that Unblock takes, those of the engine.
func (p *Place) Open(tx *engine.Tx) error {
	p.close()
	p.tx = tx
	return p.kind().open(tx)
}

// Get returns the entry, and false if there is none. The tie is valid until a set changes. O(1).
func (p *Place) Get() (score int64, tie []byte, ok bool) { return p.here().get() }

// Version rises with every entry that arrives; 0 of a ranking in parts, whose versions cannot be
// compared.
func (p *Place) Version() uint64 { return p.here().version() }

// Rank returns the rank of the entry, from 0: n beyond the best n; -1 if there is none, it is
// beside the ranking, or the ranking is in several parts. O(log n).
func (p *Place) Rank() int { return p.here().rank() }

// Put gives the member an entry, once for each Open, and returns its ranks before and after as Rank
// does. Errors: tail.ErrShort, those of the engine.
func (p *Place) Put(tie []byte, score int64) (before, after int, err error) {
	return p.here().put(tie, score)
}

// Take removes the entry, once for each Open, and leaves what is kept beside it. Errors:
// tail.ErrShort, those of the engine.
func (p *Place) Take() error { return p.here().take() }

// IsStepDue reports whether Put has made a step of the ranking due, or has found one due: entries
// that move between sets. had says whether the member had an entry before.
func (p *Place) IsStepDue(had bool) bool { return !p.isBeside && p.kind().isStepDue(had) }

// Maintain makes the steps that are due, after the commit: so their errors are logged only. The
// caller is in no transaction.
func (p *Place) Maintain(ctx context.Context) {
	if err := p.kind().maintain(ctx); err != nil {
		p.Board.Log().Error("board: entries cannot be moved", "board", p.State.Name, "err", err)
	}
}
