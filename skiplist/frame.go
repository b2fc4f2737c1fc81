package skiplist

import "math/bits"

const (
	maxPiece = 1<<pieceBits - 1
	middle   = pieceBits - 1 // a new frame gives its entries the middle half of the pieces

	pieceBits = 16
)

// frameOf returns a frame for the keys from lo to hi. It leaves a quarter of the pieces free at both ends, as far as there are such keys.
func frameOf(lo, hi uint64) (from uint64, shift uint8) {
	shift = uint8(max(bits.Len64(hi-lo)-middle, 0))
	from = lo >> shift
	return from - min(from, 1<<(pieceBits-2)), shift
}

// piece returns the piece of a key. With ok false the key is outside the frame: before all keys inside if below, else after.
// A frame of the highest keys would end above 64 bits, so that the lowest keys are no further from it than a piece.
func (p *place) piece(key uint64) (x piece, below, ok bool) {
	units := key >> (p.shift & 63)
	below = units < p.from
	return piece(units - p.from), below, !below && units-p.from <= maxPiece
}

// admit returns the piece of a key in the frame of a leaf with n entries. If the key is outside the frame, admit widens the frame and
// recomputes the pieces. It reads no records.
func (l *List) admit(slot uint32, n int, key uint64) piece {
	p := l.place(slot)
	x, _, ok := p.piece(key)
	if ok {
		return x
	}
	if n == 0 {
		p.from, p.shift = frameOf(key, key)
		x, _, _ = p.piece(key)
		return x
	}
	f := l.leaf(slot)
	units := key >> p.shift
	from, shift := frameOf(min(p.from+uint64(f.pieces[0]), units), max(p.from+uint64(f.pieces[n-1]), units))
	for i, x := range f.pieces[:n] {
		f.pieces[i] = piece((p.from+uint64(x))>>shift - from)
	}
	p.from, p.shift = from, p.shift+shift
	return piece(units>>shift - from)
}

// refit computes the best frame for a leaf whose n refs are in place, and all pieces. It reads all keys in one loop, so that the
// processor overlaps the cache misses.
func (l *List) refit(slot uint32, n int) {
	var keys [maxLeaf]uint64
	for i, ref := range l.leaf(slot).refs[:n] {
		keys[i] = l.records.Key(ref)
	}
	l.frame(slot, keys[:n])
}

// frame computes the best frame for a leaf whose entries have these keys, and all pieces.
func (l *List) frame(slot uint32, keys []uint64) {
	if len(keys) == 0 {
		return
	}
	f, p := l.leaf(slot), l.place(slot)
	p.from, p.shift = frameOf(keys[0], keys[len(keys)-1])
	for i, key := range keys {
		f.pieces[i], _, _ = p.piece(key)
	}
}
