package totals

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/zrankdb/zrank/board/rules"
)

// Points is what is stored of the points of a member in a period of a derived board, unless its Derived.Points are Follow: the base for the group that it is in, and
// what it has left to other groups. The stored form is a list of parts:
//
//	kind 1 | number of the group uvarint | score, see rules.AppendScore
type Points struct {
	Base *Part
	Left []Part
}

// Part is a part of the score of a member.
type Part struct {
	Number int64 // of the group
	Score  rules.Score
}

const (
	basePart = 1
	leftPart = 2
)

// Encode returns the stored form; nil if there are no parts.
func (x Points) Encode() (b []byte) {
	add := func(kind byte, of Part) {
		b = binary.AppendUvarint(append(b, kind), uint64(of.Number))
		b = rules.AppendScore(b, of.Score)
	}
	if x.Base != nil {
		add(basePart, *x.Base)
	}
	for _, l := range x.Left {
		add(leftPart, l)
	}
	return b
}

// DecodePoints is the inverse of Encode.
func DecodePoints(b []byte) (x Points, err error) {
	for len(b) > 0 {
		kind := b[0]
		number, size := binary.Uvarint(b[1:])
		if size <= 0 || kind != basePart && kind != leftPart || kind == basePart && x.Base != nil {
			return Points{}, fmt.Errorf("board: stored points of %d bytes cannot be read", len(b))
		}
		score, rest, ok := rules.CutScore(b[1+size:])
		if !ok {
			return Points{}, fmt.Errorf("board: stored points of %d bytes cannot be read", len(b))
		}
		if b = rest; kind == basePart {
			x.Base = &Part{int64(number), score}
		} else {
			x.Left = append(x.Left, Part{int64(number), score})
		}
	}
	return x, nil
}

// BaseOf returns the part of a member's score that does not count for a group; false if all of it counts.
func (x Points) BaseOf(number int64) (s rules.Score, ok bool) {
	if x.Base == nil || x.Base.Number != number {
		return s, false
	}
	return x.Base.Score, true
}

// TakeLeft removes what the member has left to a group, and returns it.
func (x *Points) TakeLeft(number int64) (s rules.Score, ok bool) {
	i := slices.IndexFunc(x.Left, func(l Part) bool { return l.Number == number })
	if i < 0 {
		return s, false
	}
	s = x.Left[i].Score
	x.Left = slices.Delete(x.Left, i, i+1)
	return s, true
}
