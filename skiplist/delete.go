package skiplist

// Delete removes an entry and returns the rank it had, or false if the list does not hold it. The entry's text, and that of
// every other entry, must still be readable. O(log n).
func (l *List) Delete(key uint64, ref uint32) (int, bool) {
	var p path
	tower, i, ok := l.find(key, ref, &p)
	if !ok {
		return 0, false
	}
	rank := p.rank[0] + i
	l.remove(tower, i, &p)
	l.changed()
	return rank, true
}

// Update gives an entry a new key and reports whether the list holds it under the old one. change, if not nil, is called
// while the entry is out of the order, and may give its record another text. An entry that passes no neighbour stays where
// it is. O(log n).
func (l *List) Update(old, key uint64, ref uint32, change func()) bool {
	var p path
	tower, i, ok := l.find(old, ref, &p)
	if !ok {
		return false
	}
	if l.fits(tower, i, key) {
		f, _ := l.leaf(tower)
		f.keys[i] = key
		if change != nil {
			change()
		}
	} else {
		l.remove(tower, i, &p)
		if change != nil {
			change()
		}
		l.insert(key, ref)
	}
	l.changed()
	return true
}

// fits reports whether entry i of a leaf could have the key without passing a neighbour or meeting an equal key. A first
// entry is in links too and is left to the general case, but for the head's, which no link caches.
func (l *List) fits(tower uint32, i int, key uint64) bool {
	f, n := l.leaf(tower)
	if i == 0 && tower != head || i > 0 && f.keys[i-1] >= key {
		return false
	}
	if i+1 < n {
		return key < f.keys[i+1]
	}
	next := l.link(tower, 0)
	return next.next == none || key < next.key
}

// remove takes entry i out of a leaf that a descent into it has found, and mends what depends on it: spans, links that
// cache a first entry, and leaves that have become too small.
func (l *List) remove(tower uint32, i int, p *path) {
	f, n := l.leaf(tower)
	key, ref := f.keys[i], f.refs[i]
	copy(f.keys[i:], f.keys[i+1:n])
	copy(f.refs[i:], f.refs[i+1:n])
	l.n--
	n--
	for level := range l.level {
		l.link(p.tower[level], level).span--
	}
	switch {
	case n == 0 && tower != head:
		l.descend(key, l.texts.Text(ref), p, before)
		l.unlink(tower, p)
		return
	case i == 0 && tower != head:
		l.descend(key, l.texts.Text(ref), p, before)
		l.relabel(tower, p)
	}
	next := l.link(tower, 0).next
	sparse := n < l.minFill() && tower != head
	if next != none && (sparse || n == 0) {
		l.refill(tower, next)
	}
}

// minFill is the number of entries below which a leaf is refilled. Leaves of 3/8 that merge at 7/8 can lose or gain an eighth
// before they are touched again, so a set that churns does not move entries to and fro.
func (l *List) minFill() int { return l.leafSize * 3 / 8 }

// relabel writes a leaf's first entry into the links that lead to it; p comes from a descent that stopped before the leaf.
func (l *List) relabel(tower uint32, p *path) {
	f, _ := l.leaf(tower)
	for level := range int(l.place(tower).height) {
		k := l.link(p.tower[level], level)
		k.key, k.ref = f.keys[0], f.refs[0]
	}
}

// unlink takes a tower out of every level and frees it and its leaf; p comes from a descent that stopped before the leaf.
// Entries still counted by its links are now counted by the links before them.
//
//	before   A ----[a]----> B ----[b]----> C
//	after    A -----------[a+b]----------> C
func (l *List) unlink(tower uint32, p *path) {
	for level := range int(l.place(tower).height) {
		a, b := l.link(p.tower[level], level), l.link(tower, level)
		a.key, a.ref, a.next, a.span = b.key, b.ref, b.next, a.span+b.span
	}
	if next := l.link(tower, 0).next; next != none {
		l.place(next).prev = l.place(tower).prev
	}
	l.freeLeaf(tower)
	for l.level > 1 && l.link(head, l.level-1).next == none {
		l.level--
	}
}

// refill gives a leaf that has become too small entries of the leaf after it: all, if they leave an eighth of a leaf free,
// else so many that both hold the same.
func (l *List) refill(tower, next uint32) {
	f, n := l.leaf(tower)
	g, m := l.leaf(next)
	var p path
	l.descend(g.keys[0], l.texts.Text(g.refs[0]), &p, before)
	take := m
	if total := n + m; total > l.leafSize*7/8 && n > 0 {
		take = (m - n + 1) / 2
	}
	copy(f.keys[n:], g.keys[:take])
	copy(f.refs[n:], g.refs[:take])
	if take == m {
		l.unlink(next, &p)
		return
	}
	copy(g.keys[:], g.keys[take:m])
	copy(g.refs[:], g.refs[take:m])
	for level := range int(l.place(next).height) {
		l.link(p.tower[level], level).span += uint32(take)
		l.link(next, level).span -= uint32(take)
	}
	l.relabel(next, &p)
}
