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
		e, _, err := n.rules.Apply(rules.Entry{}, false, rules.Entry{Score: sub.Score, Reached: sub.At.UnixMicro(), Arrival: n.arrival})
		if err != nil {
			panic(err)
		}
		next := n.entries(i, periods[i])[sub.Member].Entry
		first := !slices.ContainsFunc(w.results[sub.Member], func(r naiveResult) bool { return r.at <= sub.At.UnixMicro() })
		w.results[sub.Member] = append(w.results[sub.Member], naiveResult{naiveLeaves(w.Window, sub.At), sub.At.UnixMicro(), e, next, first})
	}
}

// expire removes the results that have left rolling windows, and computes the entries from those that remain.
func (n *naive) expire(now time.Time) {
	for _, w := range n.windows {
		if !w.isRolling() || w.periods["all"] == nil {
			continue
		}
		entries := w.periods["all"].entries
		for member, results := range w.results {
			left := slices.DeleteFunc(slices.Clone(results), func(r naiveResult) bool { return !now.Before(r.leaves) })
			if len(left) == len(results) {
				continue
			}
			w.results[member] = left
			if len(left) == 0 {
				delete(w.results, member)
				delete(entries, member)
				continue
			}
			e := entries[member]
			e.Entry = n.fold(e.Entry, left)
			entries[member] = e
		}
	}
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
