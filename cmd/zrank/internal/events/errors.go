package events

import (
	"errors"
	"fmt"
)

var (
	// ErrPosition is returned when bytes to decode are not a Position that this version wrote.
	ErrPosition = errors.New("events: not a stored position")

	// ErrStarted is returned by Resume when rows have been read already.
	ErrStarted = errors.New("events: Resume must come before Next")
)

// HeaderError says what is wrong with the first row, the one that names the columns.
type HeaderError struct {
	File   string // as the caller named it
	Reason string
}

// Error names the file and the reason. O(1).
func (e *HeaderError) Error() string { return e.File + ": " + e.Reason }

// BadRowError says why one row is not an event. Next goes on with the row after it once Skip is called.
type BadRowError struct {
	File   string // as the caller named it
	Line   int    // where the row starts; the first line of a file is 1
	Reason string
}

// Error names the file, the line and the reason. O(1).
func (e *BadRowError) Error() string { return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Reason) }

// ChangedError says that an input is not the one its Position was taken of.
type ChangedError struct {
	File   string // as the caller named it
	Reason string
}

// Error names the file and the reason. O(1).
func (e *ChangedError) Error() string { return e.File + ": " + e.Reason }
