package skiplist

import "bytes"

// In a list with Options.Groups, a link also counts the starts among the entries that it jumps over. So the list knows how many groups
// begin before a rank. On level 0 the number is stored with the leaf, on higher levels in a field of the link that is otherwise unused.
//
// The entries of a group are adjacent, so an entry is a start if it differs from the entry before it. Inserting X between A and B
// affects only whether X and B are starts:
//
//	A = X        X is no start, B is what it was
//	A ! X = B    X is a start, and B no longer is
//	A ! X ! B    X is a start, B is what it was
//
// A removal has the opposite effect. B may be the first entry of the next leaf, which other links count: see weigh and count. All other
// changes move starts from one leaf to another together with their entries: see prefix and count.

// starts returns how many starts a link jumps over.
func (l *List) starts(tower uint32, level int) uint32 {
	k := l.link(tower, level)
	if level > 0 {
		return k.slot
	}
	return uint32(l.place(k.slot).starts)
}

// addStarts adds to the starts of a link.
func (l *List) addStarts(tower uint32, level, n int) {
	k := l.link(tower, level)
	if level > 0 {
		k.slot += uint32(n)
		return
	}
	l.place(k.slot).starts += uint8(n)
}

// Groups returns how many groups begin among the first rank entries, which is the number of all groups if rank is Len; ranks
// that do not exist are left out. 0 in a list without Options.Groups. O(log n).
func (l *List) Groups(rank int) int {
	if rank = min(rank, l.n); rank <= 0 || !l.grouped {
		return 0
	}
	tower, at, starts := head, 0, 0
	for level := l.level - 1; level >= 0; level-- {
		for {
			k := l.link(tower, level)
			if at+int(k.span) >= rank {
				break
			}
			at += int(k.span)
			starts += int(l.starts(tower, level))
			tower = k.next
		}
	}
	return starts + l.startsTo(tower, rank-at)
}

// startsTo returns the number of starts among the first i entries of a leaf. It counts those after them: whether the first is
// one need not be known.
func (l *List) startsTo(tower uint32, i int) int {
	if i == 0 {
		return 0
	}
	slot, n := l.at(tower)
	return int(l.place(slot).starts) - l.turns(slot, i, n)
}

// turns returns how many of the entries [i, j) of a slot belong to another group than the entry before them. i must be at least 1.
func (l *List) turns(slot uint32, i, j int) (n int) {
	f := l.leaf(slot)
	for i < j {
		if f.pieces[i] != f.pieces[i-1] {
			n++
			i++
			continue
		}
		from := i - 1
		for i < j && f.pieces[i] == f.pieces[from] {
			i++
		}
		n += l.turnsAmong(f.refs[from:i])
	}
	return n
}

// turnsAmong returns how many adjacent pairs among the entries belong to different groups. It divides the entries into halves: if the
// first and the last entry belong to one group, all do, and it reads no other record.
func (l *List) turnsAmong(refs []uint32) int {
	switch last := len(refs) - 1; {
	case l.alike(refs[0], refs[last]):
		return 0
	case last == 1:
		return 1
	default:
		return l.turnsAmong(refs[:last/2+1]) + l.turnsAmong(refs[last/2:])
	}
}

// alike reports whether two entries belong to the same group.
func (l *List) alike(x, y uint32) bool {
	if l.records.Key(x) != l.records.Key(y) {
		return false
	}
	return l.groupText == 0 || bytes.Equal(l.records.Text(x)[:l.groupText], l.records.Text(y)[:l.groupText])
}

// starting reports whether entry i of a leaf is a start.
func (l *List) starting(tower uint32, i int) bool {
	slot, _ := l.at(tower)
	f := l.leaf(slot)
	if i > 0 {
		return f.pieces[i] != f.pieces[i-1] || !l.alike(f.refs[i-1], f.refs[i])
	}
	if tower == head {
		return true
	}
	before, m := l.at(l.place(slot).prev)
	return m == 0 || !l.alike(l.leaf(before).refs[m-1], f.refs[0])
}

// startAt is starting for entry i of a leaf or, if there is none, the first of the next one, if there is one.
func (l *List) startAt(tower uint32, i int) bool {
	if _, n := l.at(tower); i < n {
		return l.starting(tower, i)
	}
	next := l.link(tower, 0).next
	return next != none && l.starting(next, 0)
}

