package skiplist

// Insert adds an entry that the list does not hold and returns its rank. Its record must be readable already. O(log n).
func (l *List) Insert(key uint64, ref uint32) int {
	rank := l.insert(key, ref)
	l.changed()
	return rank
}

// insert is Insert without the check. If the leaf is full, it first moves entries to a neighbour or splits the leaf.
func (l *List) insert(key uint64, ref uint32) int {
	var p path
	text := l.records.Text(ref)
	tower := l.descend(key, text, &p)
	slot, n := l.at(tower)
	i := l.search(slot, n, key, text)
	rank := int(p.rank[0]) + i
	if n == l.leafSize {
		half := n / 2
		switch {
		case i == n && l.link(tower, 0).next == none:
			half = n // an insert at the end: the left leaf stays full
		case i == 0 && tower == head:
			half = 0 // an insert at the front: the right leaf stays full, as for boards whose best entry comes first
		case l.share(tower):
			return l.insert(key, ref)
		}
		right, height := l.split(tower, half, &p, key, ref)
		if i > half || half == n {
			tower, i = right, i-half
			for level := range height {
				p.tower[level] = right
			}
		}
		slot, n = l.at(tower)
	}
	l.put(slot, n, i, l.admit(slot, n, key), ref)
	l.n++
	for level := range l.level {
		l.link(p.tower[level], level).span++
	}
	if l.grouped {
		own, next := l.weigh(tower, i)
		l.count(&p.tower, own, next)
	}
	return rank
}

// put inserts an entry at index i of a slot that has n entries.
func (l *List) put(slot uint32, n, i int, x piece, ref uint32) {
	f := l.leaf(slot)
	copy(f.pieces[i+1:n+1], f.pieces[i:n])
	copy(f.refs[i+1:n+1], f.refs[i:n])
	f.pieces[i], f.refs[i] = x, ref
}

// split moves the entries from index half on to a new leaf after this one, and returns the new tower and its height. If half is the
// number of entries, the new leaf is empty, and the caller will put (key, ref) there.
//
//	before   A ----------------[a]---------------> C      a: entries from A's first to C's first
//	after    A ----[a-c]----> B --------[c]------> C      c: entries from B's first to C's first
//
// On levels above the new tower nothing changes: the links there still jump over the same entries.
func (l *List) split(left uint32, half int, p *path, key uint64, ref uint32) (right uint32, height int) {
	height = l.newHeight()
	right = l.newTower(height)
	slot, n := l.at(left)
	fresh := l.newLeaf(place{tower: right, prev: left, height: uint8(height)})
	l.raise(height, p)
	var s prefix
	if l.grouped {
		s = l.prefix(p, half)
	}
	from, to := l.leaf(slot), l.leaf(fresh)
	if moved := copy(to.refs[:], from.refs[half:n]); moved > 0 {
		ref = to.refs[0]
		key = l.records.Key(ref)
		l.refit(slot, half)
		l.refit(fresh, moved)
	}
	rank := p.rank[0] + uint32(half)
	for level := range height {
		a, b := l.link(p.tower[level], level), l.link(right, level)
		jump := rank - p.rank[level]
		b.key, b.ref, b.next, b.span = a.key, a.ref, a.next, a.span-jump
		a.key, a.ref, a.next, a.span = key, ref, right, jump
	}
	if l.grouped {
		l.parted(p, &s, right)
	}
	if next := l.link(right, 0).next; next != none {
		after, _ := l.at(next)
		l.place(after).prev = right
	}
	return right, height
}
