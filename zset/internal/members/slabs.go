package members

import (
	"math"
	"math/bits"
	"slices"
)

const (
	slabBytes = 64 << 10
	slabBits  = 13 // a slab's records start at up to 1<<13 places, 8 bytes apart

	maxSlabs = 1<<(32-slabBits) - 1 // so that no ref is nothing

	isLarge = math.MaxUint16 // in used: a slab of one large record
)

// slabs is a list of numbered slabs: memory without pointers. A new slab gets the lowest free number, and free numbers at the end are
// removed, so that the lists shrink with the slabs.
type slabs struct {
	list   [][]byte
	used   []uint16 // units of live records in each slab, or isLarge
	marks  []mark   // of each number, see pages.go
	unused []uint64 // a bit for each number below len(slabs) that no slab has; may be shorter
	lowest int      // no word of unused before this one has a bit
	gaps   int      // bits set in unused
	bytes  int      // memory held by slabs
}

// newBytes returns at least n bytes: the whole size class of the allocator.
func newBytes(n int) []byte {
	b := slices.Grow([]byte(nil), n)
	return b[:cap(b)]
}

// newSlab adds a slab with these bytes and returns its number. O(1), except for a search with one bit per slab.
func (s *slabs) newSlab(b []byte) int {
	s.bytes += cap(b)
	for ; s.lowest < len(s.unused); s.lowest++ {
		if word := s.unused[s.lowest]; word != 0 {
			s.unused[s.lowest] &= word - 1
			s.gaps--
			i := s.lowest*64 + bits.TrailingZeros64(word)
			s.list[i], s.used[i] = b, 0
			s.marks[i] |= changed
			return i
		}
	}
	s.list, s.used, s.marks = append(s.list, b), append(s.used, 0), append(s.marks, changed)
	return len(s.list) - 1
}

// freeSlab frees a slab. Amortized O(1): it trims trailing free slab numbers.
func (s *slabs) freeSlab(i int) {
	s.bytes -= cap(s.list[i])
	s.list[i] = nil
	s.marks[i] |= changed
	s.noteUnused(i)
	n := len(s.list)
	for ; n > 0 && s.list[n-1] == nil; n-- {
		s.unused[(n-1)/64] &^= 1 << ((n - 1) % 64)
		s.gaps--
	}
	s.list, s.used, s.marks = s.list[:n], s.used[:n], s.marks[:n]
	s.unused = s.unused[:min(len(s.unused), (n+63)/64)]
	if cap(s.list) >= 64 && n <= cap(s.list)/4 {
		s.list, s.used, s.marks, s.unused = slices.Clone(s.list), slices.Clone(s.used), slices.Clone(s.marks), slices.Clone(s.unused)
	}
}

// noteUnused notes that no slab has the number.
func (s *slabs) noteUnused(i int) {
	for len(s.unused) <= i/64 {
		s.unused = append(s.unused, 0)
	}
	s.unused[i/64] |= 1 << (i % 64)
	s.gaps++
	s.lowest = min(s.lowest, i/64)
}

// isFull reports whether no further slab can be numbered: after 32 GiB of records or half a million large ones.
func (s *slabs) isFull() bool { return len(s.list) >= maxSlabs && s.gaps == 0 }

// overhead returns the bytes held beside the slabs. O(1).
func (s *slabs) overhead() int {
	return cap(s.list)*24 + cap(s.used)*2 + cap(s.marks) + cap(s.unused)*8
}

// mark is the state of a page for snapshots.
type mark uint8

const (
	changed mark = 1 << iota // since it was last taken, or it was never taken
	taken                    // by the snapshot that is being written
)

// touch marks the page of a record as changed. Every update calls it, so it is cheap: one byte in a slice that stays in the cache.
func (s *slabs) touch(ref uint32) { s.marks[ref>>slabBits] |= changed }
