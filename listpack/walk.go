package listpack

// Pos is the place of an entry in a list: the entry's rank in the lower 16 bits, and above them the offset of its text, which is less
// than 1<<47 even in the largest possible list. It is valid until the list's next change.
//
// The entries and End form a ring, so both directions stop at the same mark:
//
//	for p := l.Begin(); p != l.End(); p = l.Next(p) { ... }         // ascending
//	for p := l.Prev(l.End()); p != l.End(); p = l.Prev(p) { ... }   // descending
type Pos int64

func posOf(rank, at int) Pos { return Pos(at)<<16 | Pos(rank) }

func (p Pos) rank() int { return int(p & 0xffff) }

func (p Pos) at() int { return int(p >> 16) }

// Begin returns the place of the first entry, or End if there is none. O(1).
func (l *List) Begin() Pos { return 0 }

// End returns the place after the last entry. O(1).
func (l *List) End() Pos { return posOf(int(l.n), len(l.texts)) }

// Next returns the place of the entry after the one at p; End after the last one, and Begin after End. O(1).
func (l *List) Next(p Pos) Pos {
	if p.rank() >= int(l.n) {
		return l.Begin()
	}
	if n := l.length(p.rank()); n != longLen {
		return p + posOf(1, n)
	}
	_, next := l.longMember(p.at())
	return posOf(p.rank()+1, next)
}

// Prev returns the place of the entry before the one at p; End before the first one, and the last entry before End. O(1).
func (l *List) Prev(p Pos) Pos {
	if p == l.Begin() {
		return l.End()
	}
	if n := l.length(p.rank() - 1); n != longLen {
		return p - posOf(1, n)
	}
	return posOf(p.rank()-1, l.longBefore(p.at()))
}

// At returns the place of the entry with the given rank, counted from 0; Len gives End. It panics if rank is below 0 or
// above Len. O(n), adding up lengths from the nearer end.
func (l *List) At(rank int) Pos {
	n := l.Len()
	if rank < 0 || rank > n {
		panic("listpack: rank out of range")
	}
	if rank > n/2 {
		return l.walk(l.End(), rank)
	}
	return l.walk(l.Begin(), rank)
}

// walk returns the place of the entry with the given rank, which may be Len. It adds up lengths from p on, in either direction.
// O(distance).
func (l *List) walk(p Pos, rank int) Pos {
	from, at, lengths := p.rank(), p.at(), l.lengths()
	if rank >= from {
		lengths = lengths[len(lengths)-rank : len(lengths)-from]
		for i := len(lengths) - 1; i >= 0; i-- {
			if n := lengths[i]; n != longLen {
				at += int(n)
			} else {
				_, at = l.longMember(at)
			}
		}
		return posOf(rank, at)
	}
	for _, n := range lengths[len(lengths)-from : len(lengths)-rank] {
		if n != longLen {
			at -= int(n)
		} else {
			at = l.longBefore(at)
		}
	}
	return posOf(rank, at)
}

// Entry returns the entry at p. It panics if p is End. O(1). Tie and member alias the list: they must not be changed and are
// valid until the list's next change.
func (l *List) Entry(p Pos) (key uint64, tie, member []byte) {
	key, tie = l.row(p.rank())
	member, _ = l.member(p.rank(), p.at())
	return key, tie, member
}
