package submit

import (
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board/internal/boardkey"
	"github.com/zrankdb/zrank/engine/board/internal/catalog"
	"github.com/zrankdb/zrank/engine/board/internal/errs"
	"github.com/zrankdb/zrank/engine/board/internal/ranking"
	"github.com/zrankdb/zrank/engine/board/internal/rolling"
	"github.com/zrankdb/zrank/engine/board/internal/state"
	"github.com/zrankdb/zrank/engine/board/internal/tail"
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
	err = b.Retry(func(st *state.State) (err error) {
		var all []openPeriod
		removed, all, err = removeAll(b, st, member)
		return unblock(err, b, st, func(yield func(*state.Timeline, *state.Slot) bool) {
			for _, o := range all {
				if !yield(o.t, o.slot) {
					return
				}
			}
		}, 1)
	})
	if err != nil {
		return nil, err
	}
	return removed, nil
}

// removeAll removes a member from the open periods, in one transaction, and returns them. No period is closed meanwhile.
func removeAll(b *catalog.Board, st *state.State, member string) (removed []Removed, all []openPeriod, err error) {
	defer b.LockClosing()()
	all = openPeriods(st)
	keys, named := make([]string, 0, len(all)), make(map[openPeriod]bool, len(all))
	for _, o := range all {
		named[o] = true
		keys = append(keys, o.slot.Key)
		switch {
		case rolling.IsRolling(o.t):
			keys = rolling.AppendKeys(keys, o.t)
		case tail.Has(o.t):
			keys = tail.AppendKey(keys, o.t, o.slot, []byte(member))
		}
	}
	err = b.Owner().Update(keys, func(tx *engine.Tx) error {
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
	return removed, all, err
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
	var row ranking.Row
	var ok bool
	if tail.Has(o.t) {
		row, ok, err = removeFromTail(tx, st, o, set, member)
	} else if row, _, ok, err = st.Look(set).Find(member); ok {
		_, err = set.Remove([]byte(member))
	}
	if err != nil || !ok {
		return err
	}
	if rolling.IsRolling(o.t) {
		if err := roll.Remove([]byte(member)); err != nil {
			return err
		}
	}
	*removed = append(*removed, Removed{o.t.Window.Name, o.slot.Name, row})
	if st.Rules.K() > 0 || st.Rules.Timed() > 0 {
		if err := tx.Delete(boardkey.Kept(st.Name, o.t.Window.Name, o.slot.Name, member)); err != nil {
			return err
		}
	}
	return tx.Delete(boardkey.Meta(st.Name, o.t.Window.Name, o.slot.Name, member))
}

// removeFromTail removes a member from a ranking of the best members, and returns its row. Errors: those of package tail.
func removeFromTail(tx *engine.Tx, st *state.State, o openPeriod, head *engine.IntSet, member string) (row ranking.Row, ok bool, err error) {
	s, err := tail.Open(tx, st, o.t, o.slot, head, []byte(member))
	if err != nil {
		return row, false, err
	}
	score, tie, ok := s.Get()
	if !ok {
		return row, false, nil
	}
	e, rank := st.Rules.Decode(score, tie), s.Rank()
	ranking.SetRow(&row, st.Rules, rank+1, member, &e)
	if rank == o.t.Top.N {
		row.SetBeyond(rank)
	}
	return row, true, s.Remove()
}