// restart makes the entry that startAt finds at the end of p a start if the removed entries contained the start of its group. was says
// that the entry was a start before; then it stays one.
func (l *List) restart(p *path, i int, was bool) {
	if was || !l.startAt(p.tower[0], i) {
		return
	}
	if _, n := l.at(p.tower[0]); i < n {
		l.count(&p.tower, 1, 0)
	} else {
		l.count(&p.tower, 0, -1)
	}
}

// weigh returns how entry i of a leaf affects the number of starts: own is what it adds to its leaf, next what it takes from the next
// leaf. next is 1 if the next leaf's first entry would be a start without entry i.
func (l *List) weigh(tower uint32, i int) (own, next int) {
	if !l.starting(tower, i) {
		return 0, 0
	}
	k := l.link(tower, 0)
	f := l.leaf(k.slot)
	if i+1 < int(k.span) {
		if l.starting(tower, i+1) {
			return 1, 0
		}
		return 0, 0
	}
	if k.next == none {
		return 1, 0
	}
	if x, _, ok := l.place(k.slot).piece(k.key); ok && x == f.pieces[i] && l.alike(f.refs[i], k.ref) {
		return 1, 1
	}
	return 1, 0
}

// count adds starts to the leaf at the end of a path and subtracts starts from the next leaf, in the links of all levels.
func (l *List) count(path *[maxHeight]uint32, own, next int) {
	after, height := none, 0
	if next != 0 {
		after = l.link(path[0], 0).next
		slot, _ := l.at(after)
		height = int(l.place(slot).height)
	}
	for level := range height {
		l.addStarts(path[level], level, own)
		l.addStarts(after, level, -next)
	}
	if own == next {
		return
	}
	for level := height; level < l.level; level++ {
		l.addStarts(path[level], level, own-next)
	}
}

// prefix holds, for each level of a path, the number of starts from the first entry of that tower's leaf up to a position in the leaf
// at the end of the path.
type prefix [maxHeight]uint32

// prefix counts up to entry i of the leaf at the end of p. O(log n).
func (l *List) prefix(p *path, i int) (s prefix) {
	s[0] = uint32(l.startsTo(p.tower[0], i))
	for level := 1; level < l.level; level++ {
		s[level] = s[level-1] + l.between(p.tower[level], p.tower[level-1], level-1)
	}
	return s
}

// between adds up the starts of the links of a level that lead from a tower to another.
func (l *List) between(from, to uint32, level int) (n uint32) {
	for from != to {
		n += l.starts(from, level)
		from = l.link(from, level).next
	}
	return n
}

// across adds up the starts of the links one level below that a link jumps over.
func (l *List) across(tower uint32, level int) uint32 {
	return l.starts(tower, level-1) + l.between(l.link(tower, level-1).next, l.link(tower, level).next, level-1)
}

// parted divides the starts of p's links between these links, which keep s, and the links of a new tower after them, which get the rest.
func (l *List) parted(p *path, s *prefix, right uint32) {
	slot, _ := l.at(right)
	for level := range int(l.place(slot).height) {
		rest := int(l.starts(p.tower[level], level)) - int(s[level])
		l.addStarts(p.tower[level], level, -rest)
		l.addStarts(right, level, rest-int(l.starts(right, level)))
	}
}

// spliced removes the starts between s, a prefix of p, and t, a prefix of q, from the links that jump over them. On levels below height
// the leaf at the end of q keeps the starts after t.
func (l *List) spliced(p, q *path, s, t *prefix, height int) {
	for level := range l.level {
		rest := int(l.starts(q.tower[level], level)) - int(t[level])
		kept := int(s[level])
		if level < height {
			l.addStarts(q.tower[level], level, -int(t[level]))
		} else {
			kept += rest
		}
		l.addStarts(p.tower[level], level, kept-int(l.starts(p.tower[level], level)))
	}
}

// countAll computes the starts of all links, level by level from the leaves up. O(n).
func (l *List) countAll() {
	for tower := head; ; {
		slot, n := l.at(tower)
		starts := l.turns(slot, 1, n)
		if n > 0 && l.starting(tower, 0) {
			starts++
		}
		l.place(slot).starts = uint8(starts)
		if tower = l.link(tower, 0).next; tower == none {
			break
		}
	}
	for level := 1; level < l.level; level++ {
		for tower := head; ; {
			k := l.link(tower, level)
			if k.slot = l.across(tower, level); k.next == none {
				break
			}
			tower = k.next
		}
	}
}
