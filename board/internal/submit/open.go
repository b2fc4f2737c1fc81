package submit

import (
	"context"

	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/place"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// placesOf returns the places of a member in the open periods of all windows: windows as in the
// spec, periods in order of time.
func placesOf(b *catalog.Board, st *state.State, member string) (all []place.Place) {
	for t, slot := range st.OpenPeriods {
		all = append(all, place.Of(b, st, t, slot, member))
	}
	return all
}

// appendKeys appends the keys of the sets that a change of a member in places of its locks before it
// looks at the board.
func appendKeys(dst []string, st *state.State, all []place.Place) []string {
	for i := range all {
		if dst = all[i].AppendKeys(dst, true); all[i].MayBeHidden() {
			dst = append(dst, all[i].HiddenKey())
		}
	}
	if st.HasJournal() {
		dst = append(dst, st.JournalKey)
	}
	return dst
}

// changeAll changes a member in the open periods, in one transaction, and returns its places. No
// period is closed meanwhile. If strict is set, it returns ErrAgain if the time of one is up.
func changeAll(ctx context.Context, b *catalog.Board, st *state.State, member string, strict bool,
	do func(*engine.Tx, []place.Place) error) (all []place.Place, err error) {
	defer b.LockClosing()()
	all = placesOf(b, st, member)
	known := make(map[*state.Slot]bool, len(all))
	for i := range all {
		known[all[i].Slot] = true
	}
	return all, b.Owner().Update(ctx, appendKeys(nil, st, all), func(tx *engine.Tx) error {
		if err := b.CheckWritable(st); err != nil {
			return err
		}
		for t, slot := range st.OpenPeriods {
			// A submission may have opened the period since, and ranked the member in it.
			if !known[slot] || strict && !t.Accepts(slot, tx.Now()) {
				return state.ErrAgain
			}
		}
		return do(tx, all)
	})
}

// maintain makes the steps that a change of the member has made due.
func maintain(ctx context.Context, all []place.Place) {
	for i := range all {
		all[i].Maintain(ctx)
		all[i].Board.MakeFollowersDue()
	}
}
