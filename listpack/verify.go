package listpack

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"math/bits"
)

// fault is a violated invariant: its number, the byte of the encoding, and a description.
type fault struct {
	rule  string
	at    int
	found string
}

func faultf(rule string, at int, format string, args ...any) *fault {
	return &fault{rule: rule, at: at, found: fmt.Sprintf(format, args...)}
}

// Where the bytes of a column stand in the encoding, for faults.

func (l *List) rowByte(rank int) int    { return headerSize + rank*l.stride() }
func (l *List) textByte(at int) int     { return headerSize + len(l.order) + at }
func (l *List) lengthByte(rank int) int { return l.textByte(len(l.texts)) + l.Len() - 1 - rank }

// verify checks L1 to L7 on untrusted columns and returns the first fault, or nil. It reads no byte outside of the columns, and does not
// allocate for a list of up to 128 entries.
func verify(l *List) *fault {
	switch n := l.Len(); {
	case !validTie(l.TieWidth()):
		return faultf("L1", 1, "tie width %d", l.tieWidth)
	case len(l.order) != n*l.stride():
		return faultf("L2", headerSize, "%d entries, %d bytes of rows", n, len(l.order))
	case cap(l.texts)-len(l.texts) < n:
		return faultf("L5", l.textByte(len(l.texts)), "%d bytes of texts and %d lengths in %d", len(l.texts), n, cap(l.texts))
	case l.joined && cap(l.order) != len(l.order)+cap(l.texts)+countSize:
		return faultf("L7", l.textByte(0), "%d bytes of rows and a column of %d in %d", len(l.order), cap(l.texts), cap(l.order))
	}
	stride := l.stride()
	var prevRow, prev []byte
	at := 0
	for rank := range l.Len() {
		member, next, f := l.readText(rank, at)
		if f != nil {
			return f
		}
		row := l.order[rank*stride:][:stride]
		if c := bytes.Compare(prevRow, row); c > 0 || c == 0 && bytes.Compare(prev, member) >= 0 {
			return faultf("L4", l.rowByte(rank), "entry %d does not stand after the one before it", rank)
		}
		prevRow, prev, at = row, member, next
	}
	if at != len(l.texts) {
		return faultf("L3", l.textByte(at), "%d bytes after the last text", len(l.texts)-at)
	}
	return l.verifyUnique()
}

// readText is member for untrusted bytes. at must lie in the texts or be their end. readText compares each length with the remaining
// bytes before it uses the length.
func (l *List) readText(rank, at int) (member []byte, next int, f *fault) {
	rest := l.texts[at:]
	n := int(l.lengths()[l.Len()-1-rank])
	if n < longLen {
		if n > len(rest) {
			return nil, 0, faultf("L3", l.lengthByte(rank), "a member of %d bytes where %d are left", n, len(rest))
		}
		return rest[:n], at + n, nil
	}
	if len(rest) < 2*sideSize {
		return nil, 0, faultf("L3", l.textByte(at), "%d bytes are less than two long lengths", len(rest))
	}
	size := binary.LittleEndian.Uint32(rest)
	switch {
	case size < longLen:
		return nil, 0, faultf("L3", l.textByte(at), "a long length of %d bytes", size)
	case size > MaxMember:
		return nil, 0, faultf("L3", l.textByte(at), "a member of %d bytes", size)
	case uint64(size) > uint64(len(rest)-2*sideSize):
		return nil, 0, faultf("L3", l.textByte(at), "a member of %d bytes where %d are left", size, len(rest)-2*sideSize)
	}
	end := sideSize + int(size)
	if back := binary.LittleEndian.Uint32(rest[end:]); back != size {
		return nil, 0, faultf("L3", l.textByte(at+end), "a member of %d bytes has the length %d behind it", size, back)
	}
	return rest[sideSize:end], at + end + sideSize, nil
}

// seed makes the hashes in verifyUnique unpredictable, so that nobody can choose members that collide. It has no influence on any
// result.
var seed = maphash.MakeSeed()

// verifyUnique checks L6 on a list that satisfies the other invariants. It enters each member into a hash table with open addressing. A
// slot holds the Pos of an entry plus 1, or 0 if it is free. At most half of the slots are used.
func (l *List) verifyUnique() *fault {
	var small [256]Pos
	table := small[:]
	if n := l.Len(); 2*n > len(small) {
		table = make([]Pos, 1<<bits.Len(uint(2*n-1)))
	}
	at := 0
	for rank := range l.Len() {
		member, next := l.member(rank, at)
		slot := int(maphash.Bytes(seed, member) & uint64(len(table)-1))
		for ; table[slot] != 0; slot = (slot + 1) & (len(table) - 1) {
			p := table[slot] - 1
			if other, _ := l.member(p.rank(), p.at()); bytes.Equal(other, member) {
				return faultf("L6", l.textByte(at), "entry %d has the member of entry %d", rank, p.rank())
			}
		}
		table[slot] = posOf(rank, at) + 1
		at = next
	}
	return nil
}
