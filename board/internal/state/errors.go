package state

import (
	"errors"
	"fmt"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/engine"
)

// ErrAgain makes a call begin again: the board has another spec by now, or the live period has ended since the call read the clock.
var ErrAgain = errors.New("board: again")

// ErrMoved makes a transaction restart: it needs other keys than those that it has locked. See engine.ErrRestart.
var ErrMoved = errors.New("board: the transaction needs other keys by now")

// ErrEngineClosed is ErrClosed of boards whose engine is closed.
var ErrEngineClosed = fmt.Errorf("%w: %w", board.ErrClosed, engine.ErrClosed)
