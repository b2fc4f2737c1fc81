package rules

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// MaxColumns is the largest number of columns of a score.
const MaxColumns = 4

// Value is one column of a score. Values can be compared with ==. The zero Value is Int(0).
type Value struct {
	bits  uint64 // of the int64, or of the float64
	float bool
}

// Int returns the value of an int64 column. A float64 column takes it too, if it can hold it exactly.
func Int(v int64) Value { return Value{bits: uint64(v)} }

// Float returns the value of a float64 column. -0 becomes 0.
func Float(v float64) Value { return Value{math.Float64bits(v + 0), true} }

// IsFloat reports whether the value is a float64.
func (v Value) IsFloat() bool { return v.float }

// Int returns the value as an int64. It truncates a float64 and limits it to the range of int64; NaN becomes 0.
func (v Value) Int() int64 {
	if !v.float {
		return int64(v.bits)
	}
	switch f := v.Float(); {
	case f != f:
		return 0
	case f >= math.MaxInt64:
		return math.MaxInt64
	case f <= math.MinInt64:
		return math.MinInt64
	default:
		return int64(f)
	}
}

// Float returns the value as a float64. An int64 beyond 2^53 may be rounded.
func (v Value) Float() float64 {
	if v.float {
		return math.Float64frombits(v.bits)
	}
	return float64(int64(v.bits))
}

// String returns the value as a decimal number, the shortest that reads back as the same: "15" is an int64, "15.0" and "1e+21" are
// float64.
func (v Value) String() string {
	if !v.float {
		return strconv.FormatInt(int64(v.bits), 10)
	}
	f := v.Float()
	if size := math.Abs(f); size != 0 && (size < 1e-6 || size >= 1e21) {
		return strconv.FormatFloat(f, 'e', -1, 64)
	}
	text := strconv.FormatFloat(f, 'f', -1, 64)
	if f == math.Trunc(f) {
		text += ".0"
	}
	return text
}

// ParseValue reads what String writes. A decimal number with a point or an exponent becomes the nearest float64, any other number an
// int64. Error: ErrNumber, also for numbers that are out of range.
func ParseValue(text string) (Value, error) {
	if i, err := strconv.ParseInt(text, 10, 64); err == nil {
		return Int(i), nil
	}
	decimal := strings.Trim(text, "+-.0123456789eE") == "" // no hexadecimal, no underscores
	if f, err := strconv.ParseFloat(text, 64); err == nil && decimal && strings.ContainsAny(text, ".eE") {
		return Float(f), nil
	}
	return Value{}, fmt.Errorf("%w: %q", ErrNumber, text)
}

// MarshalJSON writes the number as String does. Error: ErrNotFinite.
func (v Value) MarshalJSON() ([]byte, error) {
	if f := v.Float(); math.IsNaN(f) || math.IsInf(f, 0) {
		return nil, fmt.Errorf("%w: %v", ErrNotFinite, f)
	}
	return []byte(v.String()), nil
}

// UnmarshalJSON reads a number as ParseValue does; null is not a number. Error: ErrNumber.
func (v *Value) UnmarshalJSON(b []byte) error {
	read, err := ParseValue(string(b))
	if err == nil {
		*v = read
	}
	return err
}

// Score is the values of all columns of an entry or a submission. Scores can be compared with ==. The zero Score has no columns.
type Score struct {
	bits   [MaxColumns]uint64
	n      uint8
	floats uint8 // bit i is set if column i is a float64
}

// Ints returns a score of int64 columns: Ints(15), Ints(9, 935).
func Ints(values ...int64) (s Score) {
	for _, v := range values {
		s.add(Int(v))
	}
	return s
}

// Floats returns a score of float64 columns.
func Floats(values ...float64) (s Score) {
	for _, v := range values {
		s.add(Float(v))
	}
	return s
}

// Values returns a score of columns of either kind.
func Values(values ...Value) (s Score) {
	for _, v := range values {
		s.add(v)
	}
	return s
}

