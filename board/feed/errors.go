package feed

import "errors"

var (
	// ErrKind is returned for a kind of event that does not exist.
	ErrKind = errors.New("board: no such kind of event")
	// ErrPosition is returned for a text that is no position of a feed, and for a position of another store.
	ErrPosition = errors.New("board: not a position of this store's feed")
	// ErrFuture is returned for a position behind the end of the feed: no event can have it yet.
	ErrFuture = errors.New("board: the position is after the end of the feed")
	// ErrBehind is returned by a feed after a position whose events are not there any more. The error is
	// a *BehindError.
	ErrBehind = errors.New("board: the feed fell behind")
)
