package wire

import "math"

// ParseInt reads an integer as Redis does: only the text that Redis writes for it, so no +, no -0, no leading zeros and no space. ok is false
// for any other text, and beyond 64 bits. O(length of s), of at most 20 bytes.
func ParseInt(s []byte) (n int64, ok bool) {
	digits := s
	negative := len(s) > 0 && s[0] == '-'
	if negative {
		digits = s[1:]
	}
	if len(digits) == 0 || len(digits) > 19 || digits[0] == '0' && len(s) > 1 {
		return 0, false
	}
	var u uint64 // 19 digits fit
	for _, c := range digits {
		if c < '0' || c > '9' {
			return 0, false
		}
		u = u*10 + uint64(c-'0')
	}
	switch {
	case negative && u <= -math.MinInt64:
		return -int64(u), true
	case !negative && u <= math.MaxInt64:
		return int64(u), true
	}
	return 0, false
}
