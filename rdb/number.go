package rdb

import (
	"errors"
	"math"
	"strconv"
)

// parseInt returns the int64 whose decimal text b is. ok is false for any other text, such as "007", "+1" and "-0": a number is
// written in place of a text only if the text can be had back.
func parseInt(b []byte) (n int64, ok bool) {
	if len(b) == 0 || len(b) > 20 {
		return 0, false
	}
	digits, negative := b, b[0] == '-'
	if negative {
		digits = b[1:]
	}
	if len(digits) == 0 || digits[0] == '0' && len(b) > 1 {
		return 0, false
	}
	var v uint64
	for _, c := range digits {
		if c < '0' || c > '9' || v > math.MaxUint64/10 || v*10 > math.MaxUint64-uint64(c-'0') {
			return 0, false
		}
		v = v*10 + uint64(c-'0')
	}
	switch {
	case negative && v <= 1<<63:
		return -int64(v), true
	case !negative && v <= math.MaxInt64:
		return int64(v), true
	}
	return 0, false
}

// maxScoreText is the length of the longest text of a score that is read.
const maxScoreText = 252

// parseScore reads the text of a score as C's strtod does. Texts out of range are infinite or 0. ok is false for other texts and for NaN.
func parseScore(b []byte) (score float64, ok bool) {
	if len(b) > maxScoreText {
		return 0, false
	}
	score, err := strconv.ParseFloat(string(b), 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0, false
	}
	return score, !math.IsNaN(score)
}

// scoreInt returns the integer as which a listpack has a score. ok is false if it is a text there.
func scoreInt(score float64) (n int64, ok bool) {
	const most = 1 << 62
	if !(score >= -most && score <= most) || score != math.Trunc(score) {
		return 0, false
	}
	return int64(score), true
}

// appendScore appends the text of a score that is no integer, as Redis 7.0 writes it.
func appendScore(b []byte, score float64) []byte {
	switch {
	case math.IsInf(score, 1):
		return append(b, "inf"...)
	case math.IsInf(score, -1):
		return append(b, "-inf"...)
	}
	return strconv.AppendFloat(b, score, 'g', 17, 64)
}
