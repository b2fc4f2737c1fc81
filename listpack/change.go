package listpack

import (
	"encoding/binary"
	"slices"
)

// Insert adds an entry at its place and returns its rank. The member must not be in the list (see [List.Find]), and neither
// tie nor member may alias the list. Insert panics if tie is not as wide as the list's ties, if the member is longer than
// MaxMember, or if the list has MaxEntries. O(n), but O(1) amortised for an entry that belongs at the end, so that filling
// a list in order is O(n) in all. It allocates only to grow.
func (l *List) Insert(key uint64, tie, member []byte) (rank int) {
	switch {
	case len(tie) != l.TieWidth():
		panic("listpack: the tie is not as wide as the list's ties")
	case uint64(len(member)) > MaxMember:
		panic("listpack: the member is longer than MaxMember")
	case l.Len() == MaxEntries:
		panic("listpack: the list has MaxEntries entries")
	}
	p, rank := l.End(), l.Len()
	if !l.follows(key, tie, member) {
		p, rank = l.place(key, tie, member, nowhere)
	}
	size := entrySize(len(tie), len(member))
	l.gap(int(p), size)
	putEntry(l.b[p:int(p)+size:int(p)+size], key, tie, member)
	l.setLen(l.Len() + 1)
	l.check()
	return rank
}

// Delete removes the entry at p, and panics if p is End. The place p is then the place of the entry that stood after it, as
// long as the list is not changed again. O(n). It allocates only to give memory back.
func (l *List) Delete(p Pos) {
	_, next := memberAt(l.b, int(p), l.TieWidth())
	rest := copy(l.b[p:], l.b[next:])
	l.b = l.b[:int(p)+rest]
	l.setLen(l.Len() - 1)
	l.shrink()
	l.check()
}

// Replace gives the entry at p another key and tie and returns its new rank; the member stays. It panics if p is End or if
// the tie is not as wide as the list's ties; the tie must not alias the list. O(n), without allocating: an entry that passes
// no neighbour is rewritten where it stands, any other is moved by one rotation of the bytes between.
//
//	   p       next     place             place    p       next
//	---+-------+--------+---           ---+--------+-------+---
//	   | entry | others |      or         | others | entry |
//	---+-------+--------+---           ---+--------+-------+---
//	   | others | entry |                 | entry | others |
//	---+--------+-------+---           ---+-------+--------+---
func (l *List) Replace(p Pos, key uint64, tie []byte) (rank int) {
	tieWidth := l.TieWidth()
	if len(tie) != tieWidth {
		panic("listpack: the tie is not as wide as the list's ties")
	}
	member, next := memberAt(l.b, int(p), tieWidth)
	place, rank := l.place(key, tie, member, p)
	binary.BigEndian.PutUint64(l.b[p:], key)
	copy(l.b[after(int(p)+keySize, len(member)):], tie)
	switch {
	case place < p:
		rotate(l.b[place:next], int(p-place))
	case int(place) > next:
		rotate(l.b[p:place], next-int(p))
	}
	l.check()
	return rank
}

// rotate moves the first k bytes of b behind the others. Entries of usual size, which are one of the two parts, go through
// the stack and the rest moves once; two long parts are turned round by three reversals.
func rotate(b []byte, k int) {
	var part [128]byte
	switch n := len(b) - k; {
	case k <= len(part):
		copy(part[:], b[:k])
		copy(b, b[k:])
		copy(b[n:], part[:k])
	case n <= len(part):
		copy(part[:], b[k:])
		copy(b[n:], b[:k])
		copy(b, part[:n])
	default:
		slices.Reverse(b[:k])
		slices.Reverse(b[k:])
		slices.Reverse(b)
	}
}
