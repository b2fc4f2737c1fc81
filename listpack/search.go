package listpack

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// Find returns the place and the rank of a member, or End, Len and false if it is not in the list. O(n): it compares
// lengths, then the last bytes (names and ids differ there first), and the rest only when both agree.
func (l *List) Find(member []byte) (p Pos, rank int, ok bool) {
	if n := len(member); n >= tailSize && n < longLen {
		p = l.findTail(member)
	} else {
		p = l.findAny(member)
	}
	return p, p.rank(), p != l.End()
}

// tailSize is how many of a member's last bytes are compared before the others.
const tailSize = 8

// findTail is Find for members of tailSize to longLen-1 bytes, the usual ones.
func (l *List) findTail(member []byte) Pos {
	tail := binary.LittleEndian.Uint64(member[len(member)-tailSize:])
	p := l.Begin()
	for {
		p = l.nextTail(p, len(member), tail)
		rank, at := p.rank(), p.at()
		if rank == l.Len() || string(l.texts[at:at+len(member)]) == string(member) {
			return p
		}
		p = posOf(rank+1, at+len(member))
	}
}

// nextTail returns the place of the first entry from p on whose member has the length want and the last bytes tail, or End. It is a
// separate function because a loop without calls keeps its variables in registers. Nanoseconds of Find at 16, 128 and 1024 entries: 15,
// 55, 373 in this form; 20, 89, 640 with texts[at-tailSize:], a slice of unknown capacity; 24, 134, 993 with one loop for all members.
func (l *List) nextTail(p Pos, want int, tail uint64) Pos {
	lengths, texts, at := l.lengths(), l.texts, p.at()
	for i := len(lengths) - 1 - p.rank(); i >= 0; i-- {
		n := int(lengths[i])
		if n == want {
			at += n
			if binary.LittleEndian.Uint64(texts[at-tailSize:at:at]) == tail {
				return posOf(len(lengths)-1-i, at-n)
			}
		} else if n != longLen {
			at += n
		} else {
			at += 2*sideSize + int(binary.LittleEndian.Uint32(texts[at:at+sideSize:at+sideSize]))
		}
	}
	return l.End()
}

// findAny is Find for any other members, short or long.
func (l *List) findAny(member []byte) Pos {
	at := 0
	for rank := range int(l.n) {
		text, next := l.member(rank, at)
		if len(text) == len(member) && string(text) == string(member) {
			return posOf(rank, at)
		}
		at = next
	}
	return l.End()
}

// Seek returns the number of entries before (key, text), where text is a tie followed by a member, or a prefix of that. The list need
// not hold such an entry. Only entries with a lower key are before (key, nil). O(log n), or O(n) if entries have this key and tie:
// finding their members adds up lengths.
func (l *List) Seek(key uint64, text []byte) (rank int) {
	width := min(len(text), l.TieWidth())
	return l.place(key, text[:width], text[width:])
}

// place returns the number of entries before (key, tie, member), which is the rank that such an entry would have.
func (l *List) place(key uint64, tie, member []byte) (rank int) {
	lo := l.keysBelow(key)
	if lo == l.Len() || l.key(lo) != key || len(tie)+len(member) == 0 {
		return lo
	}
	hi := l.Len()
	if key+1 != 0 {
		hi = l.keysBelow(key + 1)
	}
	return l.placeAmong(lo, hi, tie, member)
}

// keysBelow returns the number of entries with a lower key. Each step of the bisection adds half of the rest or nothing, by a mask: a
// branch would be mispredicted half of the time. Nanoseconds of Seek at 16, 128 and 1024 entries: 16, 27, 44 with the mask; 25, 40, 57
// with a branch; 53, 300, 2610 with a linear search.
func (l *List) keysBelow(key uint64) (rank int) {
	if l.n == 0 {
		return 0
	}
	for rows := int(l.n); rows > 1; {
		half := rows / 2
		_, below := bits.Sub64(l.key(rank+half-1), key, 0)
		rank += half & -int(below)
		rows -= half
	}
	_, below := bits.Sub64(l.key(rank), key, 0)
	return rank + int(below)
}

// placeAmong is place among the entries with ranks in [lo, hi), which all have the same key. It reads a text only if the ties are equal.
// It finds the first text from the nearer end of the list, and each other one from the text before. Since the steps halve, that adds
// up hi-lo lengths in total.
func (l *List) placeAmong(lo, hi int, tie, member []byte) (rank int) {
	p, known := l.Begin(), false
	for lo < hi {
		mid := (lo + hi) / 2
		_, midTie := l.row(mid)
		c := bytes.Compare(midTie, tie)
		if c == 0 {
			if known {
				p = l.walk(p, mid)
			} else {
				p, known = l.At(mid), true
			}
			text, _ := l.member(mid, p.at())
			c = bytes.Compare(text, member)
		}
		if c < 0 {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// follows reports whether an entry belongs after every entry of the list, by looking at the last one only.
func (l *List) follows(key uint64, tie, member []byte) bool {
	if l.n == 0 {
		return true
	}
	if last := l.key(l.Len() - 1); last != key {
		return last < key
	}
	_, lastTie, lastMember := l.Entry(l.Prev(l.End()))
	if c := bytes.Compare(lastTie, tie); c != 0 {
		return c < 0
	}
	return bytes.Compare(lastMember, member) < 0
}
