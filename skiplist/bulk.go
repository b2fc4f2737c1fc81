package skiplist

import "iter"

// DeleteRange removes the entries with ranks in [lo, hi); ranks that do not exist are left out. It frees leaves inside the range without
// reading their entries. The caller frees the records afterwards. O(log n + leaves inside).
func (l *List) DeleteRange(lo, hi int) {
	if lo, hi = max(lo, 0), min(hi, l.n); lo < hi {
		l.splice(lo, hi)
		l.changed()
	}
}

// splice removes the ranks [lo, hi) from the list. The range must exist and must not be empty. The leaf A in which the range begins
// keeps its entries before lo, and the leaf B in which the range ends keeps its entries from hi on. splice frees the leaves between
// them, and B too if it is empty.
//
//	before   A -----> x -----> y -----> B -----> C
//	after    A -----------------------> B -----> C        B's new first entry in the links to it
//	or       A --------------------------------> C
func (l *List) splice(lo, hi int) {
	var p, q path
	a, b := l.reach(lo, &p), l.reach(hi, &q)
	i, j := lo-int(p.rank[0]), hi-int(q.rank[0])
	slot, n := l.at(a)
	end, m := l.at(b)
	dead, stop := l.link(a, 0).next, l.link(b, 0).next
	var s, t prefix
	was := false // whether the entry of rank hi is a start
	if l.grouped {
		s, t = l.prefix(&p, i), l.prefix(&q, j)
		was = l.startAt(b, j)
	}
	height := 0 // of B's tower, if B stays and needs new links
	switch {
	case a == b:
		l.cut(slot, n, i, j)
		dead = stop
	case j < m:
		l.cut(end, m, 0, j)
		height, stop = int(l.place(end).height), b
	}
	l.n -= hi - lo
	if l.grouped {
		l.spliced(&p, &q, &s, &t, height)
	}
	l.bridge(&p, &q, lo, hi, height)
	if stop != none {
		next, _ := l.at(stop)
		l.place(next).prev = a
	}
	if l.grouped {
		l.restart(&p, i, was)
	}
	for dead != stop {
		next := l.link(dead, 0).next
		l.freeLeaf(dead)
		dead = next
	}
	l.lower()
	if next := l.link(l.mend(a), 0).next; next != none {
		l.mend(next)
	}
}

// bridge changes the links at the end of p so that they jump over the ranks [lo, hi). On levels below height they lead to the leaf at
// the end of q, which has already lost its entries before hi. On the other levels they lead to the targets of q's links.
func (l *List) bridge(p, q *path, lo, hi, height int) {
	var key uint64
	var ref uint32
	b := q.tower[0]
	if height > 0 {
		slot, _ := l.at(b)
		ref = l.leaf(slot).refs[0]
		key = l.records.Key(ref)
	}
	for level := range l.level {
		from, to := l.link(p.tower[level], level), l.link(q.tower[level], level)
		if level < height {
			to.span -= uint32(hi) - q.rank[level]
			from.key, from.ref, from.next, from.span = key, ref, b, uint32(lo)-p.rank[level]
			continue
		}
		span := q.rank[level] + to.span - uint32(hi-lo) - p.rank[level]
		from.key, from.ref, from.next, from.span = to.key, to.ref, to.next, span
	}
}

// Build replaces the contents of the list by the entries of refs, whose records must be in strictly ascending order. O(n).
func (l *List) Build(refs []uint32) {
	l.BuildFrom(func(yield func(uint64, uint32) bool) {
		for _, ref := range refs {
			if !yield(l.records.Key(ref), ref) {
				return
			}
		}
	})
}

// BuildFrom is Build for entries whose keys are known: it reads no records, unless the list counts groups. It fills leaves to 7/8: the
// first inserts afterwards would split full leaves, and emptier leaves would cost memory. O(n).
func (l *List) BuildFrom(entries iter.Seq2[uint64, uint32]) {
	l.reset()
	fill, n := max(l.leafSize*7/8, 1), 0
	var keys [maxLeaf]uint64
	var refs [maxLeaf]uint32
	var last path // the last tower of each level
	for key, ref := range entries {
		if n == fill {
			l.append(&last, keys[:n], refs[:n])
			n = 0
		}
		keys[n], refs[n] = key, ref
		n++
	}
	l.append(&last, keys[:n], refs[:n])
	for level := range l.level {
		l.link(last.tower[level], level).span = uint32(l.n) - last.rank[level]
	}
	if l.grouped {
		l.countAll()
	}
	l.changed()
}

// append adds a leaf of entries at the end of the list; last holds the last tower of each level. The first leaf is there already.
func (l *List) append(last *path, keys []uint64, refs []uint32) {
	if l.n > 0 {
		l.appendTower(last, keys[0], refs[0])
	}
	slot, _ := l.at(last.tower[0])
	copy(l.leaf(slot).refs[:], refs)
	l.frame(slot, keys)
	l.n += len(refs)
}

// appendTower adds a new tower at the end of the list. The new leaf begins with an entry of this key and ref.
func (l *List) appendTower(last *path, key uint64, ref uint32) {
	height, rank := l.newHeight(), uint32(l.n)
	tower := l.newTower(height)
	l.newLeaf(place{tower: tower, prev: last.tower[0], height: uint8(height)})
	l.raise(height, last)
	for level := range height {
		k := l.link(last.tower[level], level)
		k.key, k.ref, k.next, k.span = key, ref, tower, rank-last.rank[level]
		last.tower[level], last.rank[level] = tower, rank
		end := l.link(tower, level)
		end.key, end.ref, end.next = maxKey, 0, none
	}
}

// Replace changes the ref of an entry whose record has moved, and reports whether the list holds the old ref. Both records must be
// readable and have the same key and text. O(log n).
func (l *List) Replace(key uint64, old, ref uint32) bool {
	var p path
	tower, i, ok := l.find(key, old, &p)
	if !ok {
		return false
	}
	slot, _ := l.at(tower)
	l.leaf(slot).refs[i] = ref
	if i == 0 && tower != head {
		l.reach(int(p.rank[0]), &p)
		l.relabel(tower, &p)
	}
	l.changed()
	return true
}
