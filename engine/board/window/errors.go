package window

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

var (
	// ErrWindow is returned when a window has an impossible value.
	ErrWindow = errors.New("window: impossible window")
	// ErrTime is returned for a moment whose period begins outside of the years 0 to 9999, which names are written with.
	ErrTime = errors.New("window: time is outside the years 0 to 9999")
	// ErrOutside is returned for a moment in none of a window's seasons. The error is an *OutsideError.
	ErrOutside = errors.New("window: time is in no season")
	// ErrPeriodName is returned when no period of a window has the name asked for. The error is a *PeriodNameError.
	ErrPeriodName = errors.New("window: no such period")
)

// OutsideError says between which seasons a moment lies. It wraps ErrOutside.
type OutsideError struct {
	Window string    // the window's label
	Time   time.Time // the moment, in the window's zone
	Before *Period   // the season that ended last; nil if none has
	After  *Period   // the season that begins next; nil if there is none
}

// Error names the moment and the seasons around it.
func (e *OutsideError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%v of %s: %s", ErrOutside, e.Window, e.Time.Format(time.RFC3339))
	if e.Before != nil {
		fmt.Fprintf(&b, "; %s ended %s", e.Before.Name, e.Before.End.Format(time.RFC3339))
	}
	if e.After != nil {
		fmt.Fprintf(&b, "; %s begins %s", e.After.Name, e.After.Start.Format(time.RFC3339))
	}
	return b.String()
}

// Unwrap returns ErrOutside.
func (e *OutsideError) Unwrap() error { return ErrOutside }

// PeriodNameError says how the periods of a window are named. It wraps ErrPeriodName.
type PeriodNameError struct {
	Window string // the window's label
	Name   string // what was asked for
	Like   string // what a name looks like
}

// Error names what was asked for and what a name looks like.
func (e *PeriodNameError) Error() string {
	return fmt.Sprintf("%v: %s has no %q; its periods are named like %s", ErrPeriodName, e.Window, e.Name, e.Like)
}

// Unwrap returns ErrPeriodName.
func (e *PeriodNameError) Unwrap() error { return ErrPeriodName }
