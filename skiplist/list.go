package skiplist

import (
	"math/bits"
	"unsafe"
)

const (
	maxLeaf   = 64 // entries in a leaf
	maxHeight = 16 // levels of a tower; at one in four, enough for 4^16 leaves

	leafBits = 7 // 128 leaves a page: 48 KiB, a whole number of allocator pages
	linkBits = 9 // 512 links a page: 12 KiB, a size class of the allocator

	head = uint32(0) // the tower of the first leaf
	none = uint32(0) // as the next of a link: the end, since nothing leads to the head

	maxKey = 1<<64 - 1 // the key of a link to nothing, so that a descent needs no second question
)

// Records gives access to the records of refs. The text is the bytes that order entries of equal key; the list does not keep it.
type Records interface {
	// Key returns the key of a ref that the list holds.
	Key(ref uint32) uint64
	// Text returns the text of a ref that the list holds.
	Text(ref uint32) []byte
}

// Options say what a list counts and how it grows; the zero value is right for most uses.
type Options struct {
	// Groups makes the list count groups: see List.Groups. Entries are of one group if they have one key and their texts begin
	// with the same GroupText bytes, which every text must have. It takes no memory, and a little time of each change.
	Groups    bool
	GroupText int // bytes; 0: entries are of one group if they have one key
	// LeafSize is the number of entries a leaf may hold, 2..64. 0 means 64. This and Height are for tests of hard cases.
	LeafSize int
	// Height returns the height of a new tower; it is clamped to 1..16. nil means a seeded generator that goes one level
	// up with a chance of one in four.
	Height func() int
}

// leaf holds entries in order. Their number is the span of the tower's level-0 link; their frame is in the leaf's place.
type leaf struct {
	pieces [maxLeaf]piece
	refs   [maxLeaf]uint32
}

// link leads to the next tower of its level. A descent reads links only, and one leaf at its end.
type link struct {
	key  uint64 // key of the first entry of next's leaf; maxKey if there is no next
	ref  uint32 // ref of that entry
	span uint32 // entries from this leaf's first to that entry, or to the end
	next uint32 // tower, or none
	slot uint32 // level 0: the tower's leaf; above, in a list with groups: the starts among the entries jumped over
}

// place describes the leaf on a slot: its frame, its tower and the tower before.
type place struct {
	from   uint64 // the frame: piece 0, in units of 1<<shift
	tower  uint32
	prev   uint32 // the tower before it on level 0; meaningless for the head
	height uint8
	shift  uint8
	starts uint8 // in a list with groups: how many of the leaf's entries are starts
}

// Facts of layout that the figures rest on: a leaf has no padding, and full pages are size classes of the allocator.
var (
	_ = [1]struct{}{}[unsafe.Sizeof(leaf{})-384]
	_ = [1]struct{}{}[unsafe.Sizeof(link{})-24]
	_ = [1]struct{}{}[unsafe.Sizeof(place{})/25]
)

// List is an ordered index. Make one with New.
type List struct {
	records   Records
	links     slab[link]
	leaves    slab[leaf]
	places    slab[place]           // parallel to leaves
	free      [maxHeight + 1]uint32 // first hole by height; none if there is none
	nLinks    uint32                // links handed out
	nFree     uint32                // of these, links in holes
	nLeaves   uint32                // slots in use
	n         int                   // entries
	level     int                   // levels in use, at least 1
	leafSize  int                   // from Options
	grouped   bool                  // from Options, as the next
	groupText int
	height    func() int // from Options; nil for the generator
	random    uint64     // state of the generator
	changes   uint64     // changes made, to spread the cost of checking big lists
}

// Len returns the number of entries. O(1).
func (l *List) Len() int { return l.n }

// Size returns the bytes of memory held. O(1).
func (l *List) Size() int {
	size := int(unsafe.Sizeof(*l))
	size += l.links.cap()*int(unsafe.Sizeof(link{})) + cap(l.links.pages)*24
	size += l.leaves.cap()*int(unsafe.Sizeof(leaf{})) + cap(l.leaves.pages)*24
	return size + l.places.cap()*int(unsafe.Sizeof(place{})) + cap(l.places.pages)*24
}

// link returns a tower's link of one level.
func (l *List) link(tower uint32, level int) *link {
	i := tower + uint32(level)
	return &l.links.pages[i>>linkBits][i&(1<<linkBits-1)]
}

// leaf returns the leaf on a slot.
func (l *List) leaf(slot uint32) *leaf {
	return &l.leaves.pages[slot>>leafBits][slot&(1<<leafBits-1)]
}

// place returns the place of a slot.
func (l *List) place(slot uint32) *place {
	return &l.places.pages[slot>>leafBits][slot&(1<<leafBits-1)]
}

// at returns the slot of a tower's leaf and the number of entries in the leaf.
func (l *List) at(tower uint32) (slot uint32, n int) {
	k := l.link(tower, 0)
	return k.slot, int(k.span)
}

// newHeight returns a random height for a new tower: each further level has probability 1/4.
func (l *List) newHeight() int {
	if l.height != nil {
		return min(max(l.height(), 1), maxHeight)
	}
	l.random += 0x9e3779b97f4a7c15
	z := l.random
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return min(1+bits.TrailingZeros64(z^z>>31)/2, maxHeight)
}

// A leaf does not hold keys, which the records hold already, but pieces: 16 bits of each key, in the leaf's frame.
//
//	key      |  above  |  piece + from  |  shift bits below  |
//	piece    = key>>shift - from
//
// A greater key has a greater or equal piece, so a search compares pieces. It reads an entry's key from the record only if the entry's
// piece equals the piece sought. Widening a frame needs no keys: shifting a piece right gives the same as shifting the key further. An
// outlier in a leaf makes its frame coarse until the leaf is split or merged; a search then reads up to six records.
//
// Pieces of 32 bits cost 3 more bytes per entry and are slower: zset's Set/op=update/len=1000000 takes 1768 ns with 16 bits and 2075 ns
// with 32.
type piece = uint16
