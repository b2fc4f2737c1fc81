package listpack

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"math/bits"
)

// fault is a broken invariant: which, at what byte, and what was found.
type fault struct {
	rule  string
	at    int
	found string
}

func faultf(rule string, at int, format string, args ...any) *fault {
	return &fault{rule: rule, at: at, found: fmt.Sprintf(format, args...)}
}

// verify checks L1 to L6 on bytes that nobody vouches for and returns the first fault, or nil. It reads no byte outside b
// and allocates nothing for a list of up to 128 entries.
func verify(b []byte) *fault {
	if f := verifyHeader(b); f != nil {
		return f
	}
	tieWidth, count := int(b[1]), int(binary.LittleEndian.Uint16(b[2:]))
	var prevKey uint64
	var prevText []byte
	p, n := headerSize, 0
	for ; n < count && p < len(b); n++ {
		text, end, f := readEntry(b, p, tieWidth)
		if f != nil {
			return f
		}
		key := binary.BigEndian.Uint64(b[p:])
		if n > 0 && (key < prevKey || key == prevKey && bytes.Compare(b[text:end], prevText) <= 0) {
			return faultf("L4", p, "entry %d does not stand after the one before it", n)
		}
		prevKey, prevText = key, b[text:end]
		p = after(end, end-p)
	}
	if n != count || p != len(b) {
		return faultf("L5", p, "%d entries of %d, then %d bytes", n, count, len(b)-p)
	}
	return verifyUnique(b, tieWidth, n)
}

func verifyHeader(b []byte) *fault {
	switch {
	case len(b) < headerSize:
		return faultf("L1", 0, "%d bytes are less than a header", len(b))
	case b[0] != version:
		return faultf("L1", 0, "version %d", b[0])
	case !validTie(int(b[1])):
		return faultf("L1", 1, "tie width %d", b[1])
	}
	return nil
}

// readEntry is length for bytes that may be wrong. Lengths are compared with the bytes that are left before they are used.
func readEntry(b []byte, p, tieWidth int) (text, end int, f *fault) {
	rest := b[p:]
	if len(rest) < keySize+1+tieWidth+1 {
		return 0, 0, faultf("L2", p, "%d bytes are less than an entry", len(rest))
	}
	n, width := binary.Uvarint(rest[keySize:])
	switch {
	case width <= 0:
		return 0, 0, faultf("L2", p+keySize, "the member length has no end")
	case width > 1 && rest[keySize+width-1] == 0:
		return 0, 0, faultf("L2", p+keySize, "the member length is not a shortest uvarint")
	case n > MaxMember:
		return 0, 0, faultf("L2", p+keySize, "a member of %d bytes", n)
	case keySize+width+tieWidth > len(rest) || n > uint64(len(rest)-keySize-width-tieWidth):
		return 0, 0, faultf("L2", p+keySize, "a member of %d bytes passes the end", n)
	}
	text = p + keySize + width
	end = text + tieWidth + int(n)
	var room [10]byte
	if back := appendBack(room[:0], end-p); !bytes.HasPrefix(b[end:], back) {
		return 0, 0, faultf("L3", end, "the back length is not that of %d bytes", end-p)
	}
	return text, end, nil
}

// seed makes the places of members in the table below unpredictable, so that nobody can choose members that collide. It
// has no influence on any result.
var seed = maphash.MakeSeed()

// verifyUnique checks L6 on n entries that satisfy the other invariants. The table holds the offset of an entry for each
// member, or 0 where there is none, in the first free slot from the member's hash on; at most half of it gets used.
func verifyUnique(b []byte, tieWidth, n int) *fault {
	var small [256]int
	table := small[:]
	if 2*n > len(small) {
		table = make([]int, 1<<bits.Len(uint(2*n-1)))
	}
	for p := headerSize; p < len(b); {
		member, next := memberAt(b, p, tieWidth)
		slot := int(maphash.Bytes(seed, member) & uint64(len(table)-1))
		for ; table[slot] != 0; slot = (slot + 1) & (len(table) - 1) {
			if other, _ := memberAt(b, table[slot], tieWidth); bytes.Equal(other, member) {
				return faultf("L6", p, "the member at %d once more", table[slot])
			}
		}
		table[slot] = p
		p = next
	}
	return nil
}
