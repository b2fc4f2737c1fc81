package rules

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"
)

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

// compare compares two values of one kind as numbers.
func compare(a, b Value) int {
	if a.float {
		return cmp.Compare(a.Float(), b.Float())
	}
	return cmp.Compare(int64(a.bits), int64(b.bits))
}
