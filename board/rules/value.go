package rules

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Value is one column of a score: an int64, a decimal number or a float64. Values can be compared with ==. The zero Value is Int(0).
type Value struct {
	bits uint64 // of the int64, of the units of the decimal number, or of the float64
	kind uint8  // floatKind, absentKind, or the number of decimals: 0 for an int64
}

const (
	// MaxDecimals is the largest number of decimals of a value.
	MaxDecimals = 18
	floatKind   = 255
	absentKind  = 254
)

// Absent is the value of a column that a submission leaves out, or that none has given a value: see Column.Absent. Its text is "-", its JSON null.
var Absent = Value{kind: absentKind}

// IsAbsent reports whether the value is Absent.
func (v Value) IsAbsent() bool { return v.kind == absentKind }

// Int returns the value of an int64 column. Another column takes it too, if it can hold it exactly.
func Int(v int64) Value { return Value{bits: uint64(v)} }

// Decimal returns the value of units of a column with decimals: Decimal(114, 2) is 1.14. decimals is 0 to MaxDecimals, and is limited to
// that. A column of another kind takes the value too, if it can hold it exactly; a float64 column takes the nearest float64.
func Decimal(units int64, decimals int) Value {
	return Value{uint64(units), uint8(min(max(decimals, 0), MaxDecimals))}
}

// Float returns the value of a float64 column. -0 becomes 0. A column with decimals takes it too, if the shortest decimal number that reads
// back as v has no more of them, and a column of int64 if it is whole and below 2^53.
func Float(v float64) Value { return Value{math.Float64bits(v + 0), floatKind} }

// IsFloat reports whether the value is a float64.
func (v Value) IsFloat() bool { return v.kind == floatKind }

// finite reports whether the value is a number that is not infinite.
func (v Value) finite() bool {
	return !v.IsFloat() || !math.IsNaN(v.Float()) && !math.IsInf(v.Float(), 0)
}

// Decimals returns the number of decimals; 0 of an int64 and of a float64.
func (v Value) Decimals() int {
	if v.IsFloat() || v.IsAbsent() {
		return 0
	}
	return int(v.kind)
}

// Units returns the value of an int64, and the units of a decimal number, both exactly: 114 of 1.14, whose Decimals are 2. ok is false for a float64 and for Absent,
// which have none: see Float.
func (v Value) Units() (units int64, ok bool) {
	if v.IsFloat() || v.IsAbsent() {
		return 0, false
	}
	return int64(v.bits), true
}

// Float returns the value as a float64: the nearest one, and 0 for Absent.
func (v Value) Float() float64 {
	switch v.kind {
	case floatKind:
		return math.Float64frombits(v.bits)
	case 0, absentKind:
		return float64(int64(v.bits))
	}
	f, _ := strconv.ParseFloat(v.String(), 64) // cannot fail
	return f
}

