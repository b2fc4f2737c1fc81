package wire

import (
	"math"
	"strconv"
)

// ScoreText is the form in which scores are written.
type ScoreText int

const (
	// Redis72 is the form of Redis 7.2 and later: the fewest digits that read back as the same number.
	Redis72 ScoreText = iota
	// Redis70 is the form of Redis up to 7.0: 17 digits, without zeros at the end; C's %.17g.
	Redis70
)

// scoreBytes is the space of any score: a sign, 17 digits, a point, and an exponent or zeros.
const scoreBytes = 32

// whole bounds the integers, by absolute value, that Redis writes and stores in listpacks as integers.
const whole = 1 << 62

// AppendScore appends a score's text, as replies have it.
func AppendScore(dst []byte, f float64, t ScoreText) []byte {
	switch {
	case f >= -whole && f <= whole && f == math.Trunc(f) && (t == Redis72 || math.Abs(f) < 1e17):
		if f == 0 && math.Signbit(f) {
			dst = append(dst, '-')
		}
		return strconv.AppendInt(dst, int64(f), 10)
	case math.IsInf(f, 1):
		return append(dst, "inf"...)
	case math.IsInf(f, -1):
		return append(dst, "-inf"...)
	case math.IsNaN(f):
		return append(dst, "nan"...)
	case t == Redis70:
		return strconv.AppendFloat(dst, f, 'g', 17, 64)
	}
	return appendShortest(dst, f)
}

// AppendScanScore appends a score's text as ZSCAN has it. ZSCAN is the only reply that depends on the encoding of the set: a score in a listpack
// has all its digits if it is an integer, and the text of other replies if not; a score in a skiplist always has the form [Redis70].
func AppendScanScore(dst []byte, f float64, t ScoreText, listpack bool) []byte {
	if !listpack {
		return AppendScore(dst, f, Redis70)
	}
	if f >= -whole && f <= whole && f == math.Trunc(f) {
		return strconv.AppendInt(dst, int64(f), 10)
	}
	return AppendScore(dst, f, t)
}

// appendShortest appends a number that is neither an integer below 2^62 nor infinite: its digits d, and where the point is.
// With value = d * 10^k, as Redis:
//
//	k >= 0, up to 6 zeros behind d   5123456789012346000
//	k < 0, near the digits           0.000012  1234.5
//	else                             1.2345e-4  1e+21
func appendShortest(dst []byte, f float64) []byte {
	var buf [scoreBytes]byte
	text := strconv.AppendFloat(buf[:0], math.Abs(f), 'e', -1, 64) // "1.2345e-04"
	if f < 0 {
		dst = append(dst, '-')
	}
	digits, power := digitsOf(text)
	k := power - len(digits) + 1
	exponent := max(power, -power)
	switch {
	case k >= 0 && exponent < len(digits)+7:
		return appendZeros(append(dst, digits...), k)
	case k < 0 && (k > -7 || exponent < 4):
		return appendPoint(dst, digits, power)
	}
	dst = append(dst, digits[0])
	if len(digits) > 1 {
		dst = append(append(dst, '.'), digits[1:]...)
	}
	dst = append(dst, 'e', "+-"[b2i(power < 0)])
	return strconv.AppendInt(dst, int64(exponent), 10)
}

// digitsOf splits "1.2345e-04", in place, into its digits and the power of ten of the first digit.
func digitsOf(text []byte) (digits []byte, power int) {
	e := len(text) - 1
	for text[e] != 'e' {
		e--
	}
	for _, c := range text[e+2:] {
		power = power*10 + int(c-'0')
	}
	if text[e+1] == '-' {
		power = -power
	}
	if e == 1 {
		return text[:1], power
	}
	text[1] = text[0]
	return text[1:e], power
}

// appendPoint appends digits with a point among them, or with "0.", perhaps zeros, and then the digits.
func appendPoint(dst, digits []byte, power int) []byte {
	if power < 0 {
		dst = appendZeros(append(dst, "0."...), -power-1)
		return append(dst, digits...)
	}
	dst = append(dst, digits[:power+1]...)
	dst = append(dst, '.')
	return append(dst, digits[power+1:]...)
}

func appendZeros(dst []byte, n int) []byte {
	for range n {
		dst = append(dst, '0')
	}
	return dst
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
