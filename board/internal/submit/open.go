package submit

import (
	"context"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/errs"
	"github.com/zrankdb/zrank/board/internal/place"
	"github.com/zrankdb/zrank/board/internal/rolling"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/engine"
)

// openPeriod is an open period of one of a board's windows.
type openPeriod struct {
	t        *state.Timeline
	slot     *state.Slot
	division *state.Division // of a ranking in parts when the call began; else nil
}

// placeOf returns the place of a member in the period.
func (o openPeriod) placeOf(member string) place.Place {
	return place.Place{T: o.t, Slot: o.slot, Member: []byte(member), Division: o.division}
}

// appendKeys appends the keys of the sets of the period that the removal of a member needs.
func (o openPeriod) appendKeys(dst []string, member string) []string {
	if rolling.IsRolling(o.t) {
		dst = rolling.AppendKeys(dst, o.t)
	}
	at := o.placeOf(member)
	return at.AppendAllKeys(dst)
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

// take removes the entry of a place, and returns it with its row; false if there is none. Errors: those of package tail and of the engine.
func take(tx *engine.Tx, st *state.State, at *place.Place) (row board.Row, e rules.Entry, ok bool, err error) {
	score, tie, ok := at.Get()
	if !ok {
		return row, e, false, nil
	}
	e = st.Rules.Decode(score, tie)
	if row, err = at.Row(tx, st, at.Rank(), &e, place.Was); err == nil {
		err = at.Remove()
	}
	return row, e, true, err
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
