package transfer

import (
	"context"
	"fmt"
	"slices"

	"github.com/zrankdb/zrank/board/internal/relocation"
	"github.com/zrankdb/zrank/board/internal/rolling"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// rolls is the results in a rolling window of a board that is written.
type rolls struct {
	*rolling.Results
	arrivals []uint64 // of the results, in order
}

// readRolls returns the results in a window, nil for one that is not rolling. O(n log n).
func readRolls(ctx context.Context, own engine.Owner, st *state.State, t *state.Timeline) (*rolls, error) {
	if t.Roll == nil {
		return nil, nil
	}
	all, err := own.CopyAll(ctx, []string{t.Roll.Timers, t.Roll.Results}, rolling.Forms)
	if err != nil {
		return nil, err
	}
	r := &rolls{Results: rolling.NewResults(st, t, all[0], all[1])}
	r.arrivals = r.Arrivals()
	return r, nil
}

// fill gives entries their results. Arrivals become their indexes, as they are in the board that is made.
func (r *rolls) fill(entries []relocation.Entry) {
	if r == nil {
		return
	}
	for i := range entries {
		for _, x := range r.Of([]byte(entries[i].Member)) {
			index, _ := slices.BinarySearch(r.arrivals, x.Arrival)
			x.Arrival = uint64(index)
			entries[i].Rolled = append(entries[i].Rolled, relocation.Rolled(x))
		}
	}
}

// storeRolls stores the results in a window, if it is rolling. Arrivals are replaced by their indexes. Errors: rolling.ErrStored if they are not those of the ranking, which is
// stored before; those of the engine.
func storeRolls(ctx context.Context, e *engine.Engine, own engine.Owner, st *state.State, t *state.Timeline, all map[string]beside, arrivals []uint64) error {
	var members []string
	for member, x := range all {
		if len(x.rolled) > 0 {
			members = append(members, member)
		}
	}
	if t.Roll == nil && len(members) > 0 {
		return fmt.Errorf("%w: %s is none, and %q has some", rolling.ErrStored, t.Window.Name, members[0])
	}
	if t.Roll == nil {
		return nil
	}
	b, err := rolling.NewBuilder(st, t)
	if err != nil {
		return err
	}
	slices.Sort(members)
	for _, member := range members {
		list := make([]rolling.Stored, len(all[member].rolled))
		for i, x := range all[member].rolled {
			index, _ := slices.BinarySearch(arrivals, x.Arrival)
			x.Arrival = uint64(index)
			list[i] = rolling.Stored(x)
		}
		if err := b.Add([]byte(member), list); err != nil {
			return err
		}
	}
	timers, results := b.Sets()
	if err := own.StoreInts(ctx, t.Roll.Timers, timers); err != nil {
		return err
	}
	if err := own.StoreInts(ctx, t.Roll.Results, results); err != nil {
		return err
	}
	return rolling.CheckStored(ctx, e, st, t)
}
