package commit

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/cluster/internal/layout"
	"github.com/zrankdb/zrank/board/cluster/internal/servers"
	"github.com/zrankdb/zrank/board/internal/state"
)

// Writer changes what the servers have of a board. Its methods may be called from any goroutine.
type Writer struct {
	Servers *servers.Servers
	Keys    layout.Keys
	State   *state.State
}

// How often a change is tried again while a move holds changes, for about a minute, and while a board leaves, for a few seconds.
const (
	heldTries    = 110
	leavingTries = 20
)

// run runs a script that begins with gate, and again while a move holds changes. It returns the first element of the reply, a word, and the others. Errors: board.ErrNoBoard, board.ErrRelocated,
// those of servers.Run.
func (w Writer) run(ctx context.Context, s *redis.Script, keys []string, args ...any) (string, []any, error) {
	for try := 0; ; try++ {
		reply, err := w.Servers.Run(ctx, s, keys, args...)
		if err != nil {
			return "", nil, err
		}
		list, _ := reply.([]any)
		word := ""
		if len(list) > 0 {
			word, _ = list[0].(string)
		}
		switch {
		case word == layout.DroppedField:
			return "", nil, Dropped(w.State.Name)
		case word == layout.MovingField && len(list) == 2:
			text, _ := list[1].(string)
			err = w.wait(ctx, text, try)
		case word != "":
			return word, list[1:], nil
		default:
			err = fmt.Errorf("%w: a script replied %v", layout.ErrCorrupt, reply)
		}
		if err != nil {
			return "", nil, err
		}
	}
}

// wait waits before a try to change a board that is being moved, by the field of the fence that says how. Error: board.ErrRelocated, that of ctx.
func (w Writer) wait(ctx context.Context, field string, try int) error {
	to, left := layout.Destination(field)
	switch {
	case left || to.Address != "" && try == leavingTries:
		return &board.RelocatedError{Board: w.State.Name, To: to.Address, Complete: left}
	case try == heldTries:
		return fmt.Errorf("%w: %q: a move that holds changes does not end", board.ErrRelocated, w.State.Name)
	}
	return servers.Pause(ctx, try)
}

// Dropped returns the error of a board that was dropped.
func Dropped(boardName string) error { return fmt.Errorf("%w: %q", board.ErrNoBoard, boardName) }

// OnceSince returns the time of use, in milliseconds after 1970, up to which Once keys are expired.
func (w Writer) OnceSince(now time.Time) int64 {
	return now.Add(-time.Duration(w.State.Spec.OnceFor)).UnixMilli()
}

// NoteClosed notes up to when a window is closed by the field of a fence.
func NoteClosed(t *state.Timeline, through string) {
	if through, err := strconv.ParseInt(through, 10, 64); err == nil {
		t.SetClosedThrough(through)
	}
}
