package wire

import (
	"bytes"
	"errors"
	"math"
	"strconv"
	"strings"
)

// ParseScore reads a score, an increment or a weight as Redis up to 7.2 does, by the rules of C's strtod: decimal or hexadecimal
// digits, with or without an exponent, inf or infinity. ok is false if there is other text before or after the number, for NaN, and
// for a number that overflows, or underflows to 0. O(length of s).
func ParseScore(s []byte) (f float64, ok bool) {
	if f, ok = small(s); ok {
		return f, true
	}
	f, n, err := strtod(s)
	return f, n == len(s) && n > 0 && err == nil && !math.IsNaN(f)
}

// ParseBound reads an end of an interval of scores as Redis does: a number, after "(" if the end is exclusive. It reads the number as
// [ParseScore] does, with these differences: spaces may precede it, a number that overflows is infinite, one that underflows is 0,
// an empty text is 0, and a zero byte ends the text, as in C. O(length of s).
func ParseBound(s []byte) (f float64, exclusive, ok bool) {
	exclusive = len(s) > 0 && s[0] == '('
	if exclusive {
		s = s[1:]
	}
	if end := bytes.IndexByte(s, 0); end >= 0 {
		s = s[:end]
	}
	if len(s) == 0 {
		return 0, exclusive, true
	}
	for len(s) > 0 && isSpace(s[0]) {
		s = s[1:]
	}
	f, n, _ := strtod(s)
	return f, exclusive, n == len(s) && n > 0 && !math.IsNaN(f)
}

// small reads an integer of at most 15 digits, the usual score.
func small(s []byte) (f float64, ok bool) {
	n, ok := ParseInt(s)
	if !ok || len(s) > 15 {
		return 0, false
	}
	return float64(n), true
}

// strtod reads the number at the beginning of s, and returns the number of its bytes, 0 if there is none. A number that is out of
// range is infinite or 0, with an error that wraps strconv.ErrRange.
func strtod(s []byte) (f float64, n int, err error) {
	i := 0
	if i < len(s) && (s[i] == '+' || s[i] == '-') {
		i++
	}
	if f, n = word(s[i:]); n > 0 {
		if i > 0 && s[0] == '-' {
			f = -f
		}
		return f, i + n, nil
	}
	mark := byte('e')
	hex := len(s)-i > 2 && s[i] == '0' && s[i+1]|0x20 == 'x' && startsHex(s[i+2:])
	if hex {
		i, mark = i+2, 'p'
	}
	digits, nonzero := mantissa(s[i:], hex)
	if digits == 0 {
		return 0, 0, strconv.ErrSyntax
	}
	i += digits
	power := exponent(s[i:], mark)
	text := string(s[:i+power])
	if hex && power == 0 {
		text += "p0" // Go requires an exponent here
	}
	f, err = strconv.ParseFloat(text, 64)
	if f == 0 && nonzero && err == nil {
		err = strconv.ErrRange
	}
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0, 0, err
	}
	return f, i + power, err
}

// word reads inf, infinity or nan at the beginning of s, and returns the number of its bytes, 0 if there is none of them.
func word(s []byte) (f float64, n int) {
	begins := func(word string) bool { return len(s) >= len(word) && strings.EqualFold(string(s[:len(word)]), word) }
	switch {
	case begins("infinity"):
		return math.Inf(1), len("infinity")
	case begins("inf"):
		return math.Inf(1), len("inf")
	case begins("nan"):
		return math.NaN(), len("nan")
	}
	return 0, 0
}

// startsHex reports whether s, the text after "0x", begins with a hexadecimal digit, or a point and one. If not, "0x" is the number 0 and an x.
func startsHex(s []byte) bool {
	if s[0] == '.' {
		s = s[1:]
	}
	return len(s) > 0 && hexDigit(s[0]) >= 0
}

// mantissa returns the length of the digits at the beginning of s, with at most one point among them, 0 if there is no digit. nonzero
// says that one of the digits is not 0.
func mantissa(s []byte, hex bool) (n int, nonzero bool) {
	digits, points := 0, 0
	for _, c := range s {
		switch d := hexDigit(c); {
		case c == '.' && points == 0:
			points++
		case d < 0 || d > 9 && !hex:
			return n * min(digits, 1), nonzero
		default:
			digits++
			nonzero = nonzero || d > 0
		}
		n++
	}
	return n * min(digits, 1), nonzero
}

// exponent returns the length of the exponent at the beginning of s, 0 if there is none. mark is its letter.
func exponent(s []byte, mark byte) int {
	if len(s) == 0 || s[0]|0x20 != mark {
		return 0
	}
	i := 1
	if i < len(s) && (s[i] == '+' || s[i] == '-') {
		i++
	}
	from := i
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	if i == from {
		return 0
	}
	return i
}
