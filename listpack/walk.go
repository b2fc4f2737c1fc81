package listpack

import "encoding/binary"

// Pos is the place of an entry in a list: the offset of its first byte. It is valid until the list's next change.
//
// The entries and End form a ring, so both directions stop at the same mark:
//
//	for p := l.Begin(); p != l.End(); p = l.Next(p) { ... }         // ascending
//	for p := l.Prev(l.End()); p != l.End(); p = l.Prev(p) { ... }   // descending
type Pos int

// Begin returns the place of the first entry, or End if there is none. O(1).
func (l *List) Begin() Pos { return headerSize }

// End returns the place after the last entry. O(1).
func (l *List) End() Pos { return Pos(max(len(l.b), headerSize)) }

// Next returns the place of the entry after the one at p; End after the last one, and Begin after End. O(1).
func (l *List) Next(p Pos) Pos {
	if int(p) >= len(l.b) {
		return headerSize
	}
	_, next := memberAt(l.b, int(p), int(l.b[1]))
	return Pos(next)
}

// Prev returns the place of the entry before the one at p; End before the first one, and the last entry before End. O(1).
func (l *List) Prev(p Pos) Pos {
	if p <= headerSize {
		return l.End()
	}
	end, body := readBack(l.b, int(p)-1)
	return Pos(end - body)
}

// At returns the place of the entry with the given rank, counted from 0; Len gives End. It panics if rank is below 0 or
// above Len. O(n), walking from the nearer end.
func (l *List) At(rank int) Pos {
	n := l.Len()
	if rank < 0 || rank > n {
		panic("listpack: rank out of range")
	}
	if rank > n/2 {
		p := l.End()
		for ; rank < n; rank++ {
			p = l.Prev(p)
		}
		return p
	}
	p := l.Begin()
	for ; rank > 0; rank-- {
		p = l.Next(p)
	}
	return p
}

// Entry returns the entry at p. It panics if p is End. O(1).
func (l *List) Entry(p Pos) (e Entry) {
	tieWidth := int(l.b[1])
	n := length(l.b, int(p)+keySize)
	member := after(int(p)+keySize, n) + tieWidth
	e.set(l.b, int(p), member-tieWidth, member, n)
	return e
}

// set makes e the entry at p, whose text begins at text and whose member is the n bytes at member. It fills the fields one
// by one: an Entry is too large for registers, and a composite literal is built apart and copied, which costs more than
// reading the entry.
func (e *Entry) set(b []byte, p, text, member, n int) {
	e.Key = binary.BigEndian.Uint64(b[p:])
	e.Tie = b[text:member:member]
	e.Member = b[member : member+n : member+n]
}
