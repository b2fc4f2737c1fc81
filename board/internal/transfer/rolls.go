package transfer

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/zrankdb/zrank/board/internal/relocation"
	"github.com/zrankdb/zrank/board/internal/rolling"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/board/rules"
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

// of returns the results of a member. Arrivals become their indexes, as they are in the board that
// is made.
func (r *rolls) of(member string, of *rules.Rules) (list []relocation.Rolled) {
	if r == nil {
		return nil
	}
	for _, x := range r.Of([]byte(member)) {
		index, _ := slices.BinarySearch(r.arrivals, x.Arrival)
		l := relocation.Rolled{Leaves: relocation.Moment(x.Leaves), Score: x.Score, Order: uint64(index)}
		if hasReached(of) {
			l.Reached = relocation.MomentOf(x.Reached)
		}
		if x.Told {
			l.At = relocation.MomentOf(x.At)
		}
		list = append(list, l)
	}
	return list
}

// hasReached reports whether the results in a rolling window have times of their own.
func hasReached(of *rules.Rules) bool { return of.Ties() != rules.ByMember && !of.Sums() }

// latest is the arrival of the first of equals where the latest stands first. No arrival is later.
const latest = 1 << 40

// rolled returns the results of a line. Error: one for results that the board cannot have.
func rolled(of *rules.Rules, list []relocation.Rolled) (all []rolling.Stored, err error) {
	for _, l := range list {
		if (l.Reached != nil) != hasReached(of) || l.Reached == nil && l.Order != 0 || l.At != nil && of.Timed() == 0 ||
			l.Order > latest {
			return nil, errors.New("a result in a rolling window has not the times of its board")
		}
		x := rolling.Stored{
			Leaves: int64(l.Leaves), Reached: l.Reached.Or(0), Arrival: l.Order, At: l.At.Or(0), Told: l.At != nil,
		}
		if x.Score, err = of.CheckRanked(l.Score); err != nil {
			return nil, err
		}
		all = append(all, x)
	}
	return all, nil
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
		list := slices.Clone(all[member].rolled)
		for i, x := range list {
			index, _ := slices.BinarySearch(arrivals, x.Arrival)
			list[i].Arrival = uint64(index)
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
