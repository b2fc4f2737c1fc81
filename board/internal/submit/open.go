package submit

import (
	"context"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/errs"
	"github.com/zrankdb/zrank/board/internal/rolling"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/board/internal/tail"
	"github.com/zrankdb/zrank/engine"
)

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

// changeAll changes a member in the open periods, in one transaction that names the keys of named, and returns them. No period is closed meanwhile. If strict
// is set, it returns ErrAgain if the time of one is up.
func changeAll(ctx context.Context, b *catalog.Board, st *state.State, strict bool, named func([]openPeriod) []string, do func(*engine.Tx, []openPeriod) error) (all []openPeriod, err error) {
	defer b.LockClosing()()
	all = openPeriods(st)
	known := make(map[*state.Slot]bool, len(all))
	for _, o := range all {
		known[o.slot] = true
	}
	err = b.Owner().Update(ctx, named(all), func(tx *engine.Tx) error {
		if err := b.CheckWritable(st); err != nil {
			return err
		}
		for _, o := range openPeriods(st) {
			if !known[o.slot] { // a submission has opened this period since, and may have ranked the member in it
				return errs.ErrAgain
			}
			if strict && !o.t.Accepts(o.slot, tx.Now()) {
				return errs.ErrAgain
			}
		}
		return do(tx, all)
	})
	return all, err
}
