package skiplist

import (
	"math/bits"
	"runtime"
)

// Update changes the key of an entry, and returns its ranks before and after. ok is false if the list does not hold the entry under the old
// key. text is the entry's new text, or nil if the text does not change. Update calls change once, when it does not read the entry's record;
// change must write the new key, and the new text if any, into the record. If the new position is in the same leaf, the entry moves inside
// the leaf. O(log n).
func (l *List) Update(old, key uint64, ref uint32, text []byte, change func()) (before, after int, ok bool) {
	oldText := l.records.Text(ref)
	if text == nil {
		text = oldText
	}
	a, b := goal{key: old, text: oldText}, goal{key: key, text: text} // the old and the new position
	parted := l.descendBoth(&a, &b)
	from, n := l.at(a.tower[0])
	to, m := l.at(b.tower[0])
	l.touch(from, to)
	i, ok := l.index(from, n, old, ref)
	if !ok {
		return 0, 0, false
	}
	j := i
	if from != to || !l.stays(from, n, i, key) {
		j = l.search(to, m, key, text)
	}
	before, after = int(a.rank)+i, int(b.rank)+j
	if after > before { // the entry itself is one of those before its new position
		after--
	}
	switch first := i == 0 && a.tower[0] != head; { // links cache the first entry of a leaf, except the head's
	case first || from != to && m == l.leafSize:
		l.move(old, key, ref, change)
	case from == to:
		own, next := l.leaving(&a, i)
		j = l.shift(from, n, i, j, key, ref)
		change()
		l.arriving(&a, j, own, next)
	default:
		own, next := l.leaving(&a, i)
		l.count(&a.tower, own, next)
		l.cut(from, n, i, i+1)
		l.put(to, m, j, l.admit(to, m, key), ref)
		for level := range parted {
			l.link(a.tower[level], level).span--
			l.link(b.tower[level], level).span++
		}
		change()
		l.arriving(&b, j, 0, 0)
		l.mend(a.tower[0])
	}
	l.changed()
	return before, after, true
}

// stays reports whether entry i of the n on a slot is at the place of a new key of its own, by the pieces beside it alone.
func (l *List) stays(slot uint32, n, i int, key uint64) bool {
	x, _, ok := l.place(slot).piece(key)
	f := l.leaf(slot)
	return ok && (i == 0 || f.pieces[i-1] < x) && (i == n-1 || f.pieces[i+1] > x)
}

// leaving returns how the removal of entry i changes the starts of its leaf and of the next leaf: the negative of weigh's result. It must
// be called before the removal.
func (l *List) leaving(g *goal, i int) (own, next int) {
	if l.grouped {
		own, next = l.weigh(g.tower[0], i)
	}
	return -own, -next
}

// arriving updates the starts after entry i was inserted. own and next are leaving's results for an entry that left the same leaf.
func (l *List) arriving(g *goal, i, own, next int) {
	if l.grouped {
		more, fewer := l.weigh(g.tower[0], i)
		l.count(&g.tower, own+more, next+fewer)
	}
}

// move is the general case of Update: it removes the entry and inserts it again.
func (l *List) move(old, key uint64, ref uint32, change func()) {
	var p path
	tower, i, _ := l.find(old, ref, &p)
	l.remove(tower, i, &p)
	change()
	l.insert(key, ref)
}

// touch reads each cache line of two leaves, so that the processor overlaps the cache misses.
func (l *List) touch(from, to uint32) {
	f, g := l.leaf(from), l.leaf(to)
	sum := l.place(from).tower + l.place(to).tower + uint32(f.pieces[0]+f.pieces[maxLeaf/2]+g.pieces[0]+g.pieces[maxLeaf/2])
	for i := 0; i < maxLeaf; i += 16 {
		sum += f.refs[i] + g.refs[i]
	}
	runtime.KeepAlive(sum)
}

// shift moves entry i of a slot with n entries to the position of its new key. j is the index where search would insert the new key
// while the entry is still at i. shift returns the entry's new index.
func (l *List) shift(slot uint32, n, i, j int, key uint64, ref uint32) int {
	x := l.admit(slot, n, key)
	f := l.leaf(slot)
	if j > i {
		j--
		copy(f.pieces[i:j], f.pieces[i+1:j+1])
		copy(f.refs[i:j], f.refs[i+1:j+1])
	} else {
		copy(f.pieces[j+1:i+1], f.pieces[j:i])
		copy(f.refs[j+1:i+1], f.refs[j:i])
	}
	f.pieces[j], f.refs[j] = x, ref
	return j
}

// goal is the key and text that one of two descents searches for, and its path.
type goal struct {
	key   uint64
	text  []byte
	tower [maxHeight]uint32
	rank  uint32 // of the first entry of the leaf at the end
}

// descendBoth descends to two positions at once. As long as both paths follow the same links, it makes one descent. Then it takes one
// step of each in turn, so that the processor overlaps their cache misses. From level parted on the two paths are the same.
//
// List/op=move at a million and at 100,000 entries, in ns:
//
//	steps in turn (here)                          850   316
//	steps in turn, with branches on keys          840   357
//	one descent after the other                   900
//	remove and insert, with a descent each       1020
//	tower height: next level with 1/2, not 1/4    840   336
//	tower height: next level with 1/8, not 1/4    916   391
//
// Touching both leaves first saves 50 to 100 ns.
func (l *List) descendBoth(a, b *goal) (parted int) {
	low, high := min(a.key, b.key), max(a.key, b.key)
	tower, level := head, l.level-1
	for level >= 0 {
		k := l.link(tower, level)
		if k.key < low {
			a.rank += k.span
			tower = k.next
		} else if k.key > high {
			a.tower[level], b.tower[level] = tower, tower
			level--
		} else {
			break
		}
	}
	b.rank = a.rank
	if level < 0 {
		return 0
	}
	parted = level + 1
	s, t, i, j := tower, tower, level, level
	for i >= 0 && j >= 0 {
		s, i = l.step(a, s, i)
		t, j = l.step(b, t, j)
	}
	for i >= 0 {
		s, i = l.step(a, s, i)
	}
	for j >= 0 {
		t, j = l.step(b, t, j)
	}
	return parted
}

// step follows a link or goes one level down. It branches on keys only if they are equal.
func (l *List) step(g *goal, tower uint32, level int) (uint32, int) {
	k := l.link(tower, level)
	g.tower[level&(maxHeight-1)] = tower
	_, on := bits.Sub64(k.key, g.key, 0)
	if k.key == g.key && l.reaches(k, g.text) {
		on = 1
	}
	g.rank += k.span & -uint32(on)
	return tower + (k.next-tower)&-uint32(on), level - 1 + int(on)
}
