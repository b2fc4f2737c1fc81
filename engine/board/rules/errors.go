package rules

import (
	"errors"
	"fmt"
)

var (
	// ErrRules is returned when columns, operator or tie rule are impossible.
	ErrRules = errors.New("board: impossible rules")
	// ErrNumber is returned for a text that is no finite number.
	ErrNumber = errors.New("board: not a number")
	// ErrColumns is returned when a score does not have the board's number of columns.
	ErrColumns = errors.New("board: wrong number of columns")
	// ErrKind is returned when a column of int64 is given a float64, or one of float64 an int64 that it cannot hold exactly.
	ErrKind = errors.New("board: value of the wrong kind")
	// ErrNotFinite is returned for a value that is infinite or not a number.
	ErrNotFinite = errors.New("board: value is not finite")
	// ErrBounds is returned for a value outside its column's bounds.
	ErrBounds = errors.New("board: value is out of bounds")
	// ErrOverflow is returned when a sum would leave the range of its kind.
	ErrOverflow = errors.New("board: sum overflows")
)

// ScoreError says which column of a score cannot be taken, and why. errors.Is finds Reason.
type ScoreError struct {
	Column   int    // from 0
	Name     string // of the column
	Value    Value  // as submitted; for a sum out of bounds, what it would have become
	Min, Max *Value // the column's bounds, where Reason is ErrBounds
	Reason   error  // ErrKind, ErrNotFinite, ErrBounds or ErrOverflow
}

// Error says what and where.
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
