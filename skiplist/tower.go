package skiplist

import "github.com/zrankdb/zrank/internal/invariants"

// newTower hands out height links that stand side by side on one page.
func (l *List) newTower(height int) uint32 {
	if t := l.free[height]; t != 0 {
		l.free[height] = l.link(t, 0).next
		l.nFree -= uint32(height)
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
func (l *List) newLeaf(p place) (slot uint32) {
	slot = l.nLeaves
	l.nLeaves++
	l.leaves.reserve(l.nLeaves)
	l.places.reserve(l.nLeaves)
	*l.place(slot) = p
	l.link(p.tower, 0).slot = slot
	return slot
}

// freeLeaf takes a tower and its leaf out of use. The last leaf moves into the slot, which keeps the slab dense (S7).
func (l *List) freeLeaf(tower uint32) {
	slot := l.link(tower, 0).slot
	height := l.place(slot).height
	l.nLeaves--
	if last := l.nLeaves; slot != last {
		*l.leaf(slot) = *l.leaf(last)
		*l.place(slot) = *l.place(last)
		l.link(l.place(slot).tower, 0).slot = slot
	}
	l.leaves.release(l.nLeaves)
	l.places.release(l.nLeaves)
	l.link(tower, 0).next = l.free[height]
	l.free[height] = tower
	l.nFree += uint32(height)
}

// raise makes levels below height usable and p lead to the head there.
func (l *List) raise(height int, p *path) {
	for ; l.level < height; l.level++ {
		p.tower[l.level], p.rank[l.level] = head, 0
		*l.link(head, l.level) = link{key: maxKey, span: uint32(l.n)}
	}
}

// lower takes levels on which no tower is left out of use.
func (l *List) lower() {
	for l.level > 1 && l.link(head, l.level-1).next == none {
		l.level--
	}
}

// sparse reports whether so many links are free that it is time to repack: a quarter of them, and more than a page.
func (l *List) sparse() bool { return l.nFree > 1<<linkBits && l.nFree > l.nLinks/4 }

// repack copies the towers in use to fresh pages, in order. O(leaves), which the removals before have paid for.
func (l *List) repack() {
	old := l.links
	l.links, l.free = slab[link]{bits: linkBits}, [maxHeight + 1]uint32{}
	l.nLinks, l.nFree = 0, 0
	var last [maxHeight]uint32 // towers whose next is still the old one
	for from := head; ; {
		k := old.pages[from>>linkBits][from&(1<<linkBits-1):]
		p := l.place(k[0].slot)
		height := int(p.height)
		tower := l.newTower(height)
		p.prev, p.tower = last[0], tower
		for level := range height {
			*l.link(tower, level) = k[level]
			if tower != head {
				l.link(last[level], level).next = tower
			}
			last[level] = tower
		}
		if from = k[0].next; from == none {
			return
		}
	}
}

// changed is called at the end of every change.
func (l *List) changed() {
	if l.sparse() {
		l.repack()
	}
	if invariants.Enabled {
		l.changes++
		if invariants.Due(l.n, l.changes) {
			l.check()
		}
	}
}
