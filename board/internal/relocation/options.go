package relocation

import "errors"

var (
	// ErrFellBehind is returned by Source.Changed if changes are not known any more: everything is copied again. Run returns it if that has happened each time.
	ErrFellBehind = errors.New("board: the changes of a board that moves are not known any more")
	// ErrDiffers is returned if the target does not have what was copied to it.
	ErrDiffers = errors.New("board: the copy differs")
	// ErrLeftOut is returned for a board with something that no move takes along.
	ErrLeftOut = errors.New("board: something would be left behind")
	// ErrLeaving is returned for a board whose move to another store has begun, and is not complete.
	ErrLeaving = errors.New("board: is on its way elsewhere")
)

// Options is move.Options.
type Options struct {
	Partial  bool
	Progress func(Progress)
}

// Progress is move.Progress.
type Progress struct {
	Phase       string
	Done, Total int
}

// Report is move.Report.
type Report struct {
	Board    string
	Periods  int
	Entries  int
	Rounds   int
	Waited   int
	LeftOut  []string
	Resumed  bool
	Finished bool
}
