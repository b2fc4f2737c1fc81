package members

import "math/bits"

// Scan visits members in the order of their hashes, as Redis ZSCAN. It visits whole buckets from cursor on, until it has visited at
// least n members and at least one, or all. It returns the cursor for the next call. Cursor 0 starts a scan; next 0 means that all were
// visited. yield must not change the table. Any number is a valid cursor.
//
// A member that is in the table from the first call to the last is yielded at least once, even if other members come, go or move, and if
// tables grow, split or merge. The reason: a cursor is a hash, all members with a lower hash were visited, and a member's hash does not
// change. A member may be yielded twice if its bucket has changed its bounds. O(n + records that passed the visited buckets).
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

// start returns the lowest hash whose home is bucket g, without the bits that all of the table's records share. That is the least h
// for which h<<depth times the number of buckets reaches g<<64. So a scan from there starts with bucket g.
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

// scanBucket yields the members whose home is bucket g, including those in later buckets, and returns their number.
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
