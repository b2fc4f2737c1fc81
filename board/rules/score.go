package rules

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"strings"
)

const (
	// MaxColumns is the largest number of columns of a score.
	MaxColumns = 32
	// plainColumns is the number of columns that a Score has in itself. Those behind them are in a string, so that a Score can be compared
	// with == and most of them need no allocation.
	plainColumns = 4
	restWidth    = 9 // bytes of a column in that string: its kind and its bits
)

// Score is the values of all columns of an entry or a submission. Scores can be compared with ==. The zero Score has no columns.
type Score struct {
	bits  [plainColumns]uint64
	rest  string // the columns from plainColumns on
	kinds [plainColumns]uint8
	n     uint8
}

// Entry is a member's score with its times. A submission is an Entry too: its score, when it happened, and its place in the order
// of arrival.
type Entry struct {
	Score   Score  // a value for each column
	Reached int64  // microseconds after 1970; 0 with the tie rule ByMember
	Arrival uint64 // rises with every change to the ranking; 0 with the tie rule ByMember
}

// Ints returns a score of int64 columns: Ints(15), Ints(9, 935).
func Ints(values ...int64) (s Score) {
	var b builder
	b.grow(len(values))
	for _, v := range values {
		b.add(Int(v))
	}
	return b.score()
}

// Floats returns a score of float64 columns.
func Floats(values ...float64) (s Score) {
	var b builder
	b.grow(len(values))
	for _, v := range values {
		b.add(Float(v))
	}
	return b.score()
}

// Values returns a score of columns of either kind.
func Values(values ...Value) (s Score) {
	var b builder
	b.grow(len(values))
	for _, v := range values {
		b.add(v)
	}
	return b.score()
}

// builder puts a score together, column by column.
type builder struct {
	s    Score
	rest strings.Builder
}

// grow makes room for a number of columns.
func (b *builder) grow(columns int) {
	if columns > plainColumns {
		b.rest.Grow(restWidth * (min(columns, MaxColumns) - plainColumns))
	}
}

// add appends a column. It only counts columns beyond MaxColumns, so that Check refuses the score.
func (b *builder) add(v Value) {
	switch n := int(b.s.n); {
	case n < plainColumns:
		b.s.bits[n], b.s.kinds[n] = v.bits, v.kind
	case n < MaxColumns:
		var column [restWidth]byte
		v.put(column[:])
		b.rest.Write(column[:])
	}
	b.s.n = min(b.s.n, math.MaxUint8-1) + 1
}

// score returns the score of the columns so far.
func (b *builder) score() Score {
	b.s.rest = b.rest.String()
	return b.s
}

// put writes a value as restWidth bytes.
func (v Value) put(dst []byte) {
	dst[0] = v.kind
	binary.BigEndian.PutUint64(dst[1:], v.bits)
}

// Len returns the number of columns.
func (s Score) Len() int { return int(s.n) }

// At returns a column, from 0; the zero Value if there is none.
func (s Score) At(column int) Value {
	if column < 0 || column >= min(s.Len(), MaxColumns) {
		return Value{}
	}
	if column >= plainColumns {
		b := s.rest[restWidth*(column-plainColumns):][:restWidth]
		return Value{binary.BigEndian.Uint64([]byte(b[1:])), b[0]}
	}
	return Value{s.bits[column], s.kinds[column]}
}

// set puts another value in a column.
func (s *Score) set(column int, v Value) {
	if column >= plainColumns {
		rest := []byte(s.rest)
		v.put(rest[restWidth*(column-plainColumns):][:restWidth])
		s.rest = string(rest)
		return
	}
	s.bits[column], s.kinds[column] = v.bits, v.kind
}

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
	Column int    `json:"column"`        // from 0
	Name   string `json:"name"`          // of the column
	Value  Value  `json:"value"`         // as submitted; if a sum would be out of bounds, that sum
	Min    *Value `json:"min,omitempty"` // the column's lower bound, where Reason is ErrBounds
	Max    *Value `json:"max,omitempty"` // the column's upper bound, where Reason is ErrBounds
	Reason error  `json:"-"`             // ErrKind, ErrNotFinite, ErrBounds or ErrOverflow
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
