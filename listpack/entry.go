package listpack

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// The functions here read and write one entry and trust its bytes. verify.go has the reader that does not.

// Entry is what a list says about one member. Tie and Member alias the list: they must not be changed and are valid until
// the list's next change.
type Entry struct {
	Key         uint64
	Tie, Member []byte
}

// length reads the member length at i. Almost all members have a length of one byte; the other case is apart so that this
// one is inlined into every walk.
func length(b []byte, i int) int {
	if n := b[i]; n < 0x80 {
		return int(n)
	}
	return longLength(b, i)
}

func longLength(b []byte, i int) int {
	n, _ := binary.Uvarint(b[i:])
	return int(n)
}

// after returns the first byte after a length n that begins at i, in either direction. For the member length that is where
// the text begins; for the back length it is the next entry.
func after(i, n int) int {
	if n < 0x80 {
		return i + 1
	}
	return i + uvarintLen(n)
}

// memberAt returns the member of the entry at p and where the next entry begins. It panics if p is the end of b.
func memberAt(b []byte, p, tieWidth int) (member []byte, next int) {
	n := length(b, p+keySize)
	text := after(p+keySize, n)
	end := text + tieWidth + n
	return b[end-n : end], after(end, end-p)
}

// uvarintLen returns how many bytes n takes as a uvarint, in either direction.
func uvarintLen(n int) int { return (bits.Len(uint(n)|1) + 6) / 7 }

// appendBack appends n as a back length: a uvarint with its bytes in reverse order.
func appendBack(b []byte, n int) []byte {
	from := len(b)
	b = binary.AppendUvarint(b, uint64(n))
	slices.Reverse(b[from:])
	return b
}

// readBack reads the back length whose last byte is at i, from right to left. It returns the index of its first byte, which
// is where the body ends, and the length of the body.
func readBack(b []byte, i int) (end, body int) {
	shift := 0
	for ; b[i] >= 0x80; i-- {
		body |= int(b[i]&0x7f) << shift
		shift += 7
	}
	return i, body | int(b[i])<<shift
}

// entrySize returns the bytes an entry takes, back length included.
func entrySize(tieWidth, memberLen int) int {
	body := keySize + uvarintLen(memberLen) + tieWidth + memberLen
	return body + uvarintLen(body)
}

// putEntry writes an entry into dst, which has exactly its size.
func putEntry(dst []byte, key uint64, tie, member []byte) {
	b := binary.BigEndian.AppendUint64(dst[:0], key)
	b = binary.AppendUvarint(b, uint64(len(member)))
	b = append(b, tie...)
	b = append(b, member...)
	appendBack(b, len(b))
}
