package local

import (
	"context"
	"iter"

	"github.com/zrankdb/zrank/board/feed"
)

// Feed yields the events after a position that pass the filter, in the order of commits, and waits for further ones: see "Feed". A feed after the Position of the
// last event that was yielded yields exactly the rest, also after a restart. It ends when the caller leaves the loop, and otherwise with one error: that of ctx,
// ErrClosed; feed.ErrKind; feed.ErrPosition for a position of another store, feed.ErrFuture for one behind the end; a *feed.BehindError; engine.ErrInTx; those of
// engine.Engine.Feed.
//
// The feed goes through the log in blocks of some hundred commits. All feeds of the boards share the newest ones. O(1) for a block in which no event can pass the filter, as
// its summary says, and else O(events of the block).
func (bs *Boards) Feed(ctx context.Context, after feed.Position, filter feed.Filter) iter.Seq2[feed.Event, error] {
	return bs.catalog.Feed(ctx, after, filter, true)
}

// Events is Feed of the events that are there: it ends without an error where Feed would wait.
func (bs *Boards) Events(ctx context.Context, after feed.Position, filter feed.Filter) iter.Seq2[feed.Event, error] {
	return bs.catalog.Feed(ctx, after, filter, false)
}

// FeedEnd returns the position behind all events that a feed can have yielded by now, for a feed of what comes. It may be stored: no crash takes a commit before
// it. Events of commits that are not durable yet come behind it. O(1). Error: ErrClosed.
func (bs *Boards) FeedEnd(ctx context.Context) (feed.Position, error) { return bs.catalog.FeedEnd() }

// LastCommit returns the number of the last commit of the engine. Reads that begin afterwards see that commit, which may not be durable yet: after a crash another
// commit can get its number. O(1). Error: ErrClosed.
func (bs *Boards) LastCommit(ctx context.Context) (uint64, error) { return bs.catalog.LastCommit(ctx) }

// Watch makes the board write a feed.Overtaken whenever somebody overtakes the member, at any place, and not among the first places of Spec.Feed only. It stays
// so until Unwatch, across restarts. Errors: ErrMember, ErrClosed, ErrNoBoard, engine.ErrInTx, those of the engine.
func (b *localBoard) Watch(ctx context.Context, member string) error {
	return b.core().Watch(ctx, member, true)
}

// Unwatch ends what Watch has begun. Errors: as Watch.
func (b *localBoard) Unwatch(ctx context.Context, member string) error {
	return b.core().Watch(ctx, member, false)
}
