package board

import "github.com/zrankdb/zrank/engine"

// Removed is an entry that a member had.
type Removed struct {
	Window, Period string
	Row            Row // with its ordinal rank, from 1, and without metadata
}

// openPeriod is an open period of one of a board's windows.
type openPeriod struct {
	t *timeline
	x *slot
}

// openPeriods returns the open periods of all windows: windows as in the spec, periods in order of time.
func openPeriods(st *state) (all []openPeriod) {
	for _, t := range st.timelines {
		for _, x := range t.openSlots() {
			all = append(all, openPeriod{t, x})
		}
	}
	return all
}

// remove removes a member from every period that accepts results: see Board.Remove.
func remove(b *core, member string) (removed []Removed, err error) {
	err = b.retry(func(st *state) error {
		defer b.lockClosing()() // no period is about to be closed
		all := openPeriods(st)
		keys, named := make([]string, len(all)), make(map[openPeriod]bool, len(all))
		for i, o := range all {
			keys[i], named[o] = o.x.key, true
		}
		return b.owner().Update(keys, func(tx *engine.Tx) error {
			removed = nil
			if err := b.checkWritable(st); err != nil {
				return err
			}
			for _, o := range openPeriods(st) {
				if !named[o] { // a submission has opened it since, and may have changed one of the others too
					return errAgain
				}
			}
			for _, o := range all {
				if err := removeFrom(tx, st, o, member, &removed); err != nil {
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

// removeFrom removes a member from one ranking, if its period accepts results, and appends the entry to removed.
func removeFrom(tx *engine.Tx, st *state, o openPeriod, member string, removed *[]Removed) error {
	if !o.t.accepts(o.x, tx.Now()) {
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
	*removed = append(*removed, Removed{o.t.Window.Name, o.x.Name, row})
	if _, err := set.Remove([]byte(member)); err != nil {
		return err
	}
	return tx.Delete(metaKey(st.name, o.t.Window.Name, o.x.Name, member))
}
