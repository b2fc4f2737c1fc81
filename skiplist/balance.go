package skiplist

// A leaf that is less than half full merges with a neighbour if the merged leaf has a sixteenth free. A full leaf gives entries to a
// neighbour that has a quarter free; otherwise it is split. Random inserts fill leaves to 80 %, random updates keep them at 73 %.
// How full leaves are under other rules, after inserts and after updates:
//
//	split when full, merge below 3/8 up to 7/8               69 %   61 %
//	share, merge below 1/2 up to 7/8                         80 %   71 %
//	share, merge below 1/2 up to 15/16 (here)                80 %   73 %

// minFill is the number of entries below which a leaf is refilled even if it cannot merge.
func (l *List) minFill() int { return l.leafSize / 4 }

// merged is the largest number of entries of two leaves that become one.
func (l *List) merged() int { return l.leafSize * 15 / 16 }

// spacious is the largest number of entries of a leaf that takes some from a full one. Both then have free space.
func (l *List) spacious() int { return (l.leafSize - 2) * 3 / 4 }

// mend merges a leaf that has become too small with a neighbour, or moves entries of the next leaf into it. It repeats this if the
// merged leaf is still too small. It returns the tower of the leaf that has the entries now.
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

// balance merges a leaf with the next one, or distributes their entries evenly. It searches for the first entry of the second leaf to
// get the rank of that entry, and with the rank the path to the first leaf.
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
	moved := 0 // number of starts that move from b to a
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

// share moves entries of a full leaf to a neighbour that has a quarter free. It reports whether there is such a neighbour.
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
