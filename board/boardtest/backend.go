package boardtest

import (
	"context"
	"iter"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/engine"
)

// Open makes a backend without boards. Its clock is now.
type Open func(now func() time.Time) (Backend, error)

// Backend is boards in some store. Its methods do what those of local.Boards do.
type Backend interface {
	Define(spec board.Spec) (Board, error)
	Board(name string) (Board, error)
	Migrate(ctx context.Context, spec board.Spec) (Board, error)
	Drop(ctx context.Context, name string) error
	DefineGroups(kind string) (board.Groups, error)
	Groups(kind string) (board.Groups, error)
	Union(ctx context.Context, spec board.UnionSpec) (board.Ranking, error)
	StoreUnion(ctx context.Context, name string, spec board.UnionSpec) error
	StoredUnion(ctx context.Context, name string) (board.Ranking, error)
	StoredUnions(ctx context.Context) ([]board.StoredUnion, error)
	DropUnion(ctx context.Context, name string) error
	Events(ctx context.Context, after board.Position, filter board.FeedFilter) iter.Seq2[board.Event, error]
	// CloseDue closes the periods whose time is up. A scenario that has moved the clock calls it.
	CloseDue(ctx context.Context) (closed int, err error)
	// SettleDue settles the periods that are closed, and delivers their awards.
	SettleDue(ctx context.Context) (board.Settled, error)
	// Update runs a transaction of the engine that has the boards.
	Update(keys []string, fn func(tx *engine.Tx) error) error
	// CountDue counts the members beyond the best ones, if a rank of one has been asked for.
	CountDue(ctx context.Context) error
	// Reopen closes everything, calls meanwhile, and opens it again. Scenarios do not use boards from before, and of the rankings from before
	// only pinned ones. Error: board.ErrUnsupported if the boards are not durable; then the rest of the scenario is skipped.
	Reopen(meanwhile func()) error
	// Kill is Reopen after a power cut: nothing is closed before, and all acknowledged changes are there afterwards. Error: board.ErrUnsupported if the boards are not durable; then the rest of the scenario is skipped.
	Kill(meanwhile func()) error
	// Close closes everything.
	Close() error
}

// Board is a board with what scenarios need of one that is in an engine.
type Board interface {
	board.Board

	Deliver(window string, d local.Delivery) error
	ClaimKeys(dst []string, id string) ([]string, error)
	In(tx *engine.Tx) local.InTx
}

var _ Board = (*local.Board)(nil)
