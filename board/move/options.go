package move

import (
	"errors"

	"github.com/zrankdb/zrank/board/internal/relocation"
)

// Boards is boards that can be moved from and to: *local.Boards and *cluster.Boards.
type Boards interface {
	// Relocation is for this package.
	Relocation() (relocation.Store, error)
}

// Options say how a board moves.
type Options struct {
	// Partial allows that something is left behind: see Report.LeftOut.
	Partial bool
	// Progress is called now and then by the goroutine that moves. nil: nobody wants to know.
	Progress func(Progress)
}

// Progress says how far a move is. Total is at least Done; it is a guess while open periods are
// read.
type Progress struct {
	Phase       string // copy, follow, compare, switch
	Done, Total int    // entries
}

// Report says what a move has done.
type Report struct {
	Board    string   // its name
	Periods  int      // rankings
	Entries  int      // members of them
	Rounds   int      // how often what had changed meanwhile was copied, before changes waited
	Waited   int      // changes that were copied while further ones waited
	LeftOut  []string // what was left behind
	Resumed  bool     // an earlier move had come so far that the old place refused calls
	Finished bool     // the new place is open
}

var (
	// ErrLeftOut is returned for a board with something that would be left behind: see
	// Options.Partial. The error names it.
	ErrLeftOut = relocation.ErrLeftOut
	// ErrDiffers is returned if the new place does not have what was copied to it. Nothing has
	// moved.
	ErrDiffers = errors.New("board: the copy differs")
	// ErrLeaving is returned for a board whose move to another place has begun, and is not
	// complete; and if the last step of a move has failed. Then nobody accepts changes until the
	// move is made again, or given up.
	ErrLeaving = relocation.ErrLeaving
)
