package skiplist

// A leaf below half merges with a neighbour if together they leave a sixteenth of a leaf free; a full one gives entries to a
// neighbour that has a quarter free before it is split. Random inserts fill leaves to 80 %, random updates keep them at 73 %.
// What each rule is worth, leaves full after inserts and after updates:
//
//	split when full, merge below 3/8 up to 7/8               69 %   61 %
//	share, merge below 1/2 up to 7/8                         80 %   71 %
//	share, merge below 1/2 up to 15/16 (here)                80 %   73 %

// minFill is the number of entries below which a leaf is refilled even if it cannot merge.
func (l *List) minFill() int { return l.leafSize / 4 }

// merged is the largest number of entries of two leaves that become one.
func (l *List) merged() int { return l.leafSize * 15 / 16 }

// spacious is the largest number of entries of a leaf that takes some from a full one. Both then have room.
func (l *List) spacious() int { return (l.leafSize - 2) * 3 / 4 }

// mend merges a leaf that has become too small with a neighbour, or gives it entries of the leaf after it; and again, if two
// small leaves have made one that is still too small. It returns the tower under which the entries now stand.
func (l *List) mend(tower uint32) uint32 {
	for {
		slot, n := l.at(tower)
		if n >= l.leafSize/2 && n > 0 || n > 0 && tower == head {
			return tower
		}
		next, prev := l.link(tower, 0).next, l.place(slot).prev
		switch {
		case next != none && (n == 0 || l.room(next, n)):
			l.balance(tower, next)
		case tower != head && l.room(prev, n):
			l.balance(prev, tower)
			tower = prev
		case next != none && n < l.minFill():
			l.balance(tower, next)
		default:
			return tower
		}
	}
}

// room reports whether a leaf and n more entries may become one leaf.
func (l *List) room(tower uint32, n int) bool {
	_, m := l.at(tower)
	return n+m <= l.merged()
}

// balance makes one leaf of two, the second of which is the next of the first, or gives both the same number of entries. The
// second's first entry gives its rank, and the rank the path to the leaf before.
func (l *List) balance(tower, next uint32) {
	a, n := l.at(tower)
	b, m := l.at(next)
	var p path
	first := l.leaf(b).refs[0]
	l.descend(l.records.Key(first), l.records.Text(first), &p)
	l.reach(int(p.rank[0]), &p)
	var all [2 * maxLeaf]uint32
	copy(all[:], l.leaf(a).refs[:n])
	copy(all[n:], l.leaf(b).refs[:m])
	if n+m <= l.merged() || n == 0 {
		copy(l.leaf(a).refs[:], all[:n+m])
		l.refit(a, n+m)
		l.unlink(next, &p)
		return
	}
	left := (n + m + 1) / 2
	moved := 0 // starts, from b to a
	if l.grouped && left < n {
		moved = -l.turns(a, left, n)
	}
	copy(l.leaf(a).refs[:], all[:left])
	copy(l.leaf(b).refs[:], all[left:n+m])
	l.refit(a, left)
	l.refit(b, n+m-left)
	if l.grouped && left > n {
		moved = l.turns(a, n, left)
	}
	l.count(&p.tower, moved, moved)
	for level := range int(l.place(b).height) {
		l.link(p.tower[level], level).span += uint32(left - n)
		l.link(next, level).span -= uint32(left - n)
	}
	l.relabel(next, &p)
}

// share gives entries of a full leaf to a neighbour that has a quarter free and reports whether there is one.
func (l *List) share(tower uint32) bool {
	slot, _ := l.at(tower)
	next, prev := l.link(tower, 0).next, l.place(slot).prev
	_, m := l.at(next)
	_, k := l.at(prev)
	switch {
	case next != none && m <= l.spacious():
		l.balance(tower, next)
	case tower != head && k <= l.spacious():
		l.balance(prev, tower)
	default:
		return false
	}
	return true
}
