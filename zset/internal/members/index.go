package members

import (
	"hash/maphash"
	"math/bits"
	"unsafe"
)

const (
	places  = 12 // refs in a bucket
	buckets = 64 // in a table
	full    = buckets * places * 7 / 8
)

// bucket is one cache line.
type bucket struct {
	low  uint64 // tags of places 0..7
	high uint32 // tags of places 8..11
	over uint32 // records that passed this bucket because it was full
	refs [places]uint32
}

// table is one part of the index.
type table struct {
	buckets [buckets]bucket
	live    int
	depth   uint8 // how many top bits of the hash all its records share
}

var _ = [1]struct{}{}[unsafe.Sizeof(bucket{})-64]

// index finds refs by hash. The directory has 1<<depth entries; a table of a smaller depth stands in several in a row.
type index struct {
	dir   []*table
	depth uint8
	seed  maphash.Seed
}

func newIndex() index {
	return index{dir: []*table{{}}, seed: maphash.MakeSeed()}
}

func (x *index) hash(member []byte) uint64 { return maphash.Bytes(x.seed, member) }

// table returns the table of a hash: its top bits index the directory.
func (x *index) table(h uint64) *table { return x.dir[h>>(64-x.depth)] }

// tag returns the 8 bits of a hash that a bucket keeps; never 0.
func tag(h uint64) byte { return max(byte(h), 1) }

// home returns the bucket where the search for a hash starts.
func home(h uint64) int { return int(h>>8) & (buckets - 1) }

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// zeroBytes returns a word with the top bit set of each byte of v that is zero, exactly: the shorter well-known form also
// reports a byte above a zero one, which here would bring removed members back.
func zeroBytes(v uint64) uint64 { return ^((v&^highs + ^uint64(highs)) | v | ^uint64(highs)) }

// gather moves the top bits of the eight bytes of v into the low eight bits.
func gather(v uint64) uint32 { return uint32(v >> 7 * 0x0102040810204080 >> 56) }

// matches returns a word with bit i set for each place whose tag is t.
func (b *bucket) matches(t byte) uint32 {
	low := zeroBytes(b.low ^ ones*uint64(t))
	high := zeroBytes(uint64(b.high) ^ ones*uint64(t))
	return gather(low) | gather(high)&0xf<<8
}

// tag returns the tag at a place.
func (b *bucket) tag(i int) byte {
	if i < 8 {
		return byte(b.low >> (8 * i))
	}
	return byte(b.high >> (8 * (i - 8)))
}

// set writes a tag; 0 empties the place.
func (b *bucket) set(i int, t byte) {
	if i < 8 {
		b.low = b.low&^(0xff<<(8*i)) | uint64(t)<<(8*i)
		return
	}
	i -= 8
	b.high = b.high&^(0xff<<(8*i)) | uint32(t)<<(8*i)
}

// find returns the record with a hash for which equal holds.
func (x *index) find(h uint64, r *records, skip int, member []byte) (uint32, bool) {
	t, want := x.table(h), tag(h)
	for g := home(h); ; g = (g + 1) & (buckets - 1) {
		b := &t.buckets[g]
		for m := b.matches(want); m != 0; m &= m - 1 {
			ref := b.refs[bits.TrailingZeros32(m)%places]
			if text := r.text(ref); len(text)-skip == len(member) && string(text[skip:]) == string(member) {
				return ref, true
			}
		}
		if b.over == 0 {
			return 0, false
		}
	}
}

// add enters a ref that is not there, splitting its table first if it is full.
func (x *index) add(h uint64, ref uint32, rehash func(ref uint32) uint64) {
	t := x.table(h)
	for t.live >= full {
		x.split(t, h, rehash)
		t = x.table(h)
	}
	t.add(h, ref)
}

func (t *table) add(h uint64, ref uint32) {
	t.live++
	for g := home(h); ; g = (g + 1) & (buckets - 1) {
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

// split replaces a table by two. Only its own records are touched.
func (x *index) split(t *table, h uint64, rehash func(ref uint32) uint64) {
	if t.depth == x.depth {
		dir := make([]*table, 2*len(x.dir))
		for i, q := range x.dir {
			dir[2*i], dir[2*i+1] = q, q
		}
		x.dir = dir
		x.depth++
	}
	half := [2]*table{{depth: t.depth + 1}, {depth: t.depth + 1}}
	for g := range t.buckets {
		b := &t.buckets[g]
		for m := ^b.matches(0) & (1<<places - 1); m != 0; m &= m - 1 {
			ref := b.refs[bits.TrailingZeros32(m)]
			h := rehash(ref)
			half[h>>(63-t.depth)&1].add(h, ref)
		}
	}
	width := 1 << (x.depth - t.depth)
	first := int(h>>(64-x.depth)) &^ (width - 1)
	for i := range width {
		x.dir[first+i] = half[i*2/width]
	}
}

// remove takes out a ref that is there.
func (x *index) remove(h uint64, ref uint32) {
	t, want := x.table(h), tag(h)
	for g := home(h); ; g = (g + 1) & (buckets - 1) {
		b := &t.buckets[g]
		for m := b.matches(want); m != 0; m &= m - 1 {
			if i := bits.TrailingZeros32(m); b.refs[i] == ref {
				b.set(i, 0)
				t.live--
				return
			}
		}
		b.over--
	}
}

// tables returns how many tables there are.
func (x *index) tables() int {
	n := 0
	var last *table
	for _, t := range x.dir {
		if t != last {
			n++
			last = t
		}
	}
	return n
}