// add appends a column. It only counts columns beyond MaxColumns, so that Check refuses the score.
func (s *Score) add(v Value) {
	if int(s.n) < MaxColumns {
		s.bits[s.n] = v.bits
		if v.float {
			s.floats |= 1 << s.n
		}
	}
	s.n = min(s.n, math.MaxUint8-1) + 1
}

// Len returns the number of columns.
func (s Score) Len() int { return int(s.n) }

// At returns a column, from 0; the zero Value if there is none.
func (s Score) At(column int) Value {
	if column < 0 || column >= min(s.Len(), MaxColumns) {
		return Value{}
	}
	return Value{s.bits[column], s.floats&(1<<column) != 0}
}

// set puts another value in a column.
func (s *Score) set(column int, v Value) {
	s.bits[column] = v.bits
	s.floats &^= 1 << column
	if v.float {
		s.floats |= 1 << column
	}
}

// Int returns a column, from 0, as Value.Int does.
func (s Score) Int(column int) int64 { return s.At(column).Int() }

// Float returns a column, from 0, as Value.Float does.
func (s Score) Float(column int) float64 { return s.At(column).Float() }

// String returns the columns with blanks between them: "9 935". Columns beyond MaxColumns become "…".
func (s Score) String() string {
	texts := make([]string, min(s.Len(), MaxColumns))
	for i := range texts {
		texts[i] = s.At(i).String()
	}
	if s.Len() > MaxColumns {
		texts = append(texts, "…")
	}
	return strings.Join(texts, " ")
}

// MarshalJSON writes one column as a number and several as an array of numbers. Errors: ErrNotFinite, ErrColumns for more than
// MaxColumns.
func (s Score) MarshalJSON() ([]byte, error) {
	if s.Len() > MaxColumns {
		return nil, tooMany(s.Len())
	}
	values := make([]Value, s.Len())
	for i := range values {
		values[i] = s.At(i)
	}
	if len(values) == 1 {
		return values[0].MarshalJSON()
	}
	return json.Marshal(values)
}

// UnmarshalJSON reads a number or an array of numbers, as ParseValue does. Errors: ErrNumber, ErrColumns for more than MaxColumns.
func (s *Score) UnmarshalJSON(b []byte) error {
	values := make([]Value, 1)
	var err error
	if bytes.HasPrefix(b, []byte{'['}) {
		err = json.Unmarshal(b, &values)
	} else {
		err = values[0].UnmarshalJSON(b)
	}
	if err != nil {
		return err
	}
	if len(values) > MaxColumns {
		return tooMany(len(values))
	}
	*s = Values(values...)
	return nil
}

// tooMany returns the error of a score with more than MaxColumns columns.
func tooMany(columns int) error {
	return fmt.Errorf("%w: %d, want at most %d", ErrColumns, columns, MaxColumns)
}

// ScoreError says which column of a score the board refuses, and why. errors.Is finds Reason.
type ScoreError struct {
	Column   int    // from 0
	Name     string // of the column
	Value    Value  // as submitted; if a sum would be out of bounds, that sum
	Min, Max *Value // the column's bounds, where Reason is ErrBounds
	Reason   error  // ErrKind, ErrNotFinite, ErrBounds or ErrOverflow
}

// Error returns the reason, the value and the column.
func (e *ScoreError) Error() string {
	text := fmt.Sprintf("%v: %v in column %q", e.Reason, e.Value, e.Name)
	if e.Reason != ErrBounds {
		return text
	}
	low, high := "", ""
	if e.Min != nil {
		low = e.Min.String()
	}
	if e.Max != nil {
		high = e.Max.String()
	}
	return fmt.Sprintf("%s, want %s..%s", text, low, high)
}

// Unwrap returns Reason.
func (e *ScoreError) Unwrap() error { return e.Reason }

// compare compares two values of one kind as numbers.
func compare(a, b Value) int {
	if a.float {
		return cmp.Compare(a.Float(), b.Float())
	}
	return cmp.Compare(int64(a.bits), int64(b.bits))
}
