package cluster

import (
	"context"
	"iter"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/feed"
)

// unsupportedOfAll is the methods of board.Store that a cluster does not have.
type unsupportedOfAll struct{}

// Migrate implements board.Store.
func (unsupportedOfAll) Migrate(context.Context, board.Spec) (board.Board, error) {
	return nil, lacks("migration")
}

// Ban implements board.Store.
func (unsupportedOfAll) Ban(context.Context, string, board.Action) (all board.Banned, err error) {
	return all, lacks("bans on all boards")
}

// DefineGroups implements board.Store.
func (unsupportedOfAll) DefineGroups(context.Context, string) (board.Groups, error) {
	return nil, lacks("groups")
}

// Groups implements board.Store.
func (unsupportedOfAll) Groups(context.Context, string) (board.Groups, error) {
	return nil, lacks("groups")
}

// GroupKinds implements board.Store.
func (unsupportedOfAll) GroupKinds(context.Context) ([]string, error) { return nil, lacks("groups") }

// Union implements board.Store.
func (unsupportedOfAll) Union(context.Context, board.UnionSpec) (board.Ranking, error) {
	return nil, lacks("unions")
}

// StoreUnion implements board.Store.
func (unsupportedOfAll) StoreUnion(context.Context, string, board.UnionSpec) error {
	return lacks("unions")
}

// StoredUnion implements board.Store.
func (unsupportedOfAll) StoredUnion(context.Context, string) (board.Ranking, error) {
	return nil, lacks("unions")
}

// StoredUnions implements board.Store.
func (unsupportedOfAll) StoredUnions(context.Context) ([]board.StoredUnion, error) {
	return nil, lacks("unions")
}

// DropUnion implements board.Store.
func (unsupportedOfAll) DropUnion(context.Context, string) error { return lacks("unions") }

// Feed implements board.Store.
func (unsupportedOfAll) Feed(context.Context, feed.Position, feed.Filter) iter.Seq2[feed.Event, error] {
	return noneOf[feed.Event]("the feed")
}

// Events implements board.Store.
func (unsupportedOfAll) Events(context.Context, feed.Position, feed.Filter) iter.Seq2[feed.Event, error] {
	return noneOf[feed.Event]("the feed")
}

// FeedEnd implements board.Store.
func (unsupportedOfAll) FeedEnd(context.Context) (p feed.Position, err error) {
	return p, lacks("the feed")
}

// LastCommit implements board.Store.
func (unsupportedOfAll) LastCommit(context.Context) (seq uint64, err error) {
	return seq, lacks("numbers of commits")
}
