package skiplist

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