// String returns the value as a decimal number: an int64 as "15", a decimal number with all its decimals, as "1.10", a float64 as the shortest
// number with a point or an exponent that reads back as the same, as "15.0" and "1e+21".
func (v Value) String() string {
	if v.IsAbsent() {
		return "-"
	}
	if !v.IsFloat() {
		return v.fixed()
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

// fixed is String of values that are no float64.
func (v Value) fixed() string {
	text := strconv.FormatInt(int64(v.bits), 10)
	if v.kind == 0 {
		return text
	}
	sign, digits := "", text
	if text[0] == '-' {
		sign, digits = "-", text[1:]
	}
	if missing := int(v.kind) + 1 - len(digits); missing > 0 {
		digits = strings.Repeat("0", missing) + digits
	}
	point := len(digits) - int(v.kind)
	return sign + digits[:point] + "." + digits[point:]
}

// powers are the powers of ten that int64 can hold.
var powers = func() (list [MaxDecimals + 1]int64) {
	list[0] = 1
	for i := range MaxDecimals {
		list[i+1] = 10 * list[i]
	}
	return list
}()

// parseFixed reads a decimal number without an exponent as a value with as many decimals as it is written with. It returns false if there
// are more than MaxDecimals, or if it is out of range.
func parseFixed(text string) (Value, bool) {
	whole, part, _ := strings.Cut(text, ".")
	units, err := strconv.ParseInt(whole+part, 10, 64)
	if err != nil || len(part) > MaxDecimals || whole == "" || strings.Trim(part, "0123456789") != "" {
		return Value{}, false
	}
	return Decimal(units, len(part)), true
}

// short returns the shortest decimal number that reads back as a float64, and false if it has more than MaxDecimals or is out of range.
func (v Value) short() (Value, bool) {
	if short, ok := parseFixed(strconv.FormatFloat(v.Float(), 'f', -1, 64)); ok {
		return short, true
	}
	return v, false
}

// AsDecimal returns the shortest decimal number that reads back as the float64, and another value as it is. It returns false for a float64
// whose shortest form has more than MaxDecimals or is out of range.
func (v Value) AsDecimal() (Value, bool) {
	if !v.IsFloat() {
		return v, true
	}
	return v.short()
}

// scaled returns the value with another number of decimals, and false if that is not exact or out of range. It must not be a float64.
func (v Value) scaled(decimals int) (Value, bool) {
	units := int64(v.bits)
	if more := decimals - int(v.kind); more >= 0 {
		product := units * powers[more]
		return Decimal(product, decimals), product/powers[more] == units
	}
	power := powers[int(v.kind)-decimals]
	return Decimal(units/power, decimals), units%power == 0
}

// ParseValue reads a decimal number. Without a point and an exponent it becomes an int64. Otherwise it becomes the float64 whose shortest form it
// is; a number without an exponent that no float64 has as its shortest form becomes one with decimals, if MaxDecimals are enough; any other
// number becomes the nearest float64. "-" is Absent. Error: ErrNumber, also for numbers that are out of range.
func ParseValue(text string) (Value, error) {
	if text == "-" {
		return Absent, nil
	}
	if i, err := strconv.ParseInt(text, 10, 64); err == nil {
		return Int(i), nil
	}
	decimal := strings.Trim(text, "+-.0123456789eE") == "" // no hexadecimal, no underscores
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || !decimal || !strings.ContainsAny(text, ".eE") {
		return Value{}, fmt.Errorf("%w: %q", ErrNumber, text)
	}
	if v, ok := parseFixed(text); ok {
		if short, same := Float(f).short(); !same || !short.equals(v) {
			return v, nil
		}
	}
	return Float(f), nil
}

// equals reports whether two values, no float64, are the same number.
func (v Value) equals(w Value) bool {
	if v.kind > w.kind {
		v, w = w, v
	}
	same, ok := v.scaled(int(w.kind))
	return ok && same == w
}

// MarshalJSON writes the number as String does, and null for Absent. Error: ErrNotFinite.
func (v Value) MarshalJSON() ([]byte, error) {
	if v.IsAbsent() {
		return []byte("null"), nil
	}
	if !v.finite() {
		return nil, fmt.Errorf("%w: %v", ErrNotFinite, v.Float())
	}
	return []byte(v.String()), nil
}

// UnmarshalJSON reads a number as ParseValue does, and Absent from null. Error: ErrNumber.
func (v *Value) UnmarshalJSON(b []byte) error {
	switch string(b) {
	case "null":
		*v = Absent
		return nil
	case "-":
		return fmt.Errorf("%w: %q", ErrNumber, b)
	}
	read, err := ParseValue(string(b))
	if err == nil {
		*v = read
	}
	return err
}

// compare compares two values of one kind as numbers.
func compare(a, b Value) int {
	if a.IsFloat() {
		return cmp.Compare(a.Float(), b.Float())
	}
	return cmp.Compare(int64(a.bits), int64(b.bits))
}
