package listpack

import "slices"

// Insert adds an entry at its place in the order and returns its rank. The member must not be in the list (see [List.Find]), and
// neither tie nor member may alias the list. Insert panics if tie is not as wide as the list's ties, if the member is longer than
// MaxMember, or if the list has MaxEntries entries. O(n); O(1) amortised for an entry that belongs at the end, so that filling a list
// in order takes O(n) in total. It allocates only to grow.
func (l *List) Insert(key uint64, tie, member []byte) (rank int) {
	switch {
	case len(tie) != l.TieWidth():
		panic("listpack: the tie is not as wide as the list's ties")
	case uint64(len(member)) > MaxMember:
		panic("listpack: the member is longer than MaxMember")
	case l.Len() == MaxEntries:
		panic("listpack: the list has MaxEntries entries")
	}
	rank = l.Len()
	if !l.follows(key, tie, member) {
		rank = l.place(key, tie, member)
	}
	at, size := l.At(rank).at(), textSize(len(member))
	l.gap(rank, at, size)
	l.n++
	l.setRow(rank, key, tie)
	l.lengths()[int(l.n)-1-rank] = putText(l.texts[at:at+size], member)
	l.check()
	return rank
}

// Delete removes the entry at p, and panics if p is End. Until the next change, p is then the place of the entry that followed. O(n).
// It allocates only to move to smaller blocks.
func (l *List) Delete(p Pos) {
	rank, at := p.rank(), p.at()
	next, lengths := l.Next(p).at(), l.lengths()
	copy(lengths[1:], lengths[:len(lengths)-1-rank])
	l.n--
	l.closeGap(rank, at, next)
	l.shrink()
	l.check()
}

// Replace changes the key and tie of the entry at p and returns the entry's new rank; the member stays. It panics if p is End or if the
// tie is not as wide as the list's ties; the tie must not alias the list. O(n), without allocating. If the rank does not change,
// Replace overwrites the row. Otherwise it rotates each column between the old and the new place.
//
//	   p       next     place             place    p       next
//	---+-------+--------+---           ---+--------+-------+---
//	   | entry | others |      or         | others | entry |
//	---+-------+--------+---           ---+--------+-------+---
//	   | others | entry |                 | entry | others |
//	---+--------+-------+---           ---+-------+--------+---
func (l *List) Replace(p Pos, key uint64, tie []byte) (rank int) {
	if len(tie) != l.TieWidth() {
		panic("listpack: the tie is not as wide as the list's ties")
	}
	from, after := p.rank(), l.Next(p)
	_, _, member := l.Entry(p)
	rank = l.place(key, tie, member)
	switch {
	case rank < from:
		l.moveBack(l.walk(p, rank), p, after)
	case rank > from: // the entry itself is one of those before its new place
		rank--
		l.moveOn(p, after, l.walk(after, rank+1))
	}
	l.setRow(rank, key, tie)
	l.check()
	return rank
}

// moveBack moves the entry at p before the entries of [place, p). after is the place after p. The caller writes the entry's row.
func (l *List) moveBack(place, p, after Pos) {
	stride, n := l.stride(), l.Len()
	rank, from := place.rank(), p.rank()
	copy(l.order[(rank+1)*stride:(from+1)*stride], l.order[rank*stride:])
	rotate(l.texts[place.at():after.at()], p.at()-place.at())
	lengths := l.lengths()[n-1-from : n-rank]
	own := lengths[0]
	copy(lengths, lengths[1:])
	lengths[len(lengths)-1] = own
}

// moveOn moves the entry at p behind the entries of [after, place). The caller writes the entry's row.
func (l *List) moveOn(p, after, place Pos) {
	stride, n := l.stride(), l.Len()
	from, to := p.rank(), place.rank()
	copy(l.order[from*stride:], l.order[(from+1)*stride:to*stride])
	rotate(l.texts[p.at():place.at()], after.at()-p.at())
	lengths := l.lengths()[n-to : n-from]
	own := lengths[len(lengths)-1]
	copy(lengths[1:], lengths)
	lengths[0] = own
}

// rotate moves the first k bytes of b behind the others. If one of the two parts is short, as an entry usually is, rotate copies that
// part to the stack and moves the other part once. Two long parts are rotated by three reversals.
func rotate(b []byte, k int) {
	var part [64]byte
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
