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

// Options say how a board moves.
type Options struct {
	// Partial allows that something is left behind: see Report.LeftOut.
	Partial bool
	// Progress is called now and then. nil: nobody wants to know.
	Progress func(Progress)
}

// Progress says how far a move is. Total is at least Done; it is a guess while open periods are read.
type Progress struct {
	Phase       string // copy, follow, compare, switch
	Done, Total int    // entries
}

// Report says what a move has done.
type Report struct {
	Board    string
	Periods  int      // rankings
	Entries  int      // members of them
	Rounds   int      // how often what had changed meanwhile was copied, before changes waited
	Waited   int      // changes that were copied while further ones waited
	LeftOut  []string // what was left behind
	Resumed  bool     // an earlier move had come so far that the source refused calls
	Finished bool     // the target is open
}
