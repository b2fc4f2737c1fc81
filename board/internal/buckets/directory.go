package buckets

import (
	"math/bits"
	"sync/atomic"
)

// maxDepth is the depth from which on a bucket is not split any more. It bounds the memory of a directory whose members' hashes collide.
const maxDepth = 28

// DefaultFull is the number of entries above which a bucket is split. A set of up to 128 entries is a listpack.
const DefaultFull = 120

var full atomic.Int64

// Full returns the number of entries above which a bucket is split.
func Full() int {
	if n := full.Load(); n > 0 {
		return int(n)
	}
	return DefaultFull
}

// SetFull replaces Full, for tests whose buckets are split soon; 0 restores it.
func SetFull(n int) { full.Store(int64(n)) }

// Hash returns the hash by which a member has a bucket: FNV-1a with the finalizer of MurmurHash3. Stored buckets depend on it: it never changes.
func Hash(member []byte) uint64 {
	h := uint64(14695981039346656037)
	for _, c := range member {
		h = (h ^ uint64(c)) * 1099511628211
	}
	h = (h ^ h>>33) * 0xff51afd7ed558ccd
	h = (h ^ h>>33) * 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}

// directory has the buckets of a tail: depths[n] is 1 more than the depth of bucket n, and 0 if there is none. Its length is a power of two.
type directory struct {
	depths []uint8
	count  int
}

// newDirectory returns the directory of one bucket, which has every hash.
func newDirectory() directory { return directory{[]uint8{1}, 1} }

// find returns the bucket of a hash. O(log buckets), and 1 or 2 steps in most cases.
func (d *directory) find(hash uint64) uint32 {
	n := uint32(hash & uint64(len(d.depths)-1))
	for d.depths[n] == 0 {
		n = parent(n)
	}
	return n
}

// topBit returns the highest bit of a number that is not 0.
func topBit(n uint32) uint32 { return 1 << (bits.Len32(n) - 1) }

// parent returns the bucket that bucket n, which is not 0, was split off.
func parent(n uint32) uint32 { return n &^ topBit(n) }

// child returns the bucket that a split of bucket n makes, and the bit that its members' hashes have. It returns false if n is not split any more.
func (d *directory) child(n uint32) (child uint32, bit uint64, ok bool) {
	depth := d.depths[n] - 1
	return n | 1<<depth, 1 << depth, depth < maxDepth
}

// split notes that bucket n has been split.
func (d *directory) split(n uint32) {
	child, _, _ := d.child(n)
	for int(child) >= len(d.depths) {
		d.depths = append(d.depths, make([]uint8, len(d.depths))...)
	}
	d.depths[n]++
	d.depths[child] = d.depths[n]
	d.count++
}

// has reports whether there is a bucket of a number.
func (d *directory) has(n uint32) bool { return int(n) < len(d.depths) && d.depths[n] > 0 }

// add notes that a bucket exists: then those that it came from have been split until it was there. Buckets may be added in any order.
func (d *directory) add(n uint32) {
	if d.has(n) {
		return
	}
	from := parent(n)
	for d.add(from); !d.has(n); {
		d.split(from)
	}
}

// numbers returns the buckets in ascending order.
func (d *directory) numbers() []uint32 {
	all := make([]uint32, 0, d.count)
	for n, depth := range d.depths {
		if depth > 0 {
			all = append(all, uint32(n))
		}
	}
	return all
}
