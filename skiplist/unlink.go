package skiplist

// cut removes the entries [i, j) of a slot that has n entries.
func (l *List) cut(slot uint32, n, i, j int) {
	f := l.leaf(slot)
	copy(f.pieces[i:], f.pieces[j:n])
	copy(f.refs[i:], f.refs[j:n])
}

// relabel writes a leaf's first entry into the links that lead to the leaf. p must lead to the leaf before it.
func (l *List) relabel(tower uint32, p *path) {
	slot, _ := l.at(tower)
	ref := l.leaf(slot).refs[0]
	key := l.records.Key(ref)
	for level := range int(l.place(slot).height) {
		k := l.link(p.tower[level], level)
		k.key, k.ref = key, ref
	}
}

// unlink removes a tower from every level and frees the tower and its leaf. p must lead to the leaf before it. The spans of its links
// are added to those of the links before them.
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
