package members

import (
	"hash/maphash"
	"math/bits"
	"unsafe"
)

// bucket is one cache line.
type bucket struct {
	low  uint64 // tags of places 0..7
	high uint32 // tags of places 8..11
	over uint16 // records that passed this bucket because it was full
	meta uint16 // in a table's first bucket: how many refs the table holds
	refs [places]uint32
}

const places = 12 // refs in a bucket

var _ = [1]struct{}{}[unsafe.Sizeof(bucket{})-64]

// index finds refs by hash. The directory has 1<<depth entries; a table of a smaller depth stands in several in a row.
type index struct {
	dir     []table
	depth   uint8
	deepest int // tables of that depth
	seed    maphash.Seed
}

func newIndex() index {
	return index{dir: []table{newTable(0, 0)}, deepest: 1, seed: maphash.MakeSeed()}
}

// A hash is read in three parts: its top bits lead to a table, those after them to a bucket, and the last 8 are the tag.

func (x *index) hash(member []byte) uint64 { return maphash.Bytes(x.seed, member) }

// table returns the table of a hash.
func (x *index) table(h uint64) table { return x.dir[h>>(64-x.depth)] }

// tag returns the 8 bits of a hash that a bucket keeps; never 0.
func tag(h uint64) byte { return max(byte(h), 1) }

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

// taken returns a word with bit i set for each place that holds a ref.
func (b *bucket) taken() uint32 { return ^b.matches(0) & (1<<places - 1) }

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

// find returns the ref of a member.
func (x *index) find(h uint64, r *records, skip int, member []byte) (ref uint32, ok bool) {
	t, want := x.table(h), tag(h)
	for g := t.home(h); ; g = t.after(g) {
		b := &t.buckets[g]
		for m := b.matches(want); m != 0; m &= m - 1 {
			if ref := b.refs[bits.TrailingZeros32(m)%places]; r.holds(ref, skip, member) {
				return ref, true
			}
		}
		if b.over == 0 {
			return 0, false
		}
	}
}

// add enters a ref that is not there, making room for it first if its table is full.
func (x *index) add(h uint64, ref uint32, rehash func(ref uint32) uint64) {
	t := x.table(h)
	for t.live() >= t.room() {
		x.grow(t, h, rehash)
		t = x.table(h)
	}
	t.add(h, ref)
}

// remove takes out a ref that is there, and gives back room that its table no longer needs.
func (x *index) remove(h uint64, ref uint32, rehash func(ref uint32) uint64) {
	t := x.table(h)
	t.remove(h, ref)
	if t.live()*sparse < t.room() {
		x.shrink(t, h, rehash)
	}
}

// replace writes another ref in the place of one that is there.
func (x *index) replace(h uint64, old, ref uint32) {
	t, want := x.table(h), tag(h)
	for g := t.home(h); ; g = t.after(g) {
		for m := t.buckets[g].matches(want); m != 0; m &= m - 1 {
			if i := bits.TrailingZeros32(m); t.buckets[g].refs[i] == old {
				t.buckets[g].refs[i] = ref
				return
			}
		}
	}
}
