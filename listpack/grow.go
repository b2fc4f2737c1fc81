package listpack

import "github.com/zrankdb/zrank/internal/invariants"

// Memory is asked for in the blocks that Go's allocator has anyway, one for each column. Up to 32 KiB there are 67 sizes of
// block, and the next one is about an eighth larger, so taking the smallest that fits wastes nothing that could be used and
// still grows in steps: a column that fills up moves at most 67 times. Larger blocks come in pages, which would be steps of
// constant size and so quadratic copying; there a column takes an eighth more than it needs.
const (
	largestBlock = 32 << 10
	// smallBlock is the largest block that a column keeps however little of it is used.
	smallBlock = 64
)

// block returns n bytes, with the capacity of the whole block that the allocator has for them. Appending to nothing is how
// Go tells the size of that block.
func block(n int) []byte {
	if n > largestBlock {
		return append([]byte(nil), make([]byte, n+n/8)...)[:n]
	}
	return append([]byte(nil), make([]byte, n)...)
}

// rowGap makes room for a row at rank, one more than there are entries; its content is not defined.
func (l *List) rowGap(rank int) {
	old, stride := l.order, l.stride()
	p, need := rank*stride, len(old)+stride
	if need > cap(old) {
		l.order = block(need)
		copy(l.order, old[:p])
		copy(l.order[p+stride:], old[p:])
		poison(old)
		return
	}
	l.order = old[:need]
	copy(l.order[p+stride:], old[p:])
}

// textGap makes room for a text of n bytes at at and for its length; their content is not defined. The count is still
// without them.
//
//	      at            rank                   at                rank
//	+-----+----+------+----+----+        +-----+-----+----+---+----+---+----+
//	|  a  | b  | free | d  | c  |   =>   |  a  | gap | b  |   | d  |gap| c  |
//	+-----+----+------+----+----+        +-----+-----+----+---+----+---+----+
func (l *List) textGap(rank, at, n int) {
	old, lengths := l.texts, l.lengths()
	behind := len(lengths) - rank // lengths of the entries after the gap, d above
	if need := len(old) + n + len(lengths) + 1; need > cap(old) {
		l.texts = block(need)[:len(old)+n]
		copy(l.texts, old[:at])
	} else {
		l.texts = old[:len(old)+n]
	}
	copy(l.texts[at+n:], old[at:])
	grown := l.texts[:cap(l.texts)]
	grown = grown[len(grown)-len(lengths)-1:]
	copy(grown, lengths[:behind])
	copy(grown[behind+1:], lengths[behind:])
	if cap(l.texts) != cap(old) {
		poison(old)
	}
}

// shrink moves a column to a smaller block when it uses less than a quarter of the one it has. It then takes four times as
// much to grow back, so a list cannot be made to move at every change.
func (l *List) shrink() {
	if old := l.order; sparse(len(old), cap(old)) {
		l.order = block(len(old))
		copy(l.order, old)
		poison(old)
	}
	if old := l.texts; sparse(len(old)+int(l.n), cap(old)) {
		l.texts = copyTexts(old, l.lengths())
		poison(old)
	}
}

func sparse(used, size int) bool { return size > smallBlock && used < size/4 }

// copyTexts returns a column of its own with these texts and lengths.
func copyTexts(texts, lengths []byte) []byte {
	b := block(len(texts) + len(lengths))
	copy(b, texts)
	copy(b[cap(b)-len(lengths):cap(b)], lengths)
	return b[:len(texts)]
}

// poison overwrites bytes that the list has left, in builds that check invariants, so that an Entry used after a change
// shows itself.
func poison(b []byte) {
	if !invariants.Enabled {
		return
	}
	b = b[:cap(b)]
	for i := range b {
		b[i] = 0xdb
	}
}
