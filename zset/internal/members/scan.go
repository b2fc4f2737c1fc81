package members

import "math/bits"

// Scan visits members in the order of their hashes, as Redis ZSCAN: from cursor on, at least n of them and at least one if
// there are so many left, and then up to the end of a bucket. It returns the cursor for the next call. Cursor 0 starts, and a
// next of 0 says that all were visited. yield must not change the table. Any number is a cursor.
//
// A member that is in the table from the first call to the last is yielded at least once, whatever is added, removed or moved
// in between, and whether tables grow, split or merge: a cursor is a hash, that of all members below it were visited, and a
// member's hash stays the same. A member may be yielded twice when its bucket has changed its bounds. O(n) and what
// overflows from the buckets visited.
func (t *Table) Scan(cursor uint64, n int, yield func(ref uint32)) (next uint64) {
	seen := 0
	for {
		q := t.index.table(cursor)
		base := cursor &^ (^uint64(0) >> q.depth)
		for g := q.home(cursor); g < len(q.buckets); g++ {
			if seen > 0 && seen >= n {
				return base | q.start(g)
			}
			seen += t.scanBucket(q, g, yield)
		}
		cursor = base + 1<<((64-q.depth)&63)
		if q.depth == 0 || cursor == 0 {
			return 0
		}
	}
}

// start returns the lowest hash whose home is bucket g, less the bits that all of the table's records share: it is the least
// h for which h<<depth times the number of buckets reaches g<<64. So a scan that starts there starts with bucket g.
func (q *table) start(g int) uint64 {
	at, rest := bits.Div64(uint64(g), 0, uint64(len(q.buckets)))
	if rest > 0 {
		at++
	}
	h := at >> q.depth
	if h<<q.depth != at {
		h++
	}
	return h
}

// scanBucket yields the members whose home is bucket g, wherever they stand, and returns how many.
func (t *Table) scanBucket(q *table, g int, yield func(ref uint32)) int {
	seen := 0
	var refs [places]uint32
	var hash [places]uint64
	for at := g; ; {
		b := &q.buckets[at]
		live := b.live(&refs)
		t.rehashAll(refs[:live], &hash)
		for i, ref := range refs[:live] {
			if q.home(hash[i]) == g {
				yield(ref)
				seen++
			}
		}
		if at = q.next(at); b.over == 0 || at == g {
			return seen
		}
	}
}
