package feed

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board/internal/errs"
)

// Read yields the events after a position that pass a filter, in order, and with wait it waits for further ones. Without, it ends behind the last. It ends when the
// caller leaves the loop, and otherwise with one error: see board.Boards.Feed.
func Read(ctx context.Context, o engine.Owner, after Position, f Filter, wait bool) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		m, err := f.matcher()
		r := &feedReader{owner: o, filter: &m, after: after, oldest: after == Position{}, wait: wait, yield: yield}
		if err == nil {
			err = r.check()
		}
		for err == nil && !r.stopped {
			err = r.read(ctx)
		}
		if !r.stopped {
			yield(Event{}, err)
		}
	}
}

// End returns the position behind all events of now. Errors: those of the engine.
func End(o engine.Owner) (Position, error) {
	store, last, err := o.LogEnd()
	return Position{store, last + 1, 0}, err
}

// BehindError says from where on a feed has events. errors.Is(err, engine.ErrFellBehind) holds.
type BehindError struct {
	After  Position // the position that was asked for, or that the feed has come to
	Oldest Position // before the oldest events that are there
}

// Error says from where to where.
func (e *BehindError) Error() string {
	return fmt.Sprintf("board: the feed fell behind: it is at %v, and the oldest events are after %v", e.After, e.Oldest)
}

// Unwrap returns engine.ErrFellBehind.
func (e *BehindError) Unwrap() error { return engine.ErrFellBehind }

// feedReader is a feed that is being read.
type feedReader struct {
	owner   engine.Owner
	filter  *matcher
	after   Position
	yield   func(Event, error) bool
	store   uint64
	wait    bool
	oldest  bool // it begins at the oldest commit that is there, and has not read one yet
	stopped bool // the caller has left the loop, or the events have ended
}

// check refuses a position that the store cannot have given, and makes the zero Position one before the first commit.
func (r *feedReader) check() error {
	store, last, err := r.owner.LogEnd()
	r.store = store
	switch p := r.after; {
	case err != nil || r.oldest:
		return err
	case p.Store != store:
		return fmt.Errorf("%w: %v is of another store, this is %016x", errs.ErrPosition, p, store)
	case p.Commit == 0 || p.Index < 0:
		return fmt.Errorf("%w: commit %d, index %d", errs.ErrPosition, p.Commit, p.Index)
	case p.Commit > last+1 || p.Commit == last+1 && p.Index > 0:
		return fmt.Errorf("%w: %v, the last commit is %d", errs.ErrFuture, p, last)
	}
	return nil
}

// read yields events until the caller leaves the loop or the log ends. If the feed began at the oldest event, and that has gone meanwhile, it begins again.
func (r *feedReader) read(ctx context.Context) error {
	for c, err := range r.owner.Notes(ctx, max(r.after.Commit, 1)-1, r.wait) {
		var behind *engine.FellBehindError
		switch {
		case errors.As(err, &behind) && r.oldest:
			r.after = Position{r.store, behind.Oldest, 0}
			return nil
		case behind != nil:
			return &BehindError{After: r.after, Oldest: Position{r.store, behind.Oldest, 0}}
		case err != nil:
			return err
		}
		r.oldest = false
		if err := r.commit(c); err != nil || r.stopped {
			return err
		}
	}
	r.stopped = true
	return nil
}

// commit yields the events of a commit.
func (r *feedReader) commit(c engine.Noted) error {
	for i, note := range c.Notes {
		if c.Seq == r.after.Commit && i < r.after.Index {
			continue
		}
		at := Position{r.store, c.Seq, i + 1}
		if i+1 == len(c.Notes) {
			at.Commit, at.Index = c.Seq+1, 0
		}
		h, err := cutHead(note)
		if err != nil {
			return err
		}
		if r.filter.matches(&h) {
			e, err := h.decode()
			if err != nil {
				return err
			}
			e.Position = at
			if !r.yield(e, nil) {
				r.stopped = true
				return nil
			}
		}
		r.after = at
	}
	return nil
}
