package entries

import (
	"bytes"

	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/errs"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/board/internal/tail"
	"github.com/zrankdb/zrank/engine"
)

// At is the place where a member's entry is in a transaction, or would be.
type At struct {
	t        *state.Timeline
	slot     *state.Slot
	division *state.Division // of a ranking in parts; else nil
	member   []byte

	set    *engine.IntSet
	leaves *engine.IntSet // a part that may have the entry in the place of set; else nil
	tail   *tail.Sets     // of a ranking of the best members; else nil
}

// New returns the place of a member in the ranking of a period. The results of a rolling window are no part of it.
func New(t *state.Timeline, slot *state.Slot, member []byte) *At {
	a := &At{t: t, slot: slot, member: member}
	if slot.Parts != nil {
		a.division = slot.Parts.Now()
	}
	return a
}

// AppendKeys appends the keys of the sets that have the entry, or would have it.
func (a *At) AppendKeys(dst []string) []string {
	switch {
	case a.division != nil:
		return a.division.AppendHomes(dst, a.member)
	case tail.Has(a.t):
		dst = append(dst, tail.BucketOf(a.slot, a.member).Key)
	}
	return append(dst, a.slot.Key)
}

// Open opens the sets in a transaction that has named them. Errors: ErrMoved if the member has other sets by now, those of the engine.
func (a *At) Open(tx *engine.Tx, b *catalog.Board, st *state.State) (err error) {
	a.leaves, a.tail = nil, nil
	if a.division != nil {
		if !a.slot.Parts.Is(a.division) {
			return errs.ErrMoved
		}
		home, old := a.division.HomesOf(a.member)
		if a.set, err = tx.IntSet(home, st.Form); err == nil && old != home {
			a.leaves, err = tx.IntSet(old, st.Form)
		}
		return err
	}
	if a.set, err = tx.IntSet(a.slot.Key, st.Form); err != nil || !tail.Has(a.t) {
		return err
	}
	a.tail = new(tail.Sets)
	if err := a.tail.OpenAny(tx, st, a.t, a.slot, a.set, a.member); err != nil {
		return err
	}
	if a.tail.HasPlaces() {
		b.Owner().NoteEnd(tx, a.tail)
	}
	return nil
}

// Get returns the entry, with a copy of its tie, and false if there is none. O(1).
func (a *At) Get() (score int64, tie []byte, ok bool) {
	switch {
	case a.tail != nil:
		score, tie, ok = a.tail.Get()
	default:
		if score, tie, ok = a.set.Get(a.member); !ok && a.leaves != nil {
			score, tie, ok = a.leaves.Get(a.member)
		}
	}
	return score, bytes.Clone(tie), ok
}

// Version returns the version of the ranking for the arrival of an entry; 0 if it is in parts, whose versions cannot be compared.
func (a *At) Version() uint64 {
	if a.division != nil {
		return 0
	}
	return a.set.Version()
}

// Rank returns the ordinal rank of the entry, from 1; 0 if there is none, or the ranking is in parts.
func (a *At) Rank() int {
	switch {
	case a.division != nil:
		return 0
	case a.tail != nil:
		return a.tail.Rank() + 1
	}
	rank, ok := a.set.Rank(a.member)
	if !ok {
		return 0
	}
	return rank + 1
}

// Remove removes the entry, once for each Open. Errors: tail.ErrShort, those of the engine.
func (a *At) Remove() (err error) {
	if a.tail != nil {
		return a.tail.Remove()
	}
	if a.leaves != nil {
		if _, err := a.leaves.Remove(a.member); err != nil {
			return err
		}
	}
	_, err = a.set.Remove(a.member)
	return err
}

// Put gives the member an entry, once for each Open, and returns its rank as Rank does. Errors: tail.ErrShort, those of the engine.
func (a *At) Put(tie []byte, score int64) (rank int, err error) {
	if a.tail != nil {
		_, rank, err = a.tail.Put(tie, score)
		return rank + 1, err
	}
	if a.leaves != nil {
		if _, err := a.leaves.Remove(a.member); err != nil {
			return 0, err
		}
	}
	moved, err := a.set.Put(a.member, tie, score)
	if a.division != nil {
		return 0, err
	}
	return moved.After + 1, err
}
