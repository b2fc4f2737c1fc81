package members

import (
	"hash/maphash"
	"math/bits"
	"unsafe"
)

// The sizes of a table, in buckets. All are size classes of the allocator, since a table consists of buckets only. The step from 64 to
// 96 makes the bytes per member vary less than doubling would, but a growing table reads its records again. The rows show the bytes of
// the index per member, sampled at 100 thousand to 2 million members in steps of 1.1, and the records read again per added member. All
// are without maxPassed:
//
//	some  most  full    min   mean  max   read
//	  64    96  15/16   6.11  6.91  7.97   3.3
//	  64    96   7/8    6.60  7.37  8.45   3.3
//	  64    96  31/32   5.94  6.71  7.68   3.3
//	  48    64  15/16   6.26  6.95  7.96   3.5
//	  40    64  15/16   6.20  7.05  8.35   4.1
//	 128   192  15/16   5.97  6.89  8.05   3.3   twice the work at a time
//	  64    64  15/16   6.37  8.41 10.53   2.0
//	  64    64   7/8    6.80  8.95 11.27   2.0
//	  64    64   7/8    8.07 10.63 13.38   2.0   with a count and a depth beside the buckets
const (
	startBuckets = 16 // of the first table, which doubles to
	someBuckets  = 64 // and grows to
	mostBuckets  = 96 // and then is split into two of someBuckets
)

// maxPassed is how many records per bucket, on average, may have passed the buckets of a table before it grows. It bounds a search: a
// record beyond its home stays there when its home has a free place again. So when members come and go, more and more buckets have
// been passed, at any load. The rows show the bytes per member as above, and the buckets read by a search after 10 rounds of replacing
// members at random; they are the worst of 6 numbers of members from 220 to 330 thousand:
//
//	maxPassed  full    mean  max    found  absent
//	    1/2    15/16   8.38  9.35    1.04    1.25
//	      1    15/16   7.79  8.72    1.07    1.55
//	      2    15/16   7.31  8.26    1.11    2.12
//	   none     7/8    7.38  8.46    1.24    6.25
//	   none    15/16   6.91  7.97    1.64   28.38
const maxPassed = 2

// full returns how many records a table of n buckets takes before it grows.
func full(n int) int { return n * places * 15 / 16 }

// table is one part of the index, and the entry of the directory that leads to it.
type table struct {
	buckets []bucket
	live    int32 // records. This and passed are kept in the first of the table's entries only
	passed  int32 // sum of the buckets' overflow counts
	depth   uint8 // how many top bits of the hash all its records share
}

// home returns the bucket where the search for a hash starts: the bits after the shared ones, as a fraction of the buckets.
// So buckets stand in the order of hashes, in one table and over all tables.
func (t *table) home(h uint64) int {
	g, _ := bits.Mul64(h<<(t.depth&63), uint64(len(t.buckets)))
	return int(g)
}

// next returns the bucket after g.
func (t *table) next(g int) int {
	if g++; g == len(t.buckets) {
		return 0
	}
	return g
}

// index finds refs by hash. The directory has 1<<depth entries; a table of a smaller depth stands in several in a row.
type index struct {
	dir     []table
	depth   uint8
	deepest int // tables of this depth
	bytes   int // memory held by buckets
	seed    maphash.Seed
}

// hashes computes the hashes of up to places records.
type hashes func(refs []uint32, dst *[places]uint64)

func newIndex() index {
	x := index{dir: make([]table, 1), seed: maphash.MakeSeed()}
	x.put(0, table{buckets: make([]bucket, startBuckets)})
	return x
}

func (x *index) hash(member []byte) uint64 { return maphash.Bytes(x.seed, member) }

// table returns an entry of the table of a hash: its top bits index the directory.
func (x *index) table(h uint64) *table { return &x.dir[h>>(64-x.depth)] }

// first returns the first entry of the table of a hash.
func (x *index) first(h uint64) *table {
	depth := x.table(h).depth
	return x.table(h &^ (1<<(64-depth) - 1))
}

