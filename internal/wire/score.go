package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/rules"
)

// ErrScore is returned for JSON that is no score.
var ErrScore = errors.New("wire: not a score")

// Value is one column of a score: a JSON number, or a string with one, or null for board.Absent. What JSON numbers cannot be, a string can: NaN,
// +Inf and -Inf, which boards refuse.
type Value struct{ rules.Value }

// MarshalJSON writes a number or null; a float64 that is no finite number becomes a string.
func (v Value) MarshalJSON() ([]byte, error) {
	if b, err := v.Value.MarshalJSON(); err == nil {
		return b, nil
	}
	return strconv.AppendQuote(nil, v.Value.String()), nil
}

// UnmarshalJSON reads what MarshalJSON writes, and numbers as strings. Error: ErrScore.
func (v *Value) UnmarshalJSON(b []byte) (err error) {
	if text, quoted := bytes.CutPrefix(b, []byte{'"'}); quoted {
		v.Value, err = ParseValue(string(bytes.TrimSuffix(text, []byte{'"'})))
		return err
	}
	if string(b) == "null" {
		v.Value = rules.Absent
		return nil
	}
	v.Value, err = ParseValue(string(b))
	return err
}

// ParseValue reads a number as rules.ParseValue does, but that one with a point and no exponent keeps its decimals; and NaN, +Inf and -Inf. Error:
// ErrScore.
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

// Score is a score: an array with a number for each column.
type Score []Value

// ScoreOf returns a score as JSON has it; nil for one without columns.
func ScoreOf(s board.Score) Score {
	if s.Len() == 0 {
		return nil
	}
	values := make(Score, s.Len())
	for i := range values {
		values[i] = Value{s.At(i)}
	}
	return values
}

// Board is the inverse of ScoreOf. A number that was written without a point is an int64, whatever the kind of the column: columns of float64 and
// with decimals take it.
func (s Score) Board() board.Score {
	values := make([]rules.Value, len(s))
	for i, v := range s {
		values[i] = v.Value
	}
	return board.Values(values...)
}

// Given is Board for a score of a request, whose numbers are read as spec files and the command line read them: 1.0 is a float64.
func (s Score) Given() board.Score {
	values := make([]rules.Value, len(s))
	for i, v := range s {
		values[i] = v.Value
		if v.Decimals() > 0 {
			if given, err := rules.ParseValue(v.Value.String()); err == nil {
				values[i] = given
			}
		}
	}
	return board.Values(values...)
}

// UnmarshalJSON reads an array, or one number for a score of one column. Error: ErrScore, also for more than rules.MaxColumns columns.
func (s *Score) UnmarshalJSON(b []byte) error {
	if !bytes.HasPrefix(b, []byte{'['}) {
		var v Value
		if err := v.UnmarshalJSON(b); err != nil {
			return err
		}
		*s = Score{v}
		return nil
	}
	var values []Value
	if err := json.Unmarshal(b, &values); err != nil {
		return fmt.Errorf("%w: %.64q", ErrScore, b)
	}
	if len(values) > rules.MaxColumns {
		return fmt.Errorf("%w: %d columns, want at most %d", ErrScore, len(values), rules.MaxColumns)
	}
	*s = values
	return nil
}

// MarshalText writes the columns with commas between them, as in the parameters of a URL.
func (s Score) MarshalText() ([]byte, error) {
	parts := make([]string, len(s))
	for i, v := range s {
		parts[i] = v.Value.String()
	}
	return []byte(strings.Join(parts, ",")), nil
}

// UnmarshalText is the inverse. Error: ErrScore.
func (s *Score) UnmarshalText(text []byte) error {
	parts := strings.Split(string(text), ",")
	if len(parts) > rules.MaxColumns {
		return fmt.Errorf("%w: %d columns, want at most %d", ErrScore, len(parts), rules.MaxColumns)
	}
	values := make(Score, len(parts))
	for i, part := range parts {
		v, err := ParseValue(part)
		if err != nil {
			return err
		}
		values[i] = Value{v}
	}
	*s = values
	return nil
}

// MarshalJSON writes an array: see W2.
func (s Score) MarshalJSON() ([]byte, error) {
	if s == nil {
		return []byte("null"), nil
	}
	return json.Marshal([]Value(s))
}

// exactFloats is 2^53: float64 has every integer up to it.
const exactFloats = 1 << 53

// texts returns the numbers as strings if a float64 does not have one of them exactly, else nil.
func (s Score) texts() []string {
	lossy := false
	for _, v := range s {
		lossy = lossy || !v.IsFloat() && !v.IsAbsent() && (v.Units() > exactFloats || v.Units() < -exactFloats)
	}
	if !lossy {
		return nil
	}
	parts := make([]string, len(s))
	for i, v := range s {
		parts[i] = v.Value.String()
	}
	return parts
}
