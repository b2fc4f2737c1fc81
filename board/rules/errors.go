package rules

import (
	"errors"
)

var (
	// ErrRules is returned when columns, operator or tie rule are impossible.
	ErrRules = errors.New("board: impossible rules")
	// ErrNumber is returned for a text that is no finite number.
	ErrNumber = errors.New("board: not a number")
	// ErrColumns is returned when a score does not have the board's number of columns.
	ErrColumns = errors.New("board: wrong number of columns")
	// ErrKind is returned when a column of int64 is given a float64 that is not whole or not below 2^53, or one of float64 an int64 that it cannot hold exactly.
	ErrKind = errors.New("board: value of the wrong kind")
	// ErrNotFinite is returned for a value that is infinite or not a number.
	ErrNotFinite = errors.New("board: value is not finite")
	// ErrAbsent is returned when a submission leaves out a column that may not be absent.
	ErrAbsent = errors.New("board: column has no value")
	// ErrBounds is returned for a value outside its column's bounds.
	ErrBounds = errors.New("board: value is out of bounds")
	// ErrOverflow is returned when a sum would leave the range of its kind.
	ErrOverflow = errors.New("board: sum overflows")
	// ErrMode is returned for a Mode that does not exist.
	ErrMode = errors.New("board: no such mode")
)
