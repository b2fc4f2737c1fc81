package skiplist

// Links that no tower uses are holes. The holes of one height form a doubly linked chain through their first links. In such a link, next
// and ref are the next and the previous hole, span is the height, and slot is isHole. No link of a tower has that slot, so that holes
// and towers can be told apart when the slab is read from its end.
const isHole = ^uint32(0)

// trimSteps is how many towers one change moves at most. A move costs one or two descents.
const trimSteps = 32

// sparse reports whether the slab should become shorter: at least a quarter of its links, and more than a few, are holes.
func (l *List) sparse() bool { return l.nFree > 128 && l.nFree > l.nLinks/4 }

// addHole makes links a hole.
func (l *List) addHole(at uint32, height int) {
	l.links.reserve(at + uint32(height))
	for level := 1; level < height; level++ {
		l.link(at, level).slot = 0
	}
	after := l.free[height]
	*l.link(at, 0) = link{next: after, ref: none, span: uint32(height), slot: isHole}
	if after != none {
		l.link(after, 0).ref = at
	}
	l.free[height] = at
	l.nFree += uint32(height)
}

// takeHole makes a hole links of a tower.
func (l *List) takeHole(at uint32) {
	k := l.link(at, 0)
	height, after, before := k.span, k.next, k.ref
	if after != none {
		l.link(after, 0).ref = before
	}
	if before != none {
		l.link(before, 0).next = after
	} else {
		l.free[height] = after
	}
	k.slot = 0
	l.nFree -= height
}

// trim removes the last hole or tower from the end of the slab of links. It moves a tower into a hole of at least its height, and
// reports false if there is none. O(log n).
func (l *List) trim() bool {
	start, height, tower := l.last()
	if tower {
		to := l.fit(height)
		if to == none {
			return false
		}
		l.moveTower(start, to, height)
	} else {
		l.takeHole(start)
	}
	l.nLinks = start
	l.links.release(start)
	return true
}

// last returns the tower or the hole at the end of the slab. It tries each height: the links of that height at the end must be a hole
// of that height, or a tower whose place names it.
func (l *List) last() (start uint32, height int, tower bool) {
	for height = 1; height < maxHeight; height++ {
		start = l.nLinks - uint32(height)
		k := l.link(start, 0)
		if k.slot == isHole && k.span == uint32(height) {
			return start, height, false
		}
		if k.slot < l.nLeaves {
			if p := l.place(k.slot); p.tower == start && int(p.height) == height {
				return start, height, true
			}
		}
	}
	start = l.nLinks - maxHeight
	return start, maxHeight, l.link(start, 0).slot != isHole
}

// fit takes links for a tower from the smallest hole that is high enough. The remaining links become a smaller hole.
func (l *List) fit(height int) uint32 {
	for h := height; h <= maxHeight; h++ {
		if at := l.free[h]; at != none {
			l.takeHole(at)
			if h > height {
				l.addHole(at+uint32(height), h-height)
			}
			return at
		}
	}
	return none
}

// moveTower moves a tower to other links, and updates the links, the place and the next leaf's prev that name it.
func (l *List) moveTower(from, to uint32, height int) {
	slot, _ := l.at(from)
	first := l.leaf(slot).refs[0]
	var p path
	l.descend(l.records.Key(first), l.records.Text(first), &p)
	l.reach(int(p.rank[0]), &p)
	for level := range height {
		*l.link(to, level) = *l.link(from, level)
		l.link(p.tower[level], level).next = to
	}
	l.place(slot).tower = to
	if next := l.link(to, 0).next; next != none {
		after, _ := l.at(next)
		l.place(after).prev = to
	}
}
