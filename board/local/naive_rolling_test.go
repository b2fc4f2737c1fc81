package local

import (
	"maps"
	"slices"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/board/window"
)

// naiveResult is a result in a rolling window.
type naiveResult struct {
	leaves time.Time
	at     int64 // when it happened, in microseconds after 1970
	sub    rules.Entry
	next   rules.Entry // the member's entry after it arrived
	first  bool        // it happened before those that were in the window when it arrived
}

// naiveLeaves returns when a result of a time leaves a rolling window.
func naiveLeaves(w board.Window, at time.Time) time.Time {
	at = time.UnixMicro(at.UnixMicro())
	if w.Bucket > 0 {
		width := time.Duration(w.Bucket)
		begin := time.Unix(0, 0)
		for begin.Add(1000 * width).Before(at) {
			begin = begin.Add(at.Sub(begin) / (2 * width) * width)
		}
		for !begin.After(at) {
			begin = begin.Add(width)
		}
		at = begin // the end of the bucket
	}
	return at.Add(time.Duration(w.Span))
}

// isRolling reports whether the window is rolling.
func (w *naiveWindow) isRolling() bool { return w.Kind == window.Rolling }

// record keeps a result of a member in the rolling windows.
func (n *naive) record(sub board.Submission, periods []board.Period) {
	for i, w := range n.windows {
		if !w.isRolling() {
			continue
		}
		result := rules.Entry{Score: sub.Score, Reached: sub.At.UnixMicro(), Arrival: n.arrival}
		n.recordIn(w, sub.Member, result, n.entries(i, periods[i])[sub.Member].Entry)
	}
}

// recordIn keeps a result of a member in a rolling window. next is the member's entry from then on.
func (n *naive) recordIn(w *naiveWindow, member string, result, next rules.Entry) {
	e, _, err := n.rules.Apply(rules.Entry{}, false, result)
	if err != nil {
		panic(err)
	}
	first := !slices.ContainsFunc(w.results[member], func(r naiveResult) bool { return r.at <= result.Reached })
	leaves := naiveLeaves(w.Window, time.UnixMicro(result.Reached))
	w.results[member] = append(w.results[member], naiveResult{leaves, result.Reached, e, next, first})
}

// expire removes the results that have left rolling windows, and computes the entries from those that remain.
func (n *naive) expire(now time.Time) {
	if now.After(n.peak) {
		n.peak = now
	}
	for _, w := range n.windows {
		if !w.isRolling() || w.periods["all"] == nil {
			continue
		}
		entries := w.periods["all"].entries
		for member := range w.results {
			if e, ok := n.leave(w, member, entries[member], now); ok {
				entries[member] = e
			} else {
				delete(entries, member)
			}
		}
	}
}

// leave removes the results of a member that have left a rolling window, and returns the entry of those that remain.
func (n *naive) leave(w *naiveWindow, member string, e naiveEntry, now time.Time) (naiveEntry, bool) {
	results := w.results[member]
	left := slices.DeleteFunc(slices.Clone(results), func(r naiveResult) bool { return !now.Before(r.leaves) })
	if w.results[member] = left; len(left) == 0 {
		delete(w.results, member)
		return naiveEntry{}, false
	}
	if len(left) < len(results) {
		e.Entry = n.fold(e.Entry, left)
	}
	return e, true
}

// fold computes an entry from all results that remain. A sum keeps the time at which it was reached.
func (n *naive) fold(old rules.Entry, left []naiveResult) rules.Entry {
	switch n.rules.Op() {
	case board.Last:
		return lastOf(left).next
	case board.First:
		return firstOf(left)
	}
	e := left[0].sub
	for _, r := range left[1:] {
		var err error
		if e, _, err = n.rules.Apply(e, true, r.sub); err != nil {
			panic(err)
		}
	}
	if n.rules.Sums() {
		e.Reached, e.Arrival = old.Reached, old.Arrival
	}
	return e
}

// lastOf returns the result that happened last, and of those of one time that which arrived last.
func lastOf(left []naiveResult) naiveResult {
	last := left[0]
	for _, r := range left {
		if r.at >= last.at {
			last = r
		}
	}
	return last
}

// firstOf returns the entry of the result that happened first. If it has ever been the entry, it is as it was then.
func firstOf(left []naiveResult) rules.Entry {
	i := 0
	for j, r := range left {
		if r.at < left[i].at {
			i = j
		}
	}
	if left[i].first {
		return left[i].next
	}
	return left[i].sub
}

// cloneResults returns a deep copy of the results of a window.
func (w *naiveWindow) cloneResults() map[string][]naiveResult {
	c := maps.Clone(w.results)
	for member := range c {
		c[member] = slices.Clone(c[member])
	}
	return c
}
