package errs

import (
	"errors"
	"fmt"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/engine"
)

// ErrAgain makes a call begin again: the board has another spec by now, or the live period has ended since the call read the clock.
var ErrAgain = errors.New("board: again")

// ErrEngineClosed is ErrClosed of boards whose engine is closed.
var ErrEngineClosed = fmt.Errorf("%w: %w", board.ErrClosed, engine.ErrClosed)
