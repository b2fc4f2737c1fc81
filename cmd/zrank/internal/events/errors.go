package events

import (
	"errors"
	"fmt"
)

var (
	// ErrPosition is returned when the bytes to decode are not a Position of a known version.
	ErrPosition = errors.New("events: not a stored position")

	// ErrStarted is returned by Resume when rows have been read already.
	ErrStarted = errors.New("events: Resume must come before Next")
)

// HeaderError is the error of a first row that does not name the columns.
type HeaderError struct {
	File   string // as the caller named it
	Reason string
}

// Error names the file and the reason. O(1).
func (e *HeaderError) Error() string { return e.File + ": " + e.Reason }

// UnitError is the error of an input whose unit of time is not known. Its first time may be in several units, most rows are not in the unit
// of the first, or its Position has another unit than Options.Unit.
type UnitError struct {
	File   string // as the caller named it
	Line   int    // of the row in question; 0: none
	Reason string
}

// Error names the file, the line and the reason. O(1).
func (e *UnitError) Error() string {
	if e.Line == 0 {
		return e.File + ": " + e.Reason
	}
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Reason)
}

// Fault is a kind of bad row, in a few words, to count bad rows by.
type Fault string

// The faults that an input finds. Callers may have more.
const (
	FaultCSV    Fault = "not CSV"
	FaultFields Fault = "wrong number of fields"
	FaultMember Fault = "bad member"
	FaultBoard  Fault = "bad board"
	FaultTime   Fault = "bad time"
	FaultUnit   Fault = "time in another unit"
	FaultScore  Fault = "bad score"
	FaultOp     Fault = "bad op"
	FaultAhead  Fault = "too far ahead"
)

// BadRowError is the error of a row that is not an event. After Skip, Next goes on with the row after it.
type BadRowError struct {
	File   string // as the caller named it
	Line   int    // where the row starts; the first line of a file is 1
	Fault  Fault
	Reason string
}

// Error names the file, the line and the reason. O(1).
func (e *BadRowError) Error() string { return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Reason) }

// ChangedError is the error of an input that differs from the one whose Position it resumes.
type ChangedError struct {
	File   string // as the caller named it
	Reason string
}

// Error names the file and the reason. O(1).
func (e *ChangedError) Error() string { return e.File + ": " + e.Reason }
