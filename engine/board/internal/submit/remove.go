package submit

import (
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board/internal/boardkey"
	"github.com/zrankdb/zrank/engine/board/internal/catalog"
	"github.com/zrankdb/zrank/engine/board/internal/errs"
	"github.com/zrankdb/zrank/engine/board/internal/ranking"
	"github.com/zrankdb/zrank/engine/board/internal/rolling"
	"github.com/zrankdb/zrank/engine/board/internal/state"
)

// Removed is an entry that a member had.
type Removed struct {
	Window, Period string
	Row            ranking.Row // with its ordinal rank, from 1, and without metadata
}

// openPeriod is an open period of one of a board's windows.
type openPeriod struct {
	t    *state.Timeline
	slot *state.Slot
}

// openPeriods returns the open periods of all windows: windows as in the spec, periods in order of time.
func openPeriods(st *state.State) (all []openPeriod) {
	for _, t := range st.Timelines {
		for _, slot := range t.OpenSlots() {
			all = append(all, openPeriod{t, slot})
		}
	}
	return all
}

// Remove removes a member from every period that accepts results: see Board.Remove.
func Remove(b *catalog.Board, member string) (removed []Removed, err error) {
	err = b.Retry(func(st *state.State) error {
		defer b.LockClosing()() // so that no period is closed meanwhile
		all := openPeriods(st)
		keys, named := make([]string, 0, len(all)), make(map[openPeriod]bool, len(all))
		for _, o := range all {
			named[o] = true
			if keys = append(keys, o.slot.Key); rolling.IsRolling(o.t) {
				keys = rolling.AppendKeys(keys, o.t)
			}
		}
		err := b.Owner().Update(keys, func(tx *engine.Tx) error {
			removed = nil
			if err := b.CheckWritable(st); err != nil {
				return err
			}
			for _, o := range openPeriods(st) {
				if !named[o] { // a submission has opened this period since, and may have ranked the member in it
					return errs.ErrAgain
				}
			}
			for _, o := range all {
				if err := removeFrom(tx, st, o, member, &removed); err != nil {
					return err
				}
			}
			return nil
		})
		return settleIf(err, b, st)
	})
	if err != nil {
		return nil, err
	}
	return removed, nil
}

// removeFrom removes a member from one ranking, if its period accepts results, and appends the entry to removed.
func removeFrom(tx *engine.Tx, st *state.State, o openPeriod, member string, removed *[]Removed) error {
	if !o.t.Accepts(o.slot, tx.Now()) {
		return nil
	}
	set, err := tx.IntSet(o.slot.Key, st.Form)
	if err != nil {
		return err
	}
	var roll rolling.Sets
	if rolling.IsRolling(o.t) {
		if roll, err = openToRemove(tx, st, o.t, set); err != nil {
			return err
		}
	}
	row, _, ok, err := st.Look(set).Find(member)
	if err != nil || !ok {
		return err
	}
	if rolling.IsRolling(o.t) {
		if err := roll.Remove([]byte(member)); err != nil {
			return err
		}
	}
	*removed = append(*removed, Removed{o.t.Window.Name, o.slot.Name, row})
	if _, err := set.Remove([]byte(member)); err != nil {
		return err
	}
	if st.Rules.K() > 0 || st.Rules.Timed() > 0 {
		if err := tx.Delete(boardkey.Kept(st.Name, o.t.Window.Name, o.slot.Name, member)); err != nil {
			return err
		}
	}
	return tx.Delete(boardkey.Meta(st.Name, o.t.Window.Name, o.slot.Name, member))
}
