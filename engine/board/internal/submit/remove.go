package submit

import (
	"slices"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board/internal/boardkey"
	"github.com/zrankdb/zrank/engine/board/internal/catalog"
	"github.com/zrankdb/zrank/engine/board/internal/errs"
	"github.com/zrankdb/zrank/engine/board/internal/journal"
	"github.com/zrankdb/zrank/engine/board/internal/ranking"
	"github.com/zrankdb/zrank/engine/board/internal/resizing"
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
	t        *state.Timeline
	slot     *state.Slot
	division *state.Division // of a ranking in parts when the call began; else nil
}

// appendKeys appends the keys of the sets of the period that the removal of a member needs.
func (o openPeriod) appendKeys(dst []string, member []byte) []string {
	switch {
	case o.division != nil:
		return append(dst, o.division.Keys...)
	case rolling.IsRolling(o.t):
		dst = rolling.AppendKeys(dst, o.t)
	case tail.Has(o.t):
		dst = append(dst, tail.BucketOf(o.slot, member).Key)
	}
	return append(dst, o.slot.Key)
}

// openPeriods returns the open periods of all windows: windows as in the spec, periods in order of time.
func openPeriods(st *state.State) (all []openPeriod) {
	for _, t := range st.Timelines {
		for _, slot := range t.OpenSlots() {
			o := openPeriod{t: t, slot: slot}
			if slot.Parts != nil {
				o.division = slot.Parts.Now()
			}
			all = append(all, o)
		}
	}
	return all
}

// periodsOf iterates over open periods.
func periodsOf(all []openPeriod) periods {
	return func(yield func(*state.Timeline, *state.Slot) bool) {
		for _, o := range all {
			if !yield(o.t, o.slot) {
				return
			}
		}
	}
}

// Remove removes a member from every period that accepts results: see Board.Remove.
func Remove(b *catalog.Board, member string) (removed []Removed, err error) {
	err = b.Retry(func(st *state.State) (err error) {
		removed, err = RemoveAnd(b, st, member, nil, nil)
		return err
	})
	if err != nil {
		return nil, err
	}
	return removed, nil
}

// RemoveAnd removes a member from every period that accepts results. Unless also is nil it is called at the end of the transaction, which has named these
// further keys, with the entries so far; no period is closed meanwhile, and RemoveAnd returns ErrAgain if the time of an open one is up. Errors: ErrAgain,
// those of also and of the engine.
func RemoveAnd(b *catalog.Board, st *state.State, member string, keys []string, also func(*engine.Tx, []Removed) error) (removed []Removed, err error) {
	removed, all, err := removeAll(b, st, member, keys, also)
	if err != nil {
		return nil, unblock(err, b, st, periodsOf(all), 1)
	}
	maintainParts(b, st, all)
	return removed, nil
}

// removeAll removes a member from the open periods, in one transaction, and returns them. No period is closed meanwhile.
func removeAll(b *catalog.Board, st *state.State, member string, keys []string, also func(*engine.Tx, []Removed) error) (removed []Removed, all []openPeriod, err error) {
	defer b.LockClosing()()
	all = openPeriods(st)
	keys, named := slices.Clone(keys), make(map[*state.Slot]bool, len(all))
	for _, o := range all {
		named[o.slot] = true
	}
	keys = appendRemoveKeys(keys, st, all, member)
	err = b.Owner().Update(keys, func(tx *engine.Tx) error {
		removed = nil
		if err := b.CheckWritable(st); err != nil {
			return err
		}
		for _, o := range openPeriods(st) {
			if !named[o.slot] { // a submission has opened this period since, and may have ranked the member in it
				return errs.ErrAgain
			}
			if also != nil && !o.t.Accepts(o.slot, tx.Now()) {
				return errs.ErrAgain
			}
		}
		if err := removeFromAll(tx, b, st, all, member, expireOwn, &removed); err != nil || also == nil {
			return err
		}
		return also(tx, removed)
	})
	return removed, all, err
}

// appendRemoveKeys appends the keys of the sets of periods that the removal of a member needs.
func appendRemoveKeys(dst []string, st *state.State, all []openPeriod, member string) []string {
	for _, o := range all {
		dst = o.appendKeys(dst, []byte(member))
	}
	if st.HasJournal() {
		dst = append(dst, st.JournalKey)
	}
	return dst
}

