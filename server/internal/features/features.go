// Package features is what not every store of boards has, and not every board: interfaces that the doors look for. Boards of an engine have all of it, those
// of a cluster a part.
//
// # Where things are
//
//	features.go  Of; what stores of boards may have
//	ofboards.go  what their boards may have
package features

import (
	"context"
	"fmt"
	"iter"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/local"
)

// Of returns a store of boards, or a board, as an interface that not every one has. Error: board.ErrUnsupported, with what it is that is missing.
func Of[F any](x any, what string) (f F, err error) {
	if u, ok := x.(interface{ Unwrap() any }); ok {
		x = u.Unwrap()
	}
	f, ok := x.(F)
	if !ok {
		err = fmt.Errorf("%w: %s", board.ErrUnsupported, what)
	}
	return f, err
}

// Migrator changes the specs of boards that exist.
type Migrator interface {
	Migrate(ctx context.Context, spec board.Spec) (*local.Board, error)
}

// Eraser erases a member everywhere.
type Eraser interface {
	Erase(ctx context.Context, member string, a board.Action) (board.Receipt, error)
}

// Unions has rankings that are made from others.
type Unions interface {
	Union(ctx context.Context, spec board.UnionSpec) (board.Ranking, error)
	StoreUnion(ctx context.Context, name string, spec board.UnionSpec) error
	StoredUnion(ctx context.Context, name string) (board.Ranking, error)
	StoredUnions(ctx context.Context) ([]board.StoredUnion, error)
	DropUnion(ctx context.Context, name string) error
}

// Groups has kinds of groups.
type Groups interface {
	DefineGroups(ctx context.Context, kind string) (*local.Groups, error)
	Groups(ctx context.Context, kind string) (*local.Groups, error)
	GroupKinds(ctx context.Context) ([]string, error)
}

// Numbered numbers its commits.
type Numbered interface {
	LastCommit(ctx context.Context) (uint64, error)
}

// Feeds has a feed of events.
type Feeds interface {
	Feed(ctx context.Context, after board.Position, filter board.FeedFilter) iter.Seq2[board.Event, error]
	Events(ctx context.Context, after board.Position, filter board.FeedFilter) iter.Seq2[board.Event, error]
	FeedEnd(ctx context.Context) (board.Position, error)
}
