package window

import (
	"errors"
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
