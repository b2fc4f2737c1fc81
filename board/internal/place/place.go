package place

import (
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/rolling"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/board/internal/tail"
	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/engine"
)

// Place is the place where the entry of a member is, or would be, in the ranking of a period. A
// call makes one before its transaction, which opens it.
type Place struct {
	Board  *catalog.Board
	State  *state.State
	T      *state.Timeline
	Slot   *state.Slot
	Name   string  // of the member
	Member []byte  // the same
	Within bool    // the transaction is the caller's
	Closed bool    // the period is closed: boards that follow it are told of changes, and nobody else
	AsIs   bool    // the caller changes no entry: nothing leaves a rolling window when the Place is opened
	Counts bool    // in parts ranks are counted: the transaction has all parts
	Memory *Memory // nil: Open makes it if it needs it

	division *state.Division // of a ranking in parts when the Place was made; else nil

	tx       *engine.Tx         // of Open
	isBeside bool               // set is the one beside the ranking
	set      *engine.IntSet     // has the entry, or gets it; of a ranking of the best members theirs
	leaves   *engine.IntSet     // a part that may have the entry in place of set, while parts split or merge; else nil
	ranking  *engine.IntSet     // the ranking, of the best members theirs; nil if it is in several parts
	tail     *tail.Sets         // of a ranking of the best members; else nil
	roll     *rolling.Sets      // of a rolling window; else nil
	due      rolling.Due        // what the transaction has found out of that
	tie      [rules.MaxTie]byte // memory for that of an entry
}

// Memory is memory for the sets of rankings that are more than one. A call that makes many Places
// may use it again.
type Memory struct {
	tail tail.Sets
	roll rolling.Sets
}

// Of returns the place of a member in the ranking of a period.
func Of(b *catalog.Board, st *state.State, t *state.Timeline, slot *state.Slot, name string) (p Place) {
	p.Begin(b, st, t, slot, name, []byte(name))
	return p
}

// OfClosed returns the place of a member in a closed period with a record.
func OfClosed(b *catalog.Board, st *state.State, t *state.Timeline, r *state.Record, name string) (p Place, err error) {
	period, err := t.Cal.Parse(r.Period)
	if err == nil {
		p = Of(b, st, t, t.SlotOf(period), name)
		p.Closed = true
	}
	return p, err
}

// Begin makes a zero Place what Of returns. member is the name again.
func (p *Place) Begin(b *catalog.Board, st *state.State, t *state.Timeline, slot *state.Slot, name string, member []byte) {
	p.Board, p.State, p.T, p.Slot, p.Name, p.Member = b, st, t, slot, name, member
	if slot.Parts != nil {
		p.division = slot.Parts.Now()
	}
}

// NeedsMemory reports whether Open needs Memory.
func (p *Place) NeedsMemory() bool { return p.T.Top != nil || p.T.Roll != nil }

func (p *Place) memory() *Memory {
	if p.Memory == nil {
		p.Memory = new(Memory)
	}
	return p.Memory
}

// IsOneSet reports whether the ranking is one set, but for a tail.
func (p *Place) IsOneSet() bool { return p.division == nil || p.division.Sets() == 1 }

// Division returns the division of a ranking in parts when the Place was made, nil of others.
func (p *Place) Division() *state.Division { return p.division }

// close makes the Place one that is not open.
func (p *Place) close() {
	p.tx, p.isBeside, p.set, p.leaves, p.ranking, p.tail, p.roll = nil, false, nil, nil, nil, nil, nil
}

// Ranking returns the ranking, of the best members theirs; nil if it is in several parts.
func (p *Place) Ranking() *engine.IntSet { return p.ranking }

// Len returns the number of members that are ranked, at most n of a ranking of the best n; 0 if it
// is in several parts. O(1).
func (p *Place) Len() int {
	switch {
	case p.ranking == nil:
		return 0
	case p.T.Top != nil:
		return min(p.ranking.Len(), p.T.Top.N)
	}
	return p.ranking.Len()
}
