package listpack

import "github.com/zrankdb/zrank/internal/invariants"

// Memory is asked for in the blocks that Go's allocator has anyway. Up to 32 KiB there are 67 sizes of block, and the next
// one is about an eighth larger, so taking the smallest that fits wastes nothing that could be used and still grows in
// steps: a list that fills up moves at most 67 times. Larger blocks come in pages, which would be steps of constant size
// and so quadratic copying; there the list takes an eighth more than it needs.
const largestBlock = 32 << 10

// empty is what a nil list reads as when it gets its first entry. It is full, so nothing is ever written to it.
var empty = [headerSize]byte{version}

// block returns n bytes, with the capacity of the whole block that the allocator has for them. Appending to nothing is how
// Go tells the size of that block.
func block(n int) []byte {
	if n > largestBlock {
		return append([]byte(nil), make([]byte, n+n/8)...)[:n]
	}
	return append([]byte(nil), make([]byte, n)...)
}

// gap makes room for n bytes at p; their content is not defined.
//
//	    p                         p     p+n
//	+---+-------+             +---+-----+-------+
//	| a |   b   |     =>      | a | gap |   b   |
//	+---+-------+             +---+-----+-------+
func (l *List) gap(p, n int) {
	old := l.b
	if old == nil {
		old = empty[:]
	}
	need := len(old) + n
	if need <= cap(old) {
		l.b = old[:need]
		copy(l.b[p+n:], old[p:])
		return
	}
	grown := block(need)
	copy(grown, old[:p])
	copy(grown[p+n:], old[p:])
	poison(l.b)
	l.b = grown
}

// shrink moves the list to a smaller block when it uses less than a quarter of the one it has. It then takes four times as
// much to grow back, so a list cannot be made to move at every change.
func (l *List) shrink() {
	if cap(l.b) <= 64 || len(l.b) >= cap(l.b)/4 {
		return
	}
	old := l.b
	l.b = block(len(old))
	copy(l.b, old)
	poison(old)
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
