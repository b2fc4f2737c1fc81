package members

import "math/bits"

// A scan visits members in the order of their hashes: table by table, and in a table bucket by bucket, each with the members
// whose home it is. The cursor is a hash: all members with a lower one have been visited. A member's hash never changes, so
// whatever is grown, split, merged or moved between two calls, a member that is there all the time stays on its side of the
// cursor. Buckets that are not those of the call before are visited from the one that the cursor falls into, which is how a
// member may be visited twice.

// Scan visits at least n members, if so many are left, and returns the cursor for the next call, 0 at the end. The first
// call has cursor 0. A member that is in the table from the first call to the last is visited at least once; more than once
// only if its part of the table is made larger or smaller in between. yield must not change the table. O(n).
func (t *Table) Scan(cursor uint64, n int, yield func(ref uint32)) (next uint64) {
	for n = max(n, 1); ; {
		part := t.index.table(cursor)
		for g := part.home(cursor); g < len(part.buckets); g++ {
			if n <= 0 {
				return part.start(cursor, g)
			}
			n -= t.visit(part, g, yield)
		}
		last := cursor | ^uint64(0)>>part.depth
		if cursor = last + 1; cursor == 0 {
			return 0
		}
	}
}

// start returns the lowest hash whose home is bucket g of the table that holds h.
func (t table) start(h uint64, g int) uint64 {
	first := h &^ (^uint64(0) >> t.depth)
	n := uint64(len(t.buckets))
	return first | (uint64(g)<<32+n-1)/n<<32>>t.depth
}

// visit yields the members whose home is bucket g and returns their number.
func (t *Table) visit(part table, g int, yield func(ref uint32)) (n int) {
	for i := g; ; i = part.after(i) {
		b := &part.buckets[i]
		for m := b.taken(); m != 0; m &= m - 1 {
			ref := b.refs[bits.TrailingZeros32(m)]
			if part.home(t.rehash(ref)) == g {
				yield(ref)
				n++
			}
		}
		if b.over == 0 {
			return n
		}
	}
}
