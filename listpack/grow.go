package listpack

import "github.com/zrankdb/zrank/internal/invariants"

// A list starts joined, with both columns in one block. When they no longer fit in joinedMax bytes, it becomes parted. A joined list
// costs one block and one slice header ([List.Blocks]). In a parted list, an entry added at the end moves no other entry.
//
//	joined   | rows | texts ->  free  <- lengths | count 2 |
//	parted   | rows |     | texts ->  free  <- lengths |
//
// Blocks writes the count, and [List.Adopt] reads it; at other times it may be out of date.
//
// Columns use the whole size classes of Go's allocator. Up to 32 KiB there are 67 of them, each about an eighth larger than the one
// before. So a column takes the smallest block that fits, and a growing column moves at most 67 times. Larger blocks are multiples of
// a page. Growing page by page would copy a quadratic number of bytes, so a larger column takes an eighth more than it needs.
const (
	largestBlock = 32 << 10
	// smallBlock is the largest block that a column keeps however little of it is used.
	smallBlock = 64
	// joinedMax is the largest block of a joined list, and countSize what it has at its end.
	joinedMax = 2 << 10
	countSize = 2
)

// block returns n bytes, with the capacity of the whole block that the allocator uses for them. An append to an empty slice returns a
// slice of that capacity.
func block(n int) []byte {
	if n > largestBlock {
		return append([]byte(nil), make([]byte, n+n/8)...)[:n]
	}
	return append([]byte(nil), make([]byte, n)...)
}

// divide makes the whole block b the block of a joined list: the rows end at offset rows, and the texts at offset used.
func (l *List) divide(b []byte, rows, used int) {
	l.order, l.texts, l.joined = b[:rows], b[rows:used:len(b)-countSize], true
}

// joinedSize returns the bytes that a joined list of these columns uses.
func (l *List) joinedSize() int { return len(l.order) + len(l.texts) + int(l.n) + countSize }

// join copies both columns to one block.
func (l *List) join() {
	rows, used, lengths := len(l.order), len(l.order)+len(l.texts), l.lengths()
	b := block(l.joinedSize())
	b = b[:cap(b)]
	copy(b, l.order)
	copy(b[rows:], l.texts)
	copy(b[len(b)-countSize-len(lengths):], lengths)
	l.divide(b, rows, used)
}

// part copies each column to a block of its own.
func (l *List) part() {
	order := block(len(l.order))
	copy(order, l.order)
	l.order, l.texts, l.joined = order, copyTexts(l.texts, l.lengths()), false
}

// gap inserts space for a row at rank, a text of n bytes at offset at, and a length. The content of the space is undefined. The caller
// has not incremented the count yet.
func (l *List) gap(rank, at, n int) {
	switch fits := l.joinedSize()+l.stride()+n+1 <= joinedMax; {
	case fits && (l.joined || l.n == 0):
		l.joinedGap(rank, at, n)
		return
	case l.joined:
		old := l.order
		l.part()
		poison(old)
	}
	l.rowGap(rank)
	l.textGap(rank, at, n)
}

// joinedGap is gap for a joined list, or for a list without a block. The rows behind the new row and the texts before the new text move
// together.
//
//	     rank          at                          rank            at
//	+---+----+--------+----+------+------+      +---+---+----+--------+----+----+---+-------+
//	| rows   |     texts   | free | d  c |  =>  | rows       |  texts    gap       | d gap c |
//	+---+----+--------+----+------+------+      +---+---+----+--------+----+----+---+-------+
func (l *List) joinedGap(rank, at, n int) {
	stride, lengths, old := l.stride(), l.lengths(), l.order[:cap(l.order)]
	row, rows, used := rank*stride, len(l.order), len(l.order)+len(l.texts)
	b, need := old, l.joinedSize()+stride+n+1
	if need > len(old) {
		b = block(need)
		b = b[:cap(b)]
		copy(b, old[:row])
	}
	putLengths(b[:len(b)-countSize], lengths, len(lengths)-rank)
	copy(b[rows+stride+at+n:], old[rows+at:used])
	copy(b[row+stride:], old[row:rows+at])
	l.divide(b, rows+stride, used+stride+n)
	if need > len(old) {
		poison(old)
	}
}

// putLengths writes lengths to the end of b and leaves space for one more length. behind is the number of lengths in front of the space:
// those of the entries behind the new one.
func putLengths(b, lengths []byte, behind int) {
	b = b[len(b)-len(lengths)-1:]
	copy(b, lengths[:behind])
	copy(b[behind+1:], lengths[behind:])
}

// closeGap removes the row at rank and the text [at, next). The length has already been removed.
func (l *List) closeGap(rank, at, next int) {
	stride, rows := l.stride(), len(l.order)
	row := rank * stride
	if !l.joined {
		l.order = append(l.order[:row], l.order[row+stride:]...)
		l.texts = append(l.texts[:at], l.texts[next:]...)
		return
	}
	b, used := l.order[:cap(l.order)], rows+len(l.texts)
	copy(b[row:], b[row+stride:rows+at])
	copy(b[rows+at-stride:], b[rows+next:used])
	l.divide(b, rows-stride, used-stride-(next-at))
}

// rowGap inserts space for a row at rank. The content of the space is undefined.
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

// textGap inserts space for a text of n bytes at offset at, and for its length. The content of the space is undefined. The caller has
// not incremented the count yet.
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
	putLengths(l.texts[:cap(l.texts)], lengths, behind)
	if cap(l.texts) != cap(old) {
		poison(old)
	}
}

// shrink moves a list to smaller blocks when it uses less than half of a block. It joins a parted list that needs less than a quarter of
// joinedMax. A block that fits is nearly full, so the list must lose about half again, or grow through the size classes, before it moves again:
// no sequence of changes moves it each time.
func (l *List) shrink() {
	order, texts, size := l.order, l.texts, l.joinedSize()
	switch {
	case l.joined && !sparse(size, cap(order)):
		return
	case l.joined || size < joinedMax/4:
		l.join()
	case sparse(len(order), cap(order)) || sparse(len(texts)+int(l.n), cap(texts)):
		l.part()
	default:
		return
	}
	poison(order)
	poison(texts)
}

func sparse(used, size int) bool { return size > smallBlock && used < size/2 }

// copyTexts returns a column of its own with these texts and lengths.
func copyTexts(texts, lengths []byte) []byte {
	b := block(len(texts) + len(lengths))
	copy(b, texts)
	copy(b[cap(b)-len(lengths):cap(b)], lengths)
	return b[:len(texts)]
}

// poison overwrites memory that the list no longer uses, in builds that check invariants, so that tests notice the use of an Entry after
// a change.
func poison(b []byte) {
	if !invariants.Enabled {
		return
	}
	b = b[:cap(b)]
	for i := range b {
		b[i] = 0xdb
	}
}
