package relocation

import "errors"

var (
	// ErrFellBehind is returned by Source.Changed if changes are not known any more: everything is
	// copied again. A move returns it if that has happened each time.
	ErrFellBehind = errors.New("board: the changes of a board that moves are not known any more")
	// ErrLeftOut is returned for a board with something that no move takes along.
	ErrLeftOut = errors.New("board: something would be left behind")
	// ErrLeaving is returned for a board whose move to another store has begun, and is not
	// complete.
	ErrLeaving = errors.New("board: is on its way elsewhere")
)
