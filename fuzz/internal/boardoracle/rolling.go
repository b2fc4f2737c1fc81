package boardoracle

import (
	"math"
	"math/big"
	"slices"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/window"
)

// leaves returns when a result of a time leaves a rolling window.
func leaves(win board.Window, at time.Time) time.Time {
	if width := time.Duration(win.Bucket); width > 0 {
		at = at.Add(-time.Duration(at.UnixNano() % int64(width))).Add(width) // scripts begin after 1970
	}
	return at.Add(time.Duration(win.Span))
}

// isLate reports whether a result of a time has left a rolling window.
func isLate(win board.Window, at, now time.Time) bool {
	return win.Kind == window.Rolling && !now.Before(leaves(win, at))
}

// record keeps a result of a member in a rolling window.
func (w *World) record(win board.Window, member string, at time.Time, sub, next entry) {
	if win.Kind != window.Rolling {
		return
	}
	results := w.windows[win.Name].results
	results[member] = append(slices.Clone(results[member]), rollingResult{leaves: leaves(win, at), at: at.UnixMicro(), sub: sub, next: next})
}

// expire removes the results that have left by now, and computes the entries of their members from the others.
func (w *World) expire(now time.Time) {
	for _, win := range w.spec.Windows {
		if win.Kind != window.Rolling {
			continue
		}
		world := w.windows[win.Name]
		for member, results := range world.results {
			entries := world.periods["all"].entries
			e, left := w.leave(entries[member], results, now)
			if len(left) == 0 {
				delete(world.results, member)
				delete(entries, member)
				continue
			}
			entries[member], world.results[member] = e, left
		}
	}
}

// leave returns the results of a member that have not left by now, and the entry that they make of old.
func (w *World) leave(old entry, results []rollingResult, now time.Time) (entry, []rollingResult) {
	left := slices.DeleteFunc(slices.Clone(results), func(r rollingResult) bool { return !now.Before(r.leaves) })
	switch len(left) {
	case len(results):
		return old, results
	case 0:
		return entry{}, nil
	}
	return w.fold(old, left), left
}

// stored returns the results of a member that a rolling window keeps: all of a sum, else those that may yet be the entry.
func (w *World) stored(results []rollingResult) (list []rollingResult) {
	if w.spec.Op == board.Sum {
		return results
	}
	wins := func(r, stored rollingResult) bool {
		switch w.spec.Op {
		case board.Last:
			return r.at >= stored.at
		case board.First:
			return r.at < stored.at
		}
		_, changed, _ := merge(w.spec, stored.sub, true, r.sub, r.at)
		return changed
	}
	for _, r := range results {
		if !slices.ContainsFunc(list, func(k rollingResult) bool { return !k.leaves.Before(r.leaves) && !wins(r, k) }) {
			list = slices.DeleteFunc(list, func(k rollingResult) bool { return !k.leaves.After(r.leaves) && wins(r, k) })
			list = append(list, r)
		}
	}
	return list
}

// fold computes an entry from the results that are left. It keeps the metadata; of a sum it changes the score only.
func (w *World) fold(old entry, left []rollingResult) entry {
	e := left[0].sub
	switch w.spec.Op {
	case board.Last, board.First:
		e = picked(w.spec.Op, left)
	case board.Sum:
		e = entry{score: []board.Value{total(left)}, reached: old.reached, arrival: old.arrival}
	default:
		for _, r := range left[1:] {
			e, _, _ = merge(w.spec, e, true, r.sub, r.at)
		}
	}
	e.meta = old.meta
	return e
}

// picked returns the entry of the result that happened last, or first; of those of one time the one that arrived last, or first. A result that was the
// entry when it arrived is as it was then.
func picked(op board.Op, left []rollingResult) entry {
	best := left[0]
	for _, r := range left[1:] {
		if op == board.Last && r.at >= best.at || op == board.First && r.at < best.at {
			best = r
		}
	}
	if best.next.times[0] == best.at {
		return best.next
	}
	e := best.sub
	e.times = []int64{best.at}
	return e
}

// total returns the sum of results of one column, limited to int64.
func total(left []rollingResult) board.Value {
	var sum big.Int
	for _, r := range left {
		sum.Add(&sum, big.NewInt(units(r.sub.score[0])))
	}
	switch {
	case sum.IsInt64():
		return board.Int(sum.Int64())
	case sum.Sign() < 0:
		return board.Int(math.MinInt64)
	}
	return board.Int(math.MaxInt64)
}

// refuses reports whether a rolling window takes no more results of a member: its sum is at an end of its range.
func (w *World) refuses(win board.Window, old entry, had bool) bool {
	return had && win.Kind == window.Rolling && w.spec.Op == board.Sum && (units(old.score[0]) == math.MinInt64 || units(old.score[0]) == math.MaxInt64)
}
