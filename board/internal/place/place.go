package place

import (
	"errors"

	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/errs"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/board/internal/tail"
	"github.com/zrankdb/zrank/engine"
)

// Place is the place where the entry of a member is, or would be, in the ranking of a period. A call makes one before its transaction, which opens it.
type Place struct {
	T        *state.Timeline
	Slot     *state.Slot
	Member   []byte
	Division *state.Division // of a ranking in parts when the call began; else nil

	bucket  tail.Bucket    // that AppendKeys has named; else zero
	set     *engine.IntSet // has the entry, or gets it
	leaves  *engine.IntSet // a part that may have the entry in the place of set, while parts split or merge; else nil
	ranking *engine.IntSet // the ranking, or its head; nil if it is in several parts
	tail    *tail.Sets     // of a ranking of the best members; else nil
	hidden  bool           // set is the one beside the ranking
}

// Of returns the place of a member in the ranking of a period.
func Of(t *state.Timeline, slot *state.Slot, member []byte) (p Place) {
	p.Begin(t, slot, member)
	return p
}

// Begin makes a zero Place what Of returns.
func (p *Place) Begin(t *state.Timeline, slot *state.Slot, member []byte) {
	p.T, p.Slot, p.Member = t, slot, member
	if slot.Parts != nil {
		p.Division = slot.Parts.Now()
	}
}

// IsOneSet reports whether the ranking is one set, but for a tail.
func (p *Place) IsOneSet() bool { return p.Division == nil || p.Division.Sets() == 1 }

// AppendKeys appends the keys of the sets that have the entry, or would have it.
func (p *Place) AppendKeys(dst []string) []string {
	if p.Division != nil {
		return p.Division.AppendHomes(dst, p.Member)
	}
	if tail.Has(p.T) {
		p.bucket = tail.BucketOf(p.Slot, p.Member)
		dst = append(dst, p.bucket.Key)
	}
	return append(dst, p.Slot.Key)
}

// AppendAllKeys is AppendKeys with all parts of the ranking, which have the ranks.
func (p *Place) AppendAllKeys(dst []string) []string {
	if p.Division != nil {
		return append(dst, p.Division.Keys...)
	}
	return p.AppendKeys(dst)
}

// Open opens the sets in a transaction, with memory for those of a ranking of the best members, or nil. Errors: ErrMoved if the member has other sets by now,
// those of the engine.
func (p *Place) Open(tx *engine.Tx, b *catalog.Board, st *state.State, memory *tail.Sets) (err error) {
	p.leaves, p.ranking, p.tail, p.hidden = nil, nil, nil, false
	if p.Division != nil {
		return p.openParts(tx, st)
	}
	if p.set, err = tx.IntSet(p.Slot.Key, st.Form); err != nil {
		return err
	}
	p.ranking = p.set
	if !tail.Has(p.T) {
		return nil
	}
	if memory == nil {
		memory = new(tail.Sets)
	}
	if p.bucket.Key != "" {
		err = memory.Open(tx, st, p.T, p.Slot, p.set, p.bucket, p.Member)
	} else {
		err = memory.OpenAny(tx, st, p.T, p.Slot, p.set, p.Member)
	}
	if err != nil {
		return err
	}
	p.tail = memory
	if memory.HasPlaces() {
		b.Owner().NoteEnd(tx, memory)
	}
	return nil
}

// openParts opens the part of the member, and the one that may still have its entry.
func (p *Place) openParts(tx *engine.Tx, st *state.State) (err error) {
	if !p.Slot.Parts.Is(p.Division) {
		return errs.ErrMoved
	}
	home, old := p.Division.HomesOf(p.Member)
	if p.set, err = tx.IntSet(home, st.Form); err != nil {
		return err
	}
	if p.IsOneSet() {
		p.ranking = p.set
	}
	if old != home {
		p.leaves, err = tx.IntSet(old, st.Form)
	}
	return err
}

