package board

import "errors"

var (
	// ErrCount is returned for a number of rows, bins or places that is out of range.
	ErrCount = errors.New("board: count is out of range")
	// ErrCursor is returned for a text that is no cursor, and for a cursor of another ranking, or of a board before it was migrated.
	ErrCursor = errors.New("board: not a cursor of this ranking")
	// ErrMode is returned for a mode that does not exist.
	ErrMode = errors.New("board: no such mode")
	// ErrViewDone is returned when the Ranking of a View is used after the View has returned.
	ErrViewDone = errors.New("board: view is over")
)
