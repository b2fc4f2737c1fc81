package skiplist

// newTower allocates height adjacent links on one page: a hole of that height, or new links at the end of the slab. If the last page
// has too few links left, those become a hole.
func (l *List) newTower(height int) uint32 {
	if t := l.free[height]; t != none {
		l.takeHole(t)
		return t
	}
	const page = 1 << linkBits
	if left := page - l.nLinks&(page-1); left < uint32(height) {
		l.addHole(l.nLinks, int(left))
		l.nLinks += left
	}
	t := l.nLinks
	l.nLinks += uint32(height)
	l.links.reserve(l.nLinks)
	return t
}

// newLeaf allocates a slot, stores p there, and stores the slot in p's tower.
func (l *List) newLeaf(p place) (slot uint32) {
	slot = l.nLeaves
	l.nLeaves++
	l.leaves.reserve(l.nLeaves)
	l.places.reserve(l.nLeaves)
	*l.place(slot) = p
	l.link(p.tower, 0).slot = slot
	return slot
}

// freeLeaf frees a tower and its leaf. The last leaf moves into the freed slot, so that the slab stays dense (S7).
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

// raise puts levels below height into use, and sets p to the head on the new levels.
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

// lower removes the top levels that have no tower any more.
func (l *List) lower() {
	for l.level > 1 && l.link(head, l.level-1).next == none {
		l.level--
	}
}
