package boardjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/zrankdb/zrank/board/rules"
)

// ErrScore is returned for JSON that is no score.
var ErrScore = errors.New("board: not a score")

// ErrWhole is returned for a text that is no whole number of 64 bits.
var ErrWhole = errors.New("want a whole number of 64 bits")

// exactFloats is 2^53: float64 has every integer up to it.
const exactFloats = 1 << 53

// ParseValue reads a number as rules.ParseValue does, but that one with a point and no exponent
// keeps its decimals; and NaN, +Inf and -Inf, which boards refuse. Error: ErrScore.
func ParseValue(text string) (rules.Value, error) {
	if v, ok := fixed(text); ok {
		return v, nil
	}
	v, err := rules.ParseValue(text)
	if err == nil {
		return v, nil
	}
	switch text {
	case "NaN", "+Inf", "Inf", "-Inf":
		f, _ := strconv.ParseFloat(text, 64)
		return rules.Float(f), nil
	}
	return v, fmt.Errorf("%w: %.64q is no number", ErrScore, text)
}

// ParseWhole reads a whole number of 64 bits, which may be written with a point or an exponent: 5, 5.0,
// 5e0, 1e+14. Error: ErrWhole.
func ParseWhole(text string) (int64, error) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n, nil
	}
	if f, err := strconv.ParseFloat(text, 64); err == nil && len(text) <= maxWhole && strings.Trim(text, "+-.0123456789eE") == "" {
		mantissa, _, _ := strings.Cut(strings.ToLower(text), "e")
		if strings.Trim(mantissa, "+-.0") == "" {
			return 0, nil
		}
		if f != 0 && f == math.Trunc(f) && math.Abs(f) <= 1<<63 { // so the exponent is small
			if r, ok := new(big.Rat).SetString(text); ok && r.IsInt() && r.Num().IsInt64() {
				return r.Num().Int64(), nil
			}
		}
	}
	return 0, fmt.Errorf("%w, not %.64s", ErrWhole, text)
}

// maxWhole is the length of the longest text of a whole number.
const maxWhole = 64

// fixed reads a number with a point and without an exponent.
func fixed(text string) (v rules.Value, ok bool) {
	whole, part, ok := strings.Cut(text, ".")
	if !ok || part == "" || len(part) > rules.MaxDecimals || strings.Trim(part, "0123456789") != "" {
		return v, false
	}
	units, err := strconv.ParseInt(whole+part, 10, 64)
	if err != nil || strings.Trim(whole, "+-") == "" || units == 0 && strings.HasPrefix(whole, "-") {
		return v, false
	}
	return rules.Decimal(units, len(part)), true
}

// ParseScore reads columns with commas between them, as in the parameters of a URL. Error: ErrScore.
func ParseScore(text string) (s rules.Score, err error) {
	if !strings.Contains(text, ",") {
		v, err := ParseValue(text)
		return rules.Values(v), err
	}
	parts := strings.Split(text, ",")
	if len(parts) > rules.MaxColumns {
		return s, fmt.Errorf("%w: %d columns, want at most %d", ErrScore, len(parts), rules.MaxColumns)
	}
	values := make([]rules.Value, len(parts))
	for i, part := range parts {
		if values[i], err = ParseValue(part); err != nil {
			return s, err
		}
	}
	return rules.Values(values...), nil
}

// ScoreText is the inverse of ParseScore.
func ScoreText(s rules.Score) string { return strings.Join(texts(&s), ",") }

// texts returns the numbers of a score as strings.
func texts(s *rules.Score) []string {
	parts := make([]string, s.Len())
	for i := range parts {
		parts[i] = s.At(i).String()
	}
	return parts
}

// isLossy reports whether a float64 does not have one of the numbers exactly.
func isLossy(s *rules.Score) bool {
	for i := range s.Len() {
		units, _ := s.At(i).Units()
		if units > exactFloats || units < -exactFloats {
			return true
		}
	}
	return false
}

// appendValue appends a number, or null; a float64 that is no finite number is a string.
func appendValue(b []byte, v rules.Value) []byte {
	if units, ok := v.Units(); ok && v.Decimals() == 0 {
		return strconv.AppendInt(b, units, 10)
	}
	if text, err := v.MarshalJSON(); err == nil {
		return append(b, text...)
	}
	return strconv.AppendQuote(b, v.String())
}

// appendScore appends an array.
func appendScore(b []byte, s *rules.Score) []byte {
	b = append(b, '[')
	for i := range s.Len() {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendValue(b, s.At(i))
	}
	return append(b, ']')
}

// readValue reads a number, or one as a string, or null.
func readValue(b []byte) (rules.Value, error) {
	if text, quoted := bytes.CutPrefix(b, []byte{'"'}); quoted {
		return ParseValue(string(bytes.TrimSuffix(text, []byte{'"'})))
	}
	if string(b) == "null" {
		return rules.Absent, nil
	}
	return ParseValue(string(b))
}

// readScore reads an array, or one number for a score of one column. null has no columns.
func readScore(b []byte) (s rules.Score, err error) {
	switch {
	case string(b) == "null":
		return s, nil
	case !bytes.HasPrefix(b, []byte{'['}):
		v, err := readValue(b)
		return rules.Values(v), err
	}
	if inner, closed := bytes.CutSuffix(b[1:], []byte{']'}); closed { // one column, as most have
		if v, err := readValue(bytes.TrimSpace(inner)); err == nil {
			return rules.Values(v), nil
		}
	}
	var list []json.RawMessage
	if err := json.Unmarshal(b, &list); err != nil {
		return s, fmt.Errorf("%w: %.64q", ErrScore, b)
	}
	if len(list) > rules.MaxColumns {
		return s, fmt.Errorf("%w: %d columns, want at most %d", ErrScore, len(list), rules.MaxColumns)
	}
	values := make([]rules.Value, len(list))
	for i, text := range list {
		if values[i], err = readValue(text); err != nil {
			return s, err
		}
	}
	return rules.Values(values...), nil
}

// Value is a column for structs that package encoding/json writes and reads.
type Value struct{ rules.Value }

// MarshalJSON writes a number, or null; a float64 that is no finite number is a string.
func (v Value) MarshalJSON() ([]byte, error) { return appendValue(nil, v.Value), nil }

// UnmarshalJSON reads what MarshalJSON writes, and numbers as strings. Error: ErrScore.
func (v *Value) UnmarshalJSON(b []byte) (err error) {
	v.Value, err = readValue(b)
	return err
}
