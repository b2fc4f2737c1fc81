package board

import (
	"fmt"

	"github.com/zrankdb/zrank/engine"
)

// Removed is an entry that a member had.
type Removed struct {
	Window, Period string
	Row            Row // without metadata
}

// Remove takes a member out of every period that is not closed, with its metadata, in one commit, and returns what it had. A
// submission after that is its first. O(open periods log members). Errors: ErrMigrating, those of the engine.
func (b *Board) Remove(member string) (removed []Removed, err error) {
	st, err := b.ready()
	if err != nil {
		return nil, err
	}
	var keys []string
	for _, s := range st.spans {
		for _, x := range s.slots() {
			keys = append(keys, x.key)
		}
	}
	err = b.bs.e.Update(keys, func(tx *engine.Tx) error {
		removed = nil
		if b.changed(st) {
			return fmt.Errorf("%w: %q", ErrMigrating, st.name)
		}
		for _, key := range keys {
			if err := b.removeIn(tx, st, key, member, &removed); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return removed, nil
}

// removeIn takes a member out of one ranking, unless its period is closed by now.
func (b *Board) removeIn(tx *engine.Tx, st *state, key, member string, removed *[]Removed) error {
	k, _ := ParseKey(key)
	s, err := st.span(k.Kind)
	if err != nil {
		return err
	}
	p, err := s.cal.Parse(k.Period)
	if err != nil {
		return err
	}
	if x := s.note(p); !s.takes(x, tx.Now()) {
		return nil
	}
	set, err := tx.IntSet(key, st.form)
	if err != nil {
		return err
	}
	row, _, ok, err := st.look(set).find(member)
	if err != nil || !ok {
		return err
	}
	*removed = append(*removed, Removed{k.Kind, k.Period, row})
	if _, err := set.Remove([]byte(member)); err != nil {
		return err
	}
	if st.spec.MaxMeta == 0 {
		return nil
	}
	return tx.Delete(metaKey(st.name, k.Kind, k.Period, member))
}