// removeFromAll removes a member from open periods, and up to limit results that have left from each rolling window. It appends the entries to
// removed.
func removeFromAll(tx *engine.Tx, b *catalog.Board, st *state.State, all []openPeriod, member string, limit int, removed *[]Removed) error {
	for _, o := range all {
		if o.division != nil && !o.slot.Parts.Is(o.division) {
			return errs.ErrMoved
		}
		if err := removeFrom(tx, b, st, o, member, limit, removed); err != nil {
			return err
		}
	}
	return storeRemoval(tx, st, member, *removed)
}

// storeRemoval adds a row for the removal of a member to the journal, if the board has one.
func storeRemoval(tx *engine.Tx, st *state.State, member string, removed []Removed) error {
	if !st.HasJournal() || len(removed) == 0 {
		return nil
	}
	places := make([]journal.Place, len(removed))
	for i, r := range removed {
		places[i] = journal.Place{Period: r.Period, Window: slices.IndexFunc(st.Timelines, func(t *state.Timeline) bool { return t.Window.Name == r.Window })}
	}
	return journal.AppendRemoval(tx, st, member, places)
}

// removeFrom removes a member from one ranking, if its period accepts results, and appends the entry to removed.
func removeFrom(tx *engine.Tx, b *catalog.Board, st *state.State, o openPeriod, member string, limit int, removed *[]Removed) error {
	if !o.t.Accepts(o.slot, tx.Now()) {
		return nil
	}
	set, err := o.setOf(tx, st, member)
	if err != nil {
		return err
	}
	var roll rolling.Sets
	if rolling.IsRolling(o.t) {
		if roll, err = openToRemove(tx, st, o.t, set, limit); err != nil {
			return err
		}
	}
	row, ok, err := removeEntry(tx, b, st, o, set, member)
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

// setOf returns the set that has a member if any has, or the head of a ranking of the best members.
func (o openPeriod) setOf(tx *engine.Tx, st *state.State, member string) (set *engine.IntSet, err error) {
	if o.division == nil {
		return tx.IntSet(o.slot.Key, st.Form)
	}
	home, old := o.division.HomesOf([]byte(member))
	if set, err = tx.IntSet(home, st.Form); err != nil || old == home {
		return set, err
	}
	if _, ok := set.Score([]byte(member)); ok {
		return set, nil
	}
	return tx.IntSet(old, st.Form)
}

// removeEntry removes a member's entry from the set of setOf, and returns its row; false if it has none.
func removeEntry(tx *engine.Tx, b *catalog.Board, st *state.State, o openPeriod, set *engine.IntSet, member string) (row ranking.Row, ok bool, err error) {
	if tail.Has(o.t) {
		return removeFromTail(tx, b, st, o, set, member)
	}
	l := st.Look(set)
	if o.division != nil {
		parts, err := catalog.PartsIn(tx, o.division, st.Form)
		if err != nil {
			return row, false, err
		}
		defer parts.Release()
		l = new(ranking.Look)
		l.Begin(parts, st.Rules)
	}
	if row, _, ok, err = l.Find(member); ok && err == nil {
		_, err = set.Remove([]byte(member))
	}
	return row, ok, err
}

// removeFromTail removes a member from a ranking of the best members, and returns its row. Errors: those of package tail.
func removeFromTail(tx *engine.Tx, b *catalog.Board, st *state.State, o openPeriod, head *engine.IntSet, member string) (row ranking.Row, ok bool, err error) {
	s := new(tail.Sets)
	if err := s.OpenAny(tx, st, o.t, o.slot, head, []byte(member)); err != nil {
		return row, false, err
	}
	score, tie, ok := s.Get()
	if !ok {
		return row, false, nil
	}
	if s.HasPlaces() {
		b.Owner().NoteEnd(tx, s)
	}
	e, rank := st.Rules.Decode(score, tie), s.Rank()
	ranking.SetRow(&row, st.Rules, rank+1, member, &e)
	if rank == o.t.Top.N {
		setBeyond(&row, rank, s, (*tail.Sets).Was)
	}
	return row, true, s.Remove()
}

// maintainParts makes the steps that a removal has made due.
func maintainParts(b *catalog.Board, st *state.State, all []openPeriod) {
	for _, o := range all {
		if o.division == nil || o.slot.Parts.Limit == 0 || o.division.Sets() == 1 {
			continue
		}
		if err := resizing.Step(b, st, o.t, o.slot); err != nil {
			b.Log().Error("board: entries cannot be moved", "board", st.Name, "err", err)
		}
	}
}
