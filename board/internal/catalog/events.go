package catalog

import (
	"context"
	"errors"
	"iter"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/feed"
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/events"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// Events returns what writes the events of the board in a transaction.
func (b *Board) Events(tx *engine.Tx, st *state.State) events.Writer {
	return events.Writer{Owner: b.Owner(), Tx: tx, State: st, Watches: &b.Watches}
}

// PutWatch stores in a transaction that may change reserved keys that a member watches, or not any more. The board knows it from the commit on.
func (b *Board) PutWatch(tx *engine.Tx, member string, is bool) (err error) {
	if key := boardkey.Watch(b.State().Name, member); is {
		err = tx.Put(key, []byte{})
	} else {
		err = tx.Delete(key)
	}
	if err == nil {
		// the commit holds the lock of the board's private keys, so changes are noted in its order
		b.Owner().NoteEnd(tx, OnCommit(func() { b.Watches.Set(member, is) }))
	}
	return err
}

// Watch stores that a member watches, or not any more: see board.Board.Watch.
func (b *Board) Watch(ctx context.Context, member string, is bool) error {
	if member == "" || len(member) > board.MaxMember {
		return board.ErrMember
	}
	if err := b.env.CheckNotInTx(); err != nil {
		return err
	}
	return b.Retry(func(st *state.State) error {
		return b.Owner().Update(ctx, nil, func(tx *engine.Tx) error {
			if err := b.CheckWritable(st); err != nil {
				return err
			}
			return b.PutWatch(tx, member, is)
		})
	})
}

// MoveWatch moves the watch of a member to another one, "" for none, in a transaction that may change reserved keys.
func (b *Board) MoveWatch(tx *engine.Tx, member, to string) error {
	if !b.Watches.Has([]byte(member)) {
		return nil
	}
	if to != "" {
		if err := b.PutWatch(tx, to, true); err != nil {
			return err
		}
	}
	return b.PutWatch(tx, member, false)
}

// Feed yields the events after a position, and with wait it waits for further ones: see local.Boards.Feed.
func (c *Catalog) Feed(ctx context.Context, after feed.Position, f feed.Filter, wait bool) iter.Seq2[feed.Event, error] {
	return func(yield func(feed.Event, error) bool) {
		if c.life.Err() != nil {
			yield(feed.Event{}, board.ErrClosed)
			return
		}
		ctx, stop := context.WithCancelCause(ctx)
		defer stop(nil)
		defer context.AfterFunc(c.life, func() { stop(board.ErrClosed) })()
		for e, err := range c.Feeds.Read(ctx, after, f, wait) {
			if errors.Is(err, engine.ErrClosed) {
				err = state.ErrEngineClosed
			}
			if !yield(e, err) {
				return
			}
		}
	}
}

// LastCommit returns the number of the last commit of the engine. Error: ErrClosed.
func (c *Catalog) LastCommit(ctx context.Context) (last uint64, err error) {
	if c.life.Err() != nil {
		return 0, board.ErrClosed
	}
	_, last, err = c.Owner.LogEnd()
	return last, err
}

// FeedEnd returns the position behind all durable events. Error: ErrClosed.
func (c *Catalog) FeedEnd() (feed.Position, error) {
	if c.life.Err() != nil {
		return feed.Position{}, board.ErrClosed
	}
	return events.End(c.Owner)
}
