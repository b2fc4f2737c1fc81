package skiplist

// newTower hands out height links that stand side by side on one page: those of a freed tower of that height, or new ones.
func (l *List) newTower(height int) uint32 {
	if t := l.free[height]; t != none {
		l.takeHole(t)
		return t
	}
	const page = 1 << linkBits
	if room := page - l.nLinks&(page-1); room < uint32(height) {
		l.addHole(l.nLinks, int(room))
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
	l.addHole(tower, int(height))
}

// raise makes levels below height usable and p lead to the head there.
func (l *List) raise(height int, p *path) {
	for ; l.level < height; l.level++ {
		p.tower[l.level], p.rank[l.level] = head, 0
		k := l.link(head, l.level)
		*k = link{key: maxKey, span: uint32(l.n)}
		if l.grouped {
			k.slot = l.across(head, l.level)
		}
	}
}

// lower takes levels on which no tower is left out of use.
func (l *List) lower() {
	for l.level > 1 && l.link(head, l.level-1).next == none {
		l.level--
	}
}
