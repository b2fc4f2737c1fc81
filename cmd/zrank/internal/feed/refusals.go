package feed

import (
	"errors"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/window"
	"github.com/zrankdb/zrank/cmd/zrank/internal/specs"
)

// refusals are the errors of a board that make a row a bad row. The text of each, without its prefix, is the row's fault.
var refusals = []error{
	specs.ErrNoBoard, board.ErrPeriodClosed, board.ErrOutside, board.ErrSpec, board.ErrMember, board.ErrColumns, board.ErrKind, board.ErrNotFinite,
	board.ErrBounds, board.ErrAbsent, board.ErrOverflow, board.ErrTime, window.ErrTime,
}

// RefusalOf returns the error of refusals that err wraps, or nil.
func RefusalOf(err error) error {
	for _, r := range refusals {
		if errors.Is(err, r) {
			return r
		}
	}
	return nil
}
