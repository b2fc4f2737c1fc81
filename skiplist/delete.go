package skiplist

// Delete removes an entry and returns the rank it had, or false if the list does not hold it. The records of this and
// all other entries must still be readable. O(log n).
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

// remove removes entry i of the leaf at the end of path p. For the first entry of a leaf it calls splice, because links cache that entry
// and it may be the leaf's only one. The head's first entry is in no link.
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
