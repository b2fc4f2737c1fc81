package listpack

import (
	"bytes"
	"encoding/binary"
)

// Find returns the place and the rank of a member, or End, Len and false if it is not in the list. O(n): it compares
// lengths, then last bytes (names and ids differ there first), and the rest only when both agree.
func (l *List) Find(member []byte) (p Pos, rank int, ok bool) {
	if l.b == nil {
		return l.End(), 0, false
	}
	b, tieWidth := l.b, int(l.b[1])
	for at := headerSize; at < len(b); rank++ {
		n := length(b, at+keySize)
		text := after(at+keySize, n)
		end := text + tieWidth + n
		if n == len(member) && sameBytes(b[end-n:end], member) {
			return Pos(at), rank, true
		}
		at = after(end, end-at)
	}
	return l.End(), rank, false
}

// sameBytes compares two strings of one length.
func sameBytes(a, b []byte) bool {
	last := len(a) - 1
	return last < 0 || a[last] == b[last] && string(a) == string(b)
}

// Seek returns the place and the rank of the first entry for which before is false, or End and Len if there is none. before
// must be true for the entries of a prefix of the list and false for the others; it must not change the list. O(n), with one
// call for each entry it passes.
func (l *List) Seek(before func(Entry) bool) (p Pos, rank int) {
	if l.b == nil {
		return l.End(), 0
	}
	b, tieWidth := l.b, int(l.b[1])
	at := headerSize
	var e Entry
	for ; at < len(b); rank++ {
		n := length(b, at+keySize)
		text := after(at+keySize, n)
		member := text + tieWidth
		e.set(b, at, text, member, n)
		if !before(e) {
			break
		}
		at = after(member+n, member+n-at)
	}
	return Pos(at), rank
}

// nowhere is a Pos that no entry has.
const nowhere Pos = 0

// place returns where an entry belongs: the first entry that stands after it, and the number of entries before it. The entry
// at skip is passed over and not counted; Replace gives the entry that moves. It is Seek with the comparison written into the
// loop, for speed. The list must not be nil.
func (l *List) place(key uint64, tie, member []byte, skip Pos) (p Pos, rank int) {
	b, tieWidth := l.b, int(l.b[1])
	at := headerSize
	for at < len(b) {
		n := length(b, at+keySize)
		text := after(at+keySize, n)
		end := text + tieWidth + n
		if Pos(at) != skip {
			k := binary.BigEndian.Uint64(b[at:])
			if k > key || k == key && compareText(b[text:end], tie, member) >= 0 {
				break
			}
			rank++
		}
		at = after(end, end-at)
	}
	return Pos(at), rank
}

// follows reports whether an entry belongs after every entry of the list, by looking at the last one only.
func (l *List) follows(key uint64, tie, member []byte) bool {
	last := l.Prev(l.End())
	if last == l.End() {
		return true
	}
	e := l.Entry(last)
	if e.Key != key {
		return e.Key < key
	}
	if c := bytes.Compare(e.Tie, tie); c != 0 {
		return c < 0
	}
	return bytes.Compare(e.Member, member) < 0
}

// compareText compares the text of an entry with a tie and a member.
func compareText(text, tie, member []byte) int {
	if c := bytes.Compare(text[:len(tie)], tie); c != 0 {
		return c
	}
	return bytes.Compare(text[len(tie):], member)
}
