package rules

import (
	"encoding/binary"
	"math"
)

const (
	signBit    = 1 << 63
	timesWidth = 16 // when a score was reached, and the arrival
	// MaxTie is the width of the widest tie that Encode makes, in bytes.
	MaxTie = 8*(MaxColumns-1) + timesWidth
)

// ScoreTie returns the number of bytes at the beginning of a form's tie that belong to the score.
func (r *Rules) ScoreTie() int { return 8 * (len(r.columns) - 1) }

// TieWidth returns the number of bytes of a form's tie: ScoreTie, and 16 more with FirstToReach and LastToReach.
func (r *Rules) TieWidth() int {
	if r.ties == ByMember {
		return r.ScoreTie()
	}
	return r.ScoreTie() + timesWidth
}

// Encode returns the form of an entry: its score in a set of int64 scores, and its tie, appended to dst. In ascending order the
// best form comes first. The score must have passed Check. O(columns).
func (r *Rules) Encode(dst []byte, e Entry) (score int64, tie []byte) {
	score, tie = r.Prefix(dst, e.Score)
	if r.ties == ByMember {
		return score, tie
	}
	reached, arrival := uint64(e.Reached)^signBit, e.Arrival
	if r.ties == LastToReach {
		reached, arrival = ^reached, ^arrival
	}
	tie = binary.BigEndian.AppendUint64(tie, reached)
	return score, binary.BigEndian.AppendUint64(tie, arrival)
}

// Prefix returns the common beginning of the forms of all entries with a score: the set's score, and ScoreTie bytes, appended to dst.
// The score must have passed Check. O(columns).
func (r *Rules) Prefix(dst []byte, s Score) (score int64, tie []byte) {
	score = int64(r.columns[0].code(s.At(0)) ^ signBit)
	for i := 1; i < len(r.columns); i++ {
		dst = binary.BigEndian.AppendUint64(dst, r.columns[i].code(s.At(i)))
	}
	return score, dst
}

// Decode is the inverse of Encode. A tie should have TieWidth bytes; each word of 8 bytes that is
// missing or incomplete reads as zero. O(columns).
func (r *Rules) Decode(score int64, tie []byte) (e Entry) {
	e.Reached, e.Arrival = r.times(r.columnsOf(&e.Score, score, tie))
	return e
}

// DecodeScore is Decode without the arrival. It writes the score to its place, which saves a copy where that is in a larger struct. O(columns).
func (r *Rules) DecodeScore(to *Score, score int64, tie []byte) (reached int64) {
	reached, _ = r.times(r.columnsOf(to, score, tie))
	return reached
}

// columnsOf decodes the columns of a score and returns the rest of the tie.
func (r *Rules) columnsOf(to *Score, score int64, tie []byte) (times []byte) {
	*to = Score{}
	code := uint64(score) ^ signBit
	for i := range r.columns {
		if i > 0 {
			code, tie = word(tie)
		}
		to.add(r.columns[i].decode(code))
	}
	return tie
}

// times decodes the part of a tie behind the columns. Both times are 0 with the tie rule ByMember.
func (r *Rules) times(tie []byte) (reached int64, arrival uint64) {
	if r.ties == ByMember {
		return 0, 0
	}
	first, tie := word(tie)
	arrival, _ = word(tie)
	if r.ties == LastToReach {
		first, arrival = ^first, ^arrival
	}
	return int64(first ^ signBit), arrival
}

// FirstColumn returns the value of an entry's first column, decoded from the score of its form. O(1).
func (r *Rules) FirstColumn(score int64) Value { return r.columns[0].decode(uint64(score) ^ signBit) }

// word returns the first 8 bytes of a tie, and the rest.
func word(tie []byte) (uint64, []byte) {
	if len(tie) < 8 {
		return 0, nil
	}
	return binary.BigEndian.Uint64(tie), tie[8:]
}

// code returns 64 bits that sort as the column ranks, best first. Where higher is better it complements the bits: it cannot negate
// the value, since the least int64 has no negative.
func (c *Column) code(v Value) uint64 {
	bits := v.bits ^ signBit
	if v.float && v.bits&signBit != 0 {
		bits = ^v.bits
	}
	if c.Order == Desc {
		return ^bits
	}
	return bits
}

// decode is the inverse of code.
func (c *Column) decode(code uint64) Value {
	if c.Order == Desc {
		code = ^code
	}
	if c.Kind == Int64 {
		return Int(int64(code ^ signBit))
	}
	if code&signBit == 0 {
		return Float(math.Float64frombits(^code))
	}
	return Float(math.Float64frombits(code ^ signBit))
}
