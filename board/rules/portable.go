package rules

import "encoding/binary"

// AppendScore appends the portable form of a score: the number of its columns, and for each its kind and its value. It depends on no rules, so a
// score can be read again whatever the board has become meanwhile. O(columns).
func AppendScore(dst []byte, s Score) []byte {
	n := min(s.Len(), MaxColumns)
	dst = append(dst, byte(n))
	for i := range n {
		v := s.At(i)
		if dst = append(dst, v.kind); v.IsFloat() {
			dst = binary.BigEndian.AppendUint64(dst, v.bits)
		} else {
			dst = binary.AppendVarint(dst, int64(v.bits))
		}
	}
	return dst
}

// CutScore reads a score in its portable form and returns the bytes behind it. It returns false for bytes that begin with none. O(columns).
func CutScore(b []byte) (s Score, rest []byte, ok bool) {
	if len(b) == 0 || b[0] > MaxColumns {
		return Score{}, nil, false
	}
	n, rest := int(b[0]), b[1:]
	var build builder
	build.grow(n)
	for range n {
		if len(rest) == 0 {
			return Score{}, nil, false
		}
		v := Value{kind: rest[0]}
		if rest = rest[1:]; v.IsFloat() {
			if len(rest) < wordWidth {
				return Score{}, nil, false
			}
			v.bits, rest = binary.BigEndian.Uint64(rest), rest[wordWidth:]
		} else {
			units, width := binary.Varint(rest)
			if width <= 0 || v.kind > MaxDecimals && !v.IsAbsent() {
				return Score{}, nil, false
			}
			v.bits, rest = uint64(units), rest[width:]
		}
		build.add(v)
	}
	return build.score(), rest, true
}
