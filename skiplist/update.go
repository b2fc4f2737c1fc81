package skiplist

import (
	"math/bits"
	"runtime"
)

// Update gives an entry a new key and reports whether the list holds it under the old one. text is the entry's text from now
// on, nil if it stays as it is. change is called once, at a time when the entry's record is not looked at, and must write the
// key, and the text if it changes, into it. An entry that passes no neighbour stays where it is. O(log n).
func (l *List) Update(old, key uint64, ref uint32, text []byte, change func()) bool {
	was := l.records.Text(ref)
	if text == nil {
		text = was
	}
	a, b := goal{key: old, text: was}, goal{key: key, text: text}
	parted := l.descendBoth(&a, &b)
	from, n := l.at(a.tower[0])
	to, m := l.at(b.tower[0])
	l.touch(from, to)
	i, ok := l.index(from, n, old, ref)
	if !ok {
		return false
	}
	j := l.search(to, m, key, text)
	switch first := i == 0 && a.tower[0] != head; { // then links cache it
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
	return true
}

// leaving returns by how much the starts of a leaf, and what it takes from those of the next, change when entry i goes.
func (l *List) leaving(g *goal, i int) (own, next int) {
	if l.grouped {
		own, next = l.weigh(g.tower[0], i)
	}
	return -own, -next
}

// arriving counts the starts of entry i, which has come, and what another has changed when it left.
func (l *List) arriving(g *goal, i, own, next int) {
	if l.grouped {
		more, fewer := l.weigh(g.tower[0], i)
		l.count(&g.tower, own+more, next+fewer)
	}
}

// move is the general case of Update: the entry leaves the list and comes back.
func (l *List) move(old, key uint64, ref uint32, change func()) {
	var p path
	tower, i, _ := l.find(old, ref, &p)
	l.remove(tower, i, &p)
	change()
	l.insert(key, ref)
}

// touch reads each cache line of two leaves, so that their misses are taken together and not one after the other.
func (l *List) touch(from, to uint32) {
	f, g := l.leaf(from), l.leaf(to)
	sum := l.place(from).tower + l.place(to).tower + uint32(f.pieces[0]+f.pieces[maxLeaf/2]+g.pieces[0]+g.pieces[maxLeaf/2])
	for i := 0; i < maxLeaf; i += 16 {
		sum += f.refs[i] + g.refs[i]
	}
	runtime.KeepAlive(sum)
}

// shift moves entry i of the n on a slot to where an entry of the key, not counting itself, would be the j-th, and returns
// its index there.
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

// goal is what one of two descents looks for, and its path. It needs no ranks.
type goal struct {
	key   uint64
	text  []byte
	tower [maxHeight]uint32
}

// descendBoth walks to two places at once: as one while both lie behind the same links, then step by step in turn, so that
// the cache misses of one walk hide behind those of the other. From level parted on the paths are one.
// List/op=move/len=1000000, ns: 850 in turn as here; 840 in turn with branches, which loses at 100,000 with 357 to 316; 900
// one walk after the other; 1020 removing and inserting with a descent each. Towers that go up at one in two or one in eight
// instead of one in four: 840 and 916, at 100,000 336 and 391. Touching both leaves first saves 50 to 100.
func (l *List) descendBoth(a, b *goal) (parted int) {
	low, high := min(a.key, b.key), max(a.key, b.key)
	tower, level := head, l.level-1
	for level >= 0 {
		k := l.link(tower, level)
		if k.key < low {
			tower = k.next
		} else if k.key > high {
			a.tower[level], b.tower[level] = tower, tower
			level--
		} else {
			break
		}
	}
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

// step takes a link, or goes a level down, without a branch that depends on keys unless they are equal.
func (l *List) step(g *goal, tower uint32, level int) (uint32, int) {
	k := l.link(tower, level)
	g.tower[level&(maxHeight-1)] = tower
	_, on := bits.Sub64(k.key, g.key, 0)
	if k.key == g.key && l.reaches(k, g.text) {
		on = 1
	}
	return tower + (k.next-tower)&-uint32(on), level - 1 + int(on)
}
