package listpack

import "encoding/binary"

// AppendTo appends the encoding, which [Decode] reads, to dst. O(n).
func (l *List) AppendTo(dst []byte) []byte {
	dst = append(dst, version, l.tieWidth)
	dst = binary.LittleEndian.AppendUint16(dst, l.n)
	dst = append(dst, l.order...)
	dst = append(dst, l.texts...)
	return append(dst, l.lengths()...)
}

// Blocks returns the memory of the list, for callers with so many lists that a List for each costs too much. Adopt makes a List of
// these blocks and the tie width again. rows is nil in a list of less than about 2 KiB. O(1).
func (l *List) Blocks() (block, rows []byte) {
	if !l.joined {
		return l.texts, l.order
	}
	block = l.order[:cap(l.order)]
	binary.LittleEndian.PutUint16(block[len(block)-countSize:], l.n)
	return block[:len(l.order)+len(l.texts)], nil
}

// Adopt makes l the list whose Blocks are given; that list must not have changed since. Without blocks l is empty. Adopt does not check
// the blocks. O(1), without allocating. A function that returned the List would be 25 ns slower: the processor would copy the List in
// larger pieces than it was written, which stalls until the writes have completed.
func (l *List) Adopt(tieWidth int, block, rows []byte) {
	l.tieWidth = uint8(tieWidth)
	switch {
	case rows != nil:
		l.order, l.texts, l.n, l.joined = rows, block, uint16(len(rows)/keySize), false
		if tieWidth > 0 {
			l.n = uint16(len(rows) / l.stride())
		}
	case block != nil:
		b := block[:cap(block)]
		l.n = binary.LittleEndian.Uint16(b[len(b)-countSize:])
		l.divide(b, int(l.n)*l.stride(), len(block))
	default:
		l.order, l.texts, l.n, l.joined = nil, nil, 0, false
	}
}

// Clear removes every entry and frees the memory. The tie width stays. O(1).
func (l *List) Clear() {
	old := *l
	*l = List{tieWidth: l.tieWidth}
	poison(old.order)
	poison(old.texts)
	l.check()
}
