package buckets

import (
	"bytes"
	"slices"
	"sync/atomic"
)

// segments says how many entries of a tail come before a place in its order. A segment is a range of that order: from its first place to that of
// the next segment.
//
//   - SG1: for every segment, the sum of least over the segments before it is at most the number of entries before it, and the sum of most at
//     least that. Over all segments both sums are the number of entries.
//   - SG2: no number in least and most is negative.
//   - SG3: no entry comes before low or behind high.
//
// An entry that comes or leaves changes one number of each by 1. After a split it is not known how many entries of the segment are on each side:
// least counts them behind the new place, and most before it. So the bounds are true after a split too, and closer again after a count.
type segments struct {
	from  []Entry // the first place of each segment; that of the first is before all
	score []int64 // the same, the scores alone: a search reads no others until it has found them
	least sums
	most  sums
	fresh []int // the entries that have come since the segment was made, less those that have left

	low, high Entry
	total     int

	generation uint64 // another one after each change of from
}

// generations is the last generation of any segments.
var generations atomic.Uint64

// newSegments returns segments without entries. from has the first places of all segments but the first, in order.
func newSegments(from []Entry) *segments {
	g := &segments{from: append([]Entry{unknown}, from...)}
	n := len(g.from)
	for _, e := range g.from {
		g.score = append(g.score, e.Score)
	}
	g.least.values, g.most.values, g.fresh = make([]int, n), make([]int, n), make([]int, n)
	g.generation = generations.Add(1)
	return g
}

// find returns the segment of a place, and notes it in the key for the next call. O(log segments).
func (g *segments) find(k *Key) int {
	if k.foundIn == g.generation {
		return k.found
	}
	lo, n := 0, len(g.score) // the segment is one of the n from lo on
	for n > 1 {
		half := n / 2
		if at := lo + half; g.score[at] < k.Score || g.score[at] == k.Score && k.compare(g.from[at]) >= 0 {
			lo = at
		}
		n -= half
	}
	k.found, k.foundIn = lo, g.generation
	return lo
}

// before returns how many entries come before a place, at least and at most, without one that is in the tail, if it is not nil. O(log segments).
func (g *segments) before(k, without *Key) (least, most int) {
	i := g.find(k)
	least = g.least.before(i)
	most = g.most.before(i + 1)
	if without != nil {
		j := g.find(without)
		if j < i {
			least = max(least-1, 0)
		}
		if j <= i {
			most--
		}
	}
	return least, most
}

// tally notes an entry of a count. complete ends the count.
func (g *segments) tally(k *Key, by int) {
	if by > 0 {
		g.widen(k)
	}
	g.least.values[g.find(k)] += by
	g.total += by
}

// complete builds the sums of a count, which are exact.
func (g *segments) complete() {
	copy(g.most.values, g.least.values)
	g.least.build()
	g.most.build()
}

// come notes an entry that has come. It splits the segment if share entries have come there since it was made, unless there are limit segments.
// O(log segments), and O(segments) for a split.
func (g *segments) come(k *Key, share, limit int) {
	i := g.find(k)
	if g.fresh[i] >= share && len(g.from) < limit {
		i = g.split(i, k)
	}
	g.widen(k)
	g.total++
	g.fresh[i]++
	g.least.add(i, 1)
	g.most.add(i, 1)
}

// leave notes an entry that has left. A number that would be negative is 0, and the next one is less, in most the one before: no place has fewer
// entries before it than an earlier place. O(log segments).
func (g *segments) leave(k *Key) {
	i := g.find(k)
	g.total--
	g.fresh[i] = max(g.fresh[i]-1, 0)
	g.least.add(i, -1)
	for j := i; j+1 < len(g.from) && g.least.values[j] < 0; j++ {
		by := g.least.values[j]
		g.least.add(j, -by)
		g.least.add(j+1, by)
	}
	g.most.add(i, -1)
	for j := i; j > 0 && g.most.values[j] < 0; j-- {
		by := g.most.values[j]
		g.most.add(j, -by)
		g.most.add(j-1, by)
	}
}

// widen keeps SG3 for an entry that comes.
func (g *segments) widen(k *Key) {
	if g.total == 0 || k.compare(g.low) < 0 {
		g.low.set(k)
	}
	if g.total == 0 || k.compare(g.high) > 0 {
		g.high.set(k)
	}
}

// split divides segment i for an entry that is about to come there, and returns the segment of the entry. If the entry comes before all of the
// tail or behind all, the others are on one side. O(segments).
func (g *segments) split(i int, k *Key) int {
	from := k.entry()
	least, most, own := 0, g.most.values[i], i+1 // of the first half
	switch isLast := i+1 == len(g.from); {
	case from.Compare(g.from[i]) == 0:
		return i
	case k.compare(g.high) > 0 && g.high.Compare(g.from[i]) >= 0:
		least = g.least.values[i]
	case k.compare(g.low) < 0 && (isLast || g.low.Compare(g.from[i+1]) < 0):
		from, most, own = Entry{g.low.Score, bytes.Clone(g.low.Text)}, 0, i
	}
	g.from, g.score = slices.Insert(g.from, i+1, from), slices.Insert(g.score, i+1, from.Score)
	g.least.split(i, least)
	g.most.split(i, most)
	g.fresh[i] = 0
	g.fresh = slices.Insert(g.fresh, i+1, 0)
	g.generation = generations.Add(1)
	return own
}
