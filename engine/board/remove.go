package board

import "github.com/zrankdb/zrank/engine"

// Removed is an entry that a member had.
type Removed struct {
	Window, Period string
	Row            Row // with its ordinal rank, from 1, and without metadata
}

// opening is an open period of one of a board's windows.
type opening struct {
	s *span
	x *slot
}

// openings returns the open periods of all windows: windows as in the spec, periods in order of time.
func (st *state) openings() (all []opening) {
	for _, s := range st.spans {
		for _, x := range s.slots() {
			all = append(all, opening{s, x})
		}
	}
	return all
}

// Remove takes a member out of every period that takes results, with its metadata, in one commit, and returns what it had: windows as
// in the spec, periods in order of time. A submission after that is its first. Closed periods, those whose time is up, baselines and
// best ranks keep it. O(open periods log members). Errors: ErrClosed, ErrNoBoard; those of the engine, ErrTooManyKeys if more than engine.MaxKeys periods are open.
func (b *Board) Remove(member string) (removed []Removed, err error) {
	err = b.retry(func(st *state) error {
		b.closing.Lock() // a period is closed or not, and not about to be
		defer b.closing.Unlock()
		all := st.openings()
		keys, named := make([]string, len(all)), make(map[opening]bool, len(all))
		for i, o := range all {
			keys[i], named[o] = o.x.key, true
		}
		return b.bs.own.Update(keys, func(tx *engine.Tx) error {
			removed = nil
			if err := b.current(st); err != nil {
				return err
			}
			for _, o := range st.openings() {
				if !named[o] { // a submission has opened it, and may have changed one of the others too
					return errAgain
				}
			}
			for _, o := range all {
				if err := b.removeIn(tx, st, o, member, &removed); err != nil {
					return err
				}
			}
			return nil
		})
	})
	if err != nil {
		return nil, err
	}
	return removed, nil
}

// removeIn takes a member out of one ranking, unless its period takes no more changes.
func (b *Board) removeIn(tx *engine.Tx, st *state, o opening, member string, removed *[]Removed) error {
	if !o.s.takes(o.x, tx.Now()) {
		return nil
	}
	set, err := tx.IntSet(o.x.key, st.form)
	if err != nil {
		return err
	}
	row, _, ok, err := st.look(set).find(member)
	if err != nil || !ok {
		return err
	}
	*removed = append(*removed, Removed{o.s.Window.Name, o.x.Name, row})
	if _, err := set.Remove([]byte(member)); err != nil {
		return err
	}
	return tx.Delete(o.s.metaKey(o.x.Name, member))
}
