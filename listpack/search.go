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

// nextTail returns the place of the first entry from p on whose member has a given length and last bytes, or End. It is apart
// from findTail because a loop without calls keeps its variables in registers. Find at 16, 128 and 1024 entries, ns: 15, 55,
// 373 as it stands; 20, 89, 640 with texts[at-tailSize:], a slice of unknown capacity; 24, 134, 993 in one loop for all members.
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

// Seek returns the number of entries before (key, text), where text is a tie followed by a member, or the first bytes of
// that, whether or not the list holds such an entry. Entries with a lower key, and only they, are before (key, nil).
// O(log n), but O(n) if entries have this very key and tie: finding their members adds up lengths.
func (l *List) Seek(key uint64, text []byte) (rank int) {
	width := min(len(text), l.TieWidth())
	return l.place(key, text[:width], text[width:])
}

// place returns the number of entries before (key, tie, member): the rank of the place where that entry belongs.
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

// keysBelow returns the number of entries with a lower key. Each step adds half of what is left or nothing, by a mask: whether
// it does is a coin toss, and a branch would be mispredicted every other time. Seek at 16, 128 and 1024 entries, ns: 16, 27,
// 44 with the mask; 25, 40, 57 with a branch; 53, 300, 2610 looking at one key after the other.
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

// placeAmong is place among the entries with ranks in [lo, hi), which have one key. Texts are looked at only where ties are
// equal, and all but the first are found from the last one looked at: the steps halve, so together they add up hi-lo lengths.
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