// OpenHidden opens the set beside the ranking, which has the entry of a hidden member. Errors: ErrMoved if the member has been hidden since the transaction
// named its keys, those of the engine.
func (p *Place) OpenHidden(tx *engine.Tx, st *state.State) error {
	err := p.openBeside(tx, st)
	if errors.Is(err, engine.ErrNotNamed) {
		err = errs.ErrMoved
	}
	return err
}

func (p *Place) openBeside(tx *engine.Tx, st *state.State) (err error) {
	p.leaves, p.ranking, p.tail, p.hidden = nil, nil, nil, true
	p.set, err = tx.IntSet(p.T.HiddenKey(p.Slot.Name), st.Form)
	return err
}

// OpenWithRanking is OpenHidden, and opens the ranking too if it is one set: for its version and its length. Errors: as Open.
func (p *Place) OpenWithRanking(tx *engine.Tx, st *state.State) error {
	if p.Division != nil && !p.Slot.Parts.Is(p.Division) {
		return errs.ErrMoved
	}
	err := p.openBeside(tx, st)
	if err == nil && p.IsOneSet() {
		p.ranking, err = tx.IntSet(p.Slot.Key, st.Form)
	}
	return err
}

// Ranking returns the ranking, or its head; nil if it is in several parts.
func (p *Place) Ranking() *engine.IntSet { return p.ranking }

// Set returns the set that has the entry, or would have it in a ranking without a tail.
func (p *Place) Set() *engine.IntSet { return p.set }

// Get returns the entry, and false if there is none. The tie is valid until a set changes. O(1).
func (p *Place) Get() (score int64, tie []byte, ok bool) {
	if p.tail != nil {
		return p.tail.Get()
	}
	if score, tie, ok = p.set.Get(p.Member); ok || p.leaves == nil {
		return score, tie, ok
	}
	return p.leaves.Get(p.Member)
}

// Version returns the version of the ranking for the arrival of an entry; 0 if it is in parts, whose versions cannot be compared.
func (p *Place) Version() uint64 {
	if p.Division != nil {
		return 0
	}
	return p.ranking.Version()
}

// Len returns the number of members that are ranked, at most n of a ranking of the best n; 0 if it is in several parts. O(1).
func (p *Place) Len() int {
	switch {
	case p.ranking == nil:
		return 0
	case tail.Has(p.T):
		return min(p.ranking.Len(), p.T.Top.N)
	}
	return p.ranking.Len()
}

// Rank returns the rank of the entry, from 0: n beyond the best n; -1 if there is none, it is beside the ranking, or the ranking is in several parts. O(log n).
func (p *Place) Rank() int {
	switch {
	case p.tail != nil:
		return p.tail.Rank()
	case p.ranking == nil || p.hidden:
		return -1
	}
	if rank, ok := p.set.Rank(p.Member); ok {
		return rank
	}
	return -1
}

// Put gives the member an entry, once for each Open, and returns its ranks before and after as Rank does. Errors: tail.ErrShort, those of the engine.
func (p *Place) Put(tie []byte, score int64) (before, after int, err error) {
	if p.tail != nil {
		return p.tail.Put(tie, score)
	}
	if p.leaves != nil {
		if _, err := p.leaves.Remove(p.Member); err != nil {
			return -1, -1, err
		}
	}
	moved, err := p.set.Put(p.Member, tie, score)
	if p.ranking == nil || p.hidden {
		return -1, -1, err
	}
	return moved.Before, moved.After, err
}

// Remove removes the entry, once for each Open. Errors: tail.ErrShort, those of the engine.
func (p *Place) Remove() (err error) {
	if p.tail != nil {
		return p.tail.Remove()
	}
	if p.leaves != nil {
		if _, err := p.leaves.Remove(p.Member); err != nil {
			return err
		}
	}
	_, err = p.set.Remove(p.Member)
	return err
}
