package members

import "math/bits"

// table is one part of the index. Its first bucket keeps in its spare bits how many refs the table holds.
type table struct {
	buckets []bucket
	depth   uint8 // how many top bits of the hash all its records share
}

// sizes are the numbers of buckets a table may have; each is a whole block of Go's allocator. A full table of the last size
// is split in two.
var sizes = [...]int{16, 24, 32, 48, 64, 96, 128, 192, 256, 384}

const (
	// A table is full at 7/8 of its places.
	loadOver, loadUnder = 7, 8
	// A table with less than a third of what it has room for is made smaller, or one with its buddy.
	sparse = 3
	// What is made smaller keeps a fifth free, so that it does not grow again at once.
	spare = 5
)

// room returns how many refs n buckets hold.
func room(n int) int { return n * places * loadOver / loadUnder }

// newTable returns an empty table with room for n refs, or the largest.
func newTable(depth uint8, n int) table {
	i := 0
	for i < len(sizes)-1 && room(sizes[i]) < n {
		i++
	}
	return table{buckets: make([]bucket, sizes[i]), depth: depth}
}

func (t table) live() int { return int(t.buckets[0].meta) }
func (t table) room() int { return room(len(t.buckets)) }

// home returns the bucket where the search for a hash starts: buckets stand in the order of hashes.
func (t table) home(h uint64) int {
	return int(h << t.depth >> 32 * uint64(len(t.buckets)) >> 32)
}

// after returns the bucket that a search goes on with.
func (t table) after(g int) int {
	if g++; g < len(t.buckets) {
		return g
	}
	return 0
}

// add enters a ref. The table must have room.
func (t table) add(h uint64, ref uint32) {
	t.buckets[0].meta++
	for g := t.home(h); ; g = t.after(g) {
		b := &t.buckets[g]
		if m := b.matches(0); m != 0 {
			i := bits.TrailingZeros32(m)
			b.set(i, tag(h))
			b.refs[i] = ref
			return
		}
		b.over++
	}
}

// remove takes out a ref that is there.
func (t table) remove(h uint64, ref uint32) {
	want := tag(h)
	for g := t.home(h); ; g = t.after(g) {
		b := &t.buckets[g]
		for m := b.matches(want); m != 0; m &= m - 1 {
			if i := bits.TrailingZeros32(m); b.refs[i] == ref {
				b.set(i, 0)
				t.buckets[0].meta--
				return
			}
		}
		b.over--
	}
}

// each calls f for every ref.
func (t table) each(f func(ref uint32)) {
	for g := range t.buckets {
		b := &t.buckets[g]
		for m := b.taken(); m != 0; m &= m - 1 {
			f(b.refs[bits.TrailingZeros32(m)])
		}
	}
}

// put makes the directory lead the hashes that share t's top bits with h to t.
func (x *index) put(h uint64, t table) {
	width := 1 << (x.depth - t.depth)
	first := int(h>>(64-x.depth)) &^ (width - 1)
	for i := range width {
		x.dir[first+i] = t
	}
}

// grow replaces a full table by a larger one, or by two. Only its own records are touched.
func (x *index) grow(t table, h uint64, rehash func(ref uint32) uint64) {
	if len(t.buckets) < sizes[len(sizes)-1] {
		x.put(h, t.into(newTable(t.depth, t.room()+1), rehash))
		return
	}
	depth := t.depth
	if depth == x.depth {
		x.double()
	}
	if depth+1 == x.depth {
		x.deepest += 2
	}
	half := [2]table{newTable(depth+1, t.room()/2), newTable(depth+1, t.room()/2)}
	t.each(func(ref uint32) {
		h := rehash(ref)
		to := &half[h>>(63-depth)&1]
		if to.live() == to.room() {
			*to = to.into(newTable(depth+1, to.room()+1), rehash)
		}
		to.add(h, ref)
	})
	bit := uint64(1) << (63 - depth)
	x.put(h&^bit, half[0])
	x.put(h|bit, half[1])
}

// into adds the refs of a table to another and returns that.
func (t table) into(to table, rehash func(ref uint32) uint64) table {
	t.each(func(ref uint32) { to.add(rehash(ref), ref) })
	return to
}

// shrink replaces a sparse table by a smaller one or, with its buddy, by one that is not full.
func (x *index) shrink(t table, h uint64, rehash func(ref uint32) uint64) {
	depth := t.depth
	if depth > 0 {
		buddy := x.table(h ^ 1<<(64-depth))
		sum := t.live() + buddy.live()
		if buddy.depth == depth && sum+sum/spare <= room(sizes[len(sizes)-1])/2 {
			if depth == x.depth {
				x.deepest -= 2
			}
			x.put(h, buddy.into(t.into(newTable(depth-1, sum+sum/spare), rehash), rehash))
			for x.deepest == 0 {
				x.halve()
			}
			return
		}
	}
	if smaller := newTable(depth, t.live()+t.live()/spare); len(smaller.buckets) < len(t.buckets) {
		x.put(h, t.into(smaller, rehash))
	}
}

// double makes the directory one bit deeper.
func (x *index) double() {
	dir := make([]table, 2*len(x.dir))
	for i, t := range x.dir {
		dir[2*i], dir[2*i+1] = t, t
	}
	x.dir, x.deepest = dir, 0
	x.depth++
}

// halve makes the directory one bit less deep; no table needs that bit.
func (x *index) halve() {
	dir := make([]table, len(x.dir)/2)
	x.depth--
	for i := range dir {
		dir[i] = x.dir[2*i]
		if dir[i].depth == x.depth {
			x.deepest++
		}
	}
	x.dir = dir
}

// tables yields every table once.
func (x *index) tables(yield func(table) bool) {
	for i := 0; i < len(x.dir); i += 1 << (x.depth - x.dir[i].depth) {
		if !yield(x.dir[i]) {
			return
		}
	}
}
