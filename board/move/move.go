package move

import "context"

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
