package members

import (
	"sync"
	"sync/atomic"
)

// entry is a record and the number that it is sorted by: its hash, or its key.
type entry struct {
	by  uint64
	ref uint32
}

// groupBits is how many bits divide records into groups, at most: many more than goroutines, and so few that the ends of all groups stay
// in the cache while records are added to them.
const groupBits = 8

// grouping divides the records of a table into 1<<bits groups by a number that each record has: its distance from lo, without the shift
// lowest bits. Lower numbers belong to the first group, higher ones to the last.
type grouping struct {
	t       *Table
	workers int
	number  func(ref uint32) uint64
	lo      uint64
	bits    uint8
	shift   uint8
}

// group returns the group of a number.
func (g *grouping) group(number uint64) int {
	return int(min((max(number, g.lo)-g.lo)>>g.shift, 1<<g.bits-1))
}

// entries returns an entry for each of the n records, group by group, and where each group begins. Within a group the entries are in
// the order of pages. O(n).
func (g *grouping) entries(n int) (entries []entry, from []int) {
	entries, from = make([]entry, n), make([]int, 1<<g.bits+1)
	next := make([][]int, g.workers)
	inParallel(g.workers, g.workers, func(w int) {
		next[w] = make([]int, 1<<g.bits)
		g.share(w, func(ref uint32) { next[w][g.group(g.number(ref))]++ })
	})
	at := 0
	for p := range 1 << g.bits {
		from[p] = at
		for w := range g.workers {
			at, next[w][p] = at+next[w][p], at
		}
	}
	from[1<<g.bits] = at
	inParallel(g.workers, g.workers, func(w int) {
		g.share(w, func(ref uint32) {
			number := g.number(ref)
			at := &next[w][g.group(number)]
			entries[*at] = entry{number, ref}
			*at++
		})
	})
	return entries, from
}

// share calls fn for the records on the pages of one goroutine.
func (g *grouping) share(w int, fn func(ref uint32)) {
	n := g.t.Pages()
	for i := n * w / g.workers; i < n*(w+1)/g.workers; i++ {
		for ref := range g.t.Page(i) {
			fn(ref)
		}
	}
}

// inParallel calls do for 0 to n-1, from the given number of goroutines.
func inParallel(workers, n int, do func(i int)) {
	if workers = min(workers, n); workers <= 1 {
		for i := range n {
			do(i)
		}
		return
	}
	var next atomic.Int64
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	wg.Wait()
}
