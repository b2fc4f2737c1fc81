package skiplist

// Delete removes an entry and returns the rank it had, or false if the list does not hold it. The entry's record, and that
// of every other entry, must still be readable. O(log n).
func (l *List) Delete(key uint64, ref uint32) (int, bool) {
	var p path
	tower, i, ok := l.find(key, ref, &p)
	if !ok {
		return 0, false
	}
	rank := int(p.rank[0]) + i
	l.remove(tower, i, &p)
	l.changed()
	return rank, true
}

// remove takes entry i out of a leaf that a descent into it has found. A first entry is in links too, and its leaf may go
// with it.
func (l *List) remove(tower uint32, i int, p *path) {
	rank := int(p.rank[0])
	if i == 0 && tower != head {
		l.splice(rank, rank+1)
		return
	}
	slot, n := l.at(tower)
	if l.grouped {
		own, next := l.weigh(tower, i)
		l.count(&p.tower, -own, -next)
	}
	l.cut(slot, n, i, i+1)
	l.n--
	for level := range l.level {
		l.link(p.tower[level], level).span--
	}
	l.mend(tower)
}

// cut takes entries i to j out of the n on a slot.
func (l *List) cut(slot uint32, n, i, j int) {
	f := l.leaf(slot)
	copy(f.pieces[i:], f.pieces[j:n])
	copy(f.refs[i:], f.refs[j:n])
}

// relabel writes a leaf's first entry into the links that lead to it; p leads to the leaf before.
func (l *List) relabel(tower uint32, p *path) {
	slot, _ := l.at(tower)
	ref := l.leaf(slot).refs[0]
	key := l.records.Key(ref)
	for level := range int(l.place(slot).height) {
		k := l.link(p.tower[level], level)
		k.key, k.ref = key, ref
	}
}

// unlink takes a tower out of every level and frees it and its leaf; p leads to the leaf before. Entries still counted by its
// links are now counted by the links before them.
//
//	before   A ----[a]----> B ----[b]----> C
//	after    A -----------[a+b]----------> C
func (l *List) unlink(tower uint32, p *path) {
	slot, _ := l.at(tower)
	for level := range int(l.place(slot).height) {
		a, b := l.link(p.tower[level], level), l.link(tower, level)
		a.key, a.ref, a.next, a.span = b.key, b.ref, b.next, a.span+b.span
		if l.grouped {
			l.addStarts(p.tower[level], level, int(l.starts(tower, level)))
		}
	}
	if next := l.link(tower, 0).next; next != none {
		after, _ := l.at(next)
		l.place(after).prev = l.place(slot).prev
	}
	l.freeLeaf(tower)
	l.lower()
}