// add adds a new ref. It first grows the table if that is full or was passed too often. O(1), except for a table's growth.
func (x *index) add(h uint64, ref uint32, hashes hashes) {
	for {
		t := x.first(h)
		if n := len(t.buckets); int(t.live) < full(n) && int(t.passed) <= n*maxPassed {
			t.add(h, ref)
			return
		}
		x.grow(h, *t, hashes)
	}
}

// add enters a ref in a table. It must be called on the table's first entry.
func (t *table) add(h uint64, ref uint32) {
	t.live++
	for g := t.home(h); ; g = t.next(g) {
		b := &t.buckets[g]
		if m := b.matches(0); m != 0 {
			i := first(m)
			b.set(i, tag(h))
			b.refs[i] = ref
			return
		}
		b.over++
		t.passed++
	}
}

// grow replaces the table t of a hash by a larger one, or splits a table of the greatest size into two. It reads only t's records.
func (x *index) grow(h uint64, t table, hashes hashes) {
	switch n := len(t.buckets); {
	case n < someBuckets:
		x.put(h, table{buckets: make([]bucket, 2*n), depth: t.depth})
	case n < mostBuckets:
		x.put(h, table{buckets: make([]bucket, mostBuckets), depth: t.depth})
	default:
		if t.depth == x.depth {
			x.double()
		}
		x.put(h, table{buckets: make([]bucket, someBuckets), depth: t.depth + 1})
		x.put(h^1<<(63-t.depth), table{buckets: make([]bucket, someBuckets), depth: t.depth + 1})
	}
	x.pour(t, hashes)
}

// put makes t the table of a hash.
func (x *index) put(h uint64, t table) {
	width := 1 << (x.depth - t.depth)
	from := int(h>>(64-x.depth)) &^ (width - 1)
	for i := range width {
		x.dir[from+i] = t
	}
	x.bytes += len(t.buckets) * bucketBytes
	if t.depth == x.depth {
		x.deepest++
	}
}

// pour adds the records of a table that was replaced to the new tables. O(records of the table).
func (x *index) pour(old table, hashes hashes) {
	x.bytes -= len(old.buckets) * bucketBytes
	if old.depth == x.depth {
		x.deepest--
	}
	var refs [places]uint32
	var hash [places]uint64
	for g := range old.buckets {
		n := old.buckets[g].live(&refs)
		hashes(refs[:n], &hash)
		for i, ref := range refs[:n] {
			x.first(hash[i]).add(hash[i], ref)
		}
	}
}

// double makes the directory one bit deeper.
func (x *index) double() {
	dir := make([]table, 2*len(x.dir))
	for i, t := range x.dir {
		dir[2*i] = t
		dir[2*i+1] = t
	}
	x.dir, x.depth, x.deepest = dir, x.depth+1, 0
}

// locate returns the place of an existing ref, and subtracts passed from the overflow count of each bucket on the way.
func (t *table) locate(h uint64, ref, passed uint32) (*bucket, int) {
	for g := t.home(h); ; g = t.next(g) {
		b := &t.buckets[g]
		for m := b.matches(tag(h)); m != 0; m &= m - 1 {
			if i := first(m); b.refs[i] == ref {
				return b, i
			}
		}
		b.over -= passed
		t.passed -= int32(passed)
	}
}

// remove removes an existing ref.
func (x *index) remove(h uint64, ref uint32) {
	t := x.first(h)
	b, i := t.locate(h, ref, 1)
	b.set(i, 0)
	t.live--
}

// size returns the bytes of memory held. O(1).
func (x *index) size() int { return x.bytes + cap(x.dir)*int(unsafe.Sizeof(table{})) }

// tables yields the first entry of each table.
func (x *index) tables(yield func(i int, t *table) bool) {
	for i := 0; i < len(x.dir); i += 1 << (x.depth - x.dir[i].depth) {
		if !yield(i, &x.dir[i]) {
			return
		}
	}
}
