package events

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"sort"

	"github.com/zrankdb/zrank/board/feed"
	"github.com/zrankdb/zrank/engine"
)

// Read yields the events after a position that pass a filter, in order, and with wait it waits for further ones. Without, it ends behind the last. It ends when the
// caller leaves the loop, and otherwise with one error: see local.Boards.Feed.
func (b *Blocks) Read(ctx context.Context, after feed.Position, f feed.Filter, wait bool) iter.Seq2[feed.Event, error] {
	return func(yield func(feed.Event, error) bool) {
		b.enter()
		defer b.leave()
		m, err := newMatcher(f)
		r := &reading{blocks: b, filter: &m, after: after, oldest: after == feed.Position{}, yield: yield}
		if err == nil {
			err = r.begin()
		}
		for err == nil && !r.stopped {
			err = r.step(ctx, wait)
		}
		if !r.stopped {
			yield(feed.Event{}, err)
		}
	}
}

// End returns the position behind all durable events. Errors: those of the engine.
func End(o engine.Owner) (feed.Position, error) {
	store, last, err := o.DurableEnd()
	return feed.Position{Store: store, Commit: last + 1, Index: 0}, err
}

// reading is a feed that is being read.
type reading struct {
	blocks  *Blocks
	own     cursor
	filter  *matcher
	after   feed.Position
	yield   func(feed.Event, error) bool
	store   uint64
	oldest  bool // it begins at the oldest commit that is there, and has not read one yet
	stopped bool // the caller has left the loop, or the events have ended
}

// begin refuses a position that the store cannot have given, and goes to it. The zero Position is before the first commit.
func (r *reading) begin() error {
	store, last, err := r.blocks.owner.LogEnd()
	r.store = store
	switch p := r.after; {
	case err != nil:
		return err
	case r.oldest:
		r.after = feed.Position{Store: store, Commit: 1, Index: 0}
	case p.Store != store:
		return fmt.Errorf("%w: %v is of another store, this is %016x", feed.ErrPosition, p, store)
	case p.Commit == 0 || p.Index < 0:
		return fmt.Errorf("%w: commit %d, index %d", feed.ErrPosition, p.Commit, p.Index)
	case p.Commit > last+1 || p.Commit == last+1 && p.Index > 0:
		return fmt.Errorf("%w: %v, the last commit is %d", feed.ErrFuture, p, last)
	}
	r.own.at = r.after.Commit
	r.own.source, err = r.blocks.owner.Notes(r.own.at - 1)
	return err
}

// step yields the events of the next block, or finds that there are none. If the feed is to begin at the oldest event, and that has gone meanwhile, it goes to the one that
// is the oldest now.
func (r *reading) step(ctx context.Context, wait bool) error {
	var next *block
	err := r.own.source.Await(ctx, wait, func() (found bool, err error) {
		next, err = r.blocks.next(r.after.Commit, &r.own)
		return next != nil, err
	})
	var behind *engine.FellBehindError
	switch {
	case errors.As(err, &behind) && r.oldest:
		r.after = feed.Position{Store: r.store, Commit: behind.Oldest, Index: 0}
		return nil
	case behind != nil:
		return &feed.BehindError{After: r.after, Oldest: feed.Position{Store: r.store, Commit: behind.Oldest, Index: 0}}
	case err != nil:
		return err
	}
	r.oldest = false
	if r.stopped = next == nil; r.stopped {
		return nil
	}
	if r.filter.mayMatch(next) {
		err = r.events(next)
	}
	r.after = feed.Position{Store: r.store, Commit: next.end, Index: 0}
	return err
}

// events yields the events of a block that are after the position.
func (r *reading) events(b *block) error {
	first := sort.Search(len(b.events), func(i int) bool {
		e := &b.events[i]
		return e.seq > r.after.Commit || e.seq == r.after.Commit && e.index >= r.after.Index
	})
	for i := first; i < len(b.events) && !r.stopped; i++ {
		x := &b.events[i]
		if !r.filter.matches(&x.head) {
			continue
		}
		e, err := x.decode()
		if err != nil {
			return err
		}
		if e.Position = (feed.Position{Store: r.store, Commit: x.seq, Index: x.index + 1}); x.last {
			e.Position.Commit, e.Position.Index = x.seq+1, 0
		}
		r.stopped = !r.yield(e, nil)
	}
	return nil
}
