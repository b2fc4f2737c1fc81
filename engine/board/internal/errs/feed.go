package errs

import "errors"

// The errors of feeds that package board exports, and describes there.
var (
	ErrEventKind = errors.New("board: no such kind of event")
	ErrPosition  = errors.New("board: not a position of this store's feed")
	ErrFuture    = errors.New("board: the position is after the end of the feed")
)
