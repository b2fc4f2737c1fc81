package rules

import "encoding/binary"

// ScoreTie returns the number of bytes at the beginning of a form's tie that belong to the score.
func (r *Rules) ScoreTie() int { return 8 * (r.words - 1) }

// TieWidth returns the number of bytes of a form's tie: ScoreTie, and 16 more with FirstToReach and LastToReach, 8 with TimeOnly.
func (r *Rules) TieWidth() int {
	return r.ScoreTie() + r.timesWidth()
}

// timesWidth returns the number of bytes of a form's tie behind the score.
func (r *Rules) timesWidth() int {
	switch {
	case r.ties == ByMember:
		return 0
	case r.timeOnly:
		return wordWidth
	default:
		return 2 * wordWidth
	}
}

// TimeOnly returns the same rules without the order of arrival: of equal scores that were reached in the same microsecond, that of the member stands
// first whose bytes sort first. Forms take 8 bytes less, unless the tie rule is ByMember.
func (r *Rules) TimeOnly() *Rules {
	other := *r
	other.timeOnly = true
	return &other
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
	if r.timeOnly {
		return score, tie
	}
	return score, binary.BigEndian.AppendUint64(tie, arrival)
}

// Prefix returns the common beginning of the forms of all entries with a score: the set's score, and ScoreTie bytes, appended to dst.
// The score must have passed Check. O(columns).
func (r *Rules) Prefix(dst []byte, s Score) (score int64, tie []byte) {
	if r.fields != nil {
		return r.pack(dst, s)
	}
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
	if r.fields != nil {
		return r.unpack(to, score, tie)
	}
	*to = Score{n: uint8(len(r.columns))}
	code := uint64(score) ^ signBit
	for i := range r.columns {
		if i > 0 {
			code, tie = word(tie)
		}
		to.set(i, r.columns[i].decode(code))
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
	if r.timeOnly {
		arrival = 0
	}
	return int64(first ^ signBit), arrival
}

// FirstBits returns how many of the highest bits of a form's score have the first column: 64 up to four columns. The value of the first
// column decides them, and they order as it ranks, if the sign bit is inverted. O(1).
func (r *Rules) FirstBits() int { return int(r.first().width) }

// first returns how the first column is stored.
func (r *Rules) first() *field {
	if r.fields == nil {
		return &field{width: 64}
	}
	return &r.fields[0]
}

// FirstCode returns the code of a value in the first column, as the highest FirstBits of a form's score have it. The value must have
// passed Check. O(1).
func (r *Rules) FirstCode(v Value) uint64 { return r.first().packed(&r.columns[0], v) }

// FirstColumn returns the value of an entry's first column, decoded from the score of its form. O(1).
func (r *Rules) FirstColumn(score int64) Value {
	f := r.first()
	return f.unpacked(&r.columns[0], (uint64(score)^signBit)>>(64-f.width))
}
