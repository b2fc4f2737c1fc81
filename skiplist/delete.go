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
	l.cut(slot, n, i, i+1)
	l.n--
	for level := range l.level {
		l.link(p.tower[level], level).span--
	}
	l.mend(tower, rank)
}

// cut takes entries i to j out of the n on a slot.
func (l *List) cut(slot uint32, n, i, j int) {
	f := l.leaf(slot)
	copy(f.pieces[i:], f.pieces[j:n])
	copy(f.refs[i:], f.refs[j:n])
}

// minFill is the number of entries below which a leaf is refilled. Leaves of 3/8 that merge at 7/8 can lose or gain an eighth
// before they are touched again, so a set that churns does not move entries to and fro.
func (l *List) minFill() int { return l.leafSize * 3 / 8 }

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
	}
	if next := l.link(tower, 0).next; next != none {
		after, _ := l.at(next)
		l.place(after).prev = l.place(slot).prev
	}
	l.freeLeaf(tower)
	l.lower()
}

// mend gives a leaf that begins at a rank and has become too small entries of the leaf after it: all, if they leave an eighth
// of a leaf free, else so many that both hold the same; and again, if two small leaves have made one that is still too small.
func (l *List) mend(tower uint32, rank int) {
	for {
		slot, n := l.at(tower)
		next := l.link(tower, 0).next
		if next == none || n >= l.minFill() && n > 0 || n > 0 && tower == head {
			return
		}
		l.refill(slot, next, rank, n)
	}
}

// refill moves entries to the n on a slot, of which the first has a rank, from the leaf of the next tower.
func (l *List) refill(slot, next uint32, rank, n int) {
	from, m := l.at(next)
	var p path
	l.reach(rank+n, &p)
	take := m
	if n+m > l.leafSize*7/8 && n > 0 {
		take = (m - n + 1) / 2
	}
	copy(l.leaf(slot).refs[n:], l.leaf(from).refs[:take])
	l.refit(slot, n+take)
	if take == m {
		l.unlink(next, &p)
		return
	}
	l.cut(from, m, 0, take)
	l.refit(from, m-take)
	for level := range int(l.place(from).height) {
		l.link(p.tower[level], level).span += uint32(take)
		l.link(next, level).span -= uint32(take)
	}
	l.relabel(next, &p)
}
