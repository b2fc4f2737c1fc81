package board

import (
	"context"
	"iter"

	"github.com/zrankdb/zrank/board/feed"
)

// Feeder has a feed of what happens on boards.
type Feeder interface {
	// Feed yields the events after a position that pass the filter, in the order of commits, and waits
	// for further ones: see the package. A feed after the Position of the last event that was yielded
	// yields exactly the rest, also after a restart.
	Feed(ctx context.Context, after feed.Position, filter feed.Filter) iter.Seq2[feed.Event, error]
	// Events is Feed of the events that are there: it ends without an error where Feed would wait.
	Events(ctx context.Context, after feed.Position, filter feed.Filter) iter.Seq2[feed.Event, error]
	// FeedEnd returns the position behind all events that a feed can have yielded by now, for a feed
	// of what comes. It may be stored: no crash takes a commit before it. Events of commits that are
	// not durable yet come behind it. O(1).
	FeedEnd(ctx context.Context) (feed.Position, error)
	// LastCommit returns the number of the last commit of the engine. Reads that begin afterwards see
	// that commit, which may not be durable yet: after a crash another commit can get its number.
	// O(1).
	LastCommit(ctx context.Context) (uint64, error)
}

// Watcher makes the feed say more of some members.
type Watcher interface {
	// Watch makes the board write a feed.Overtaken whenever somebody overtakes the member, at any
	// place, and not among the first places of Spec.Feed only. It stays so until Unwatch, across
	// restarts.
	Watch(ctx context.Context, member string) error
	// Unwatch ends what Watch has begun. Errors: as Watch.
	Unwatch(ctx context.Context, member string) error
}
