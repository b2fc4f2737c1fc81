package members

import (
	"math/bits"
	"unsafe"
)

const places = 12 // refs in a bucket

// bucket is one cache line.
type bucket struct {
	low  uint64 // tags of places 0..7
	high uint32 // tags of places 8..11
	over uint32 // records that passed this bucket because it was full
	refs [places]uint32
}

const bucketBytes = 64

var _ = [1]struct{}{}[unsafe.Sizeof(bucket{})-bucketBytes]

// tag returns the 8 bits of a hash that a bucket keeps; never 0, which marks an empty place.
func tag(h uint64) byte { return max(byte(h), 1) }

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// zeroBytes returns a word in which the top bit of a byte is set if that byte of v is zero. The result is exact. The shorter well-known
// form may also report the byte above a zero byte; then a search would find removed members.
func zeroBytes(v uint64) uint64 { return ^((v&^highs + ^uint64(highs)) | v | ^uint64(highs)) }

// matches returns the set of places whose tag is t: bit 8i for place i of the first eight, bit 8i+1 for place 8+i. Both words of tags
// fit into one result, so that callers need only one loop.
func (b *bucket) matches(t byte) uint64 {
	low := zeroBytes(b.low ^ ones*uint64(t))
	high := zeroBytes(uint64(b.high) ^ ones*uint64(t))
	return low>>7 | high>>6&0x02020202
}

// first returns the lowest place of a set that is not empty.
func first(set uint64) int {
	i := bits.TrailingZeros64(set)
	return i>>3 | i&1<<3
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

// live writes the refs of the occupied places to dst and returns their number.
func (b *bucket) live(dst *[places]uint32) int {
	n := 0
	for i, ref := range b.refs {
		if b.tag(i) != 0 {
			dst[n] = ref
			n++
		}
	}
	return n
}
