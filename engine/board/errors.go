package board

import "errors"

var (
	// ErrNoBoard is returned when no board has the name asked for.
	ErrNoBoard = errors.New("board: no such board")
	// ErrSpec is returned when a spec has an impossible value.
	ErrSpec = errors.New("board: impossible spec")
	// ErrSpecChanged is returned when a board exists with another spec; the error names each difference.
	ErrSpecChanged = errors.New("board: exists with another spec")
	// ErrNoWindow is returned when a board does not have the window asked for.
	ErrNoWindow = errors.New("board: no such window")
	// ErrNoPeriod is returned when a window has no such period, or nobody has scored in it.
	ErrNoPeriod = errors.New("board: no such period")
	// ErrScore is returned when a submission's score, or a sum, is not a finite number.
	ErrScore = errors.New("board: score is not a finite number")
	// ErrMember is returned when a submission's member is empty or longer than MaxMember bytes.
	ErrMember = errors.New("board: member is empty or longer than 1 MiB")
	// ErrTime is returned when a submission's time is outside the years 0 to 9999, which periods are written with, and by
	// SubmitTx when it is not set.
	ErrTime = errors.New("board: time is outside the years 0 to 9999")
)
