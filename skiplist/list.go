package skiplist

import (
	"math/bits"
	"unsafe"

	"github.com/zrankdb/zrank/internal/invariants"
)

const (
	maxLeaf   = 64 // entries in a leaf
	maxHeight = 16 // levels of a tower; at one in four, enough for 4^16 leaves

	leafBits = 6 // 64 leaves a page: 48 KiB, a whole number of allocator pages
	linkBits = 8 // 256 links a page: 6 KiB, a size class of the allocator

	head = uint32(0) // the tower of the first leaf
	none = uint32(0) // as the next of a link: the end, since nothing leads to the head
)

// Texts gives the bytes that order entries of equal key. The slice is read at once and not kept.
type Texts interface {
	Text(ref uint32) []byte
}

// Options are for tests of hard cases; the zero value is right for use.
type Options struct {
	// LeafSize is the number of entries a leaf may hold, 2..64. 0 means 64.
	LeafSize int
	// Height returns the height of a new tower; it is clamped to 1..16. nil means a seeded generator that goes one level
	// up with a chance of one in four.
	Height func() int
}

// leaf holds entries in order. Their number is the span of the level-0 link of its tower.
type leaf struct {
	keys [maxLeaf]uint64
	refs [maxLeaf]uint32
}

// link leads to the next tower of its level. A descent reads links only, and one leaf at its end.
type link struct {
	key  uint64 // key of the first entry of next's leaf
	ref  uint32 // ref of that entry
	span uint32 // entries from this leaf's first to that entry, or to the end
	next uint32 // tower, or none
	slot uint32 // the tower's leaf; kept on level 0 only
}

// place says what stands on a leaf's slot, for the way back from slot to tower.
type place struct {
	tower  uint32
	prev   uint32 // the tower before it on level 0; meaningless for the head
	height uint32
}

// Facts of layout that the figures rest on: a leaf has no padding, three links make a cache line and a half.
var (
	_ = [1]struct{}{}[unsafe.Sizeof(leaf{})-768]
	_ = [1]struct{}{}[unsafe.Sizeof(link{})-24]
)

// List is an ordered index. Make one with New.
type List struct {
	texts    Texts
	links    slab[link]
	leaves   slab[leaf]
	places   slab[place]           // parallel to leaves
	free     [maxHeight + 1]uint32 // freed towers by height, chained through link.next; 0 ends a chain
	nLinks   uint32                // links handed out
	nLeaves  uint32                // slots in use
	n        int                   // entries
	level    int                   // levels in use, at least 1
	leafSize int                   // from Options
	height   func() int            // from Options; nil for the generator
	random   uint64                // state of the generator
	changes  uint64                // changes made, to spread the cost of checking big lists
}

// New returns an empty list over the records that texts knows.
func New(texts Texts, o Options) *List {
	l := &List{texts: texts, leafSize: o.LeafSize, height: o.Height, level: 1, random: 1}
	if l.leafSize == 0 {
		l.leafSize = maxLeaf
	}
	l.leafSize = min(max(l.leafSize, 2), maxLeaf)
	l.links.bits, l.leaves.bits, l.places.bits = linkBits, leafBits, leafBits
	l.newTower(maxHeight)
	l.newLeaf(place{tower: head, height: maxHeight})
	return l
}

// Len returns the number of entries. O(1).
func (l *List) Len() int { return l.n }

// Size returns the bytes of memory held. O(pages).
func (l *List) Size() int {
	size := int(unsafe.Sizeof(*l))
	size += l.links.cap()*int(unsafe.Sizeof(link{})) + cap(l.links.pages)*24
	size += l.leaves.cap()*int(unsafe.Sizeof(leaf{})) + cap(l.leaves.pages)*24
	return size + l.places.cap()*int(unsafe.Sizeof(place{})) + cap(l.places.pages)*24
}

// link returns a tower's link of one level.
func (l *List) link(tower uint32, level int) *link { return l.links.at(tower + uint32(level)) }

// leaf returns the leaf that a tower stands on and the number of its entries.
func (l *List) leaf(tower uint32) (*leaf, int) {
	k := l.links.at(tower)
	return l.leaves.at(k.slot), int(k.span)
}

// place returns what is known of the leaf under a tower.
func (l *List) place(tower uint32) *place { return l.places.at(l.links.at(tower).slot) }

// newHeight draws the height of a new tower.
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

// newTower hands out height links that stand side by side on one page.
func (l *List) newTower(height int) uint32 {
	if t := l.free[height]; t != 0 {
		l.free[height] = l.links.at(t).next
		return t
	}
	const page = 1 << linkBits
	if room := page - l.nLinks&(page-1); room < uint32(height) {
		l.nLinks += room
	}
	t := l.nLinks
	l.nLinks += uint32(height)
	l.links.reserve(l.nLinks)
	return t
}

// newLeaf hands out a slot, puts p on it and tells p's tower.
func (l *List) newLeaf(p place) {
	slot := l.nLeaves
	l.nLeaves++
	l.leaves.reserve(l.nLeaves)
	l.places.reserve(l.nLeaves)
	*l.places.at(slot) = p
	l.links.at(p.tower).slot = slot
}

// freeLeaf takes a tower and its leaf out of use. The last leaf moves into the slot, which keeps the slab dense (S7).
func (l *List) freeLeaf(tower uint32) {
	slot := l.links.at(tower).slot
	height := l.places.at(slot).height
	l.nLeaves--
	if last := l.nLeaves; slot != last {
		*l.leaves.at(slot) = *l.leaves.at(last)
		*l.places.at(slot) = *l.places.at(last)
		l.links.at(l.places.at(slot).tower).slot = slot
	}
	l.leaves.release(l.nLeaves)
	l.places.release(l.nLeaves)
	l.links.at(tower).next = l.free[height]
	l.free[height] = tower
}

// changed is called at the end of every change.
func (l *List) changed() {
	if invariants.Enabled {
		l.changes++
		if invariants.Due(l.n, l.changes) {
			l.check()
		}
	}
}
