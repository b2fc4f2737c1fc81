package boardtest

import (
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/local"
)

// Open makes a backend without boards. Its clock is now.
type Open func(now func() time.Time) (Backend, error)

// Backend is boards in some store, with what scenarios need besides. Close closes everything.
type Backend interface {
	board.Store

	// Local returns the boards of the engine that has the boards, for what only these have. nil: they are in no engine.
	Local() *local.Boards
	// Reopen closes everything, calls meanwhile, and opens it again. Scenarios do not use boards from before, and of the rankings from before
	// only pinned ones. Error: board.ErrUnsupported if the boards are not durable; then the rest of the scenario is skipped.
	Reopen(meanwhile func()) error
	// Kill is Reopen after a power cut: nothing is closed before, and all acknowledged changes are there afterwards. Error: board.ErrUnsupported if the boards are not durable; then the rest of the scenario is skipped.
	Kill(meanwhile func()) error
}

// Copied is a Backend that has its boards in several engines, in the same state: what a scenario does
// with Local, it does with each of them.
type Copied interface {
	Locals() []*local.Boards
}

// locals returns the boards of all engines that have the boards. Error: board.ErrUnsupported if there are none.
func locals(b Backend) ([]*local.Boards, error) {
	if c, ok := b.(Copied); ok {
		return c.Locals(), nil
	}
	if boards := b.Local(); boards != nil {
		return []*local.Boards{boards}, nil
	}
	return nil, board.ErrUnsupported
}
