package move

import (
	"context"
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

// Progress says how far a move is. Total is at least Done; it is a guess while open periods are read.
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
	// ErrLeftOut is returned for a board with something that would be left behind: see Options.Partial. The error names it.
	ErrLeftOut = relocation.ErrLeftOut
	// ErrDiffers is returned if the new place does not have what was copied to it. Nothing has moved.
	ErrDiffers = errors.New("board: the copy differs")
	// ErrLeaving is returned for a board whose move to another place has begun, and is not complete; and if the last step of a move has failed. Then nobody
	// accepts changes until the move is made again, or given up.
	ErrLeaving = relocation.ErrLeaving
)

// Names returns the names of the boards that have not left, in order. Errors: those of the place.
func Names(ctx context.Context, boards Boards) ([]string, error) {
	s, err := boards.Relocation()
	if err != nil {
		return nil, err
	}
	return s.Names(ctx)
}

// Board moves a board. It may be called again after an error, or after the process was killed. Errors: board.ErrNoBoard, board.ErrRelocated if it has left before, board.ErrBoardExists if there
// is another board of its name, board.ErrImmovable, board.ErrFollowed, ErrLeftOut, ErrDiffers, ErrLeaving, that of ctx, those of both places. After an error other than
// ErrLeaving the board is where it was.
func Board(ctx context.Context, name string, from, to Boards, o Options) (Report, error) {
	f, err := from.Relocation()
	if err != nil {
		return Report{Board: name}, err
	}
	t, err := to.Relocation()
	if err != nil {
		return Report{Board: name}, err
	}
	return run(ctx, name, f, t, o)
}

// Abort gives up a move that is not complete: the board is where it was, and takes calls again. to is nil if that place is gone for good; if it is not, two places have the board then.
// Errors: board.ErrNoBoard, board.ErrBoardExists if the move is complete, ErrLeaving if the board goes to another place, those of both places.
func Abort(ctx context.Context, name string, from, to Boards) error {
	f, err := from.Relocation()
	if err != nil {
		return err
	}
	if to == nil {
		return abort(ctx, name, f, nil)
	}
	t, err := to.Relocation()
	if err != nil {
		return err
	}
	return abort(ctx, name, f, t)
}
