package feed

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/cmd/zrank/internal/datadir"
	"github.com/zrankdb/zrank/cmd/zrank/internal/events"
	"github.com/zrankdb/zrank/engine"
)

// Feed applies events to boards, many in one commit, and moves the clock to their times. It makes a board for its first event.
type Feed struct {
	d      *datadir.Data
	spec   func(name string) (board.Spec, error)
	Boards map[string]board.Board // by name; those that events have named
	Made   func() error           // is called when a board has been made; nil: nothing is done then
	keeps  map[string]bool        // the boards that keep journals
}

// New returns a feed into the boards of d. spec returns the spec of a board that does not exist yet.
func New(d *datadir.Data, spec func(name string) (board.Spec, error)) *Feed {
	return &Feed{d: d, spec: spec, Boards: map[string]board.Board{}, keeps: map[string]bool{}}
}

// Item is an event of a batch.
type Item struct {
	events.Event
	Behind events.Position // position in the input after the event
	board  board.Board
	all    *local.Boards
	keeps  bool  // the board keeps a journal
	Bad    error // why the board refuses it; nil: it does not refuse it
	After  int64 // number of skipped rows between it and the next item
}

// Item finds or makes the board of an event. Errors: those of the board, unless it refuses the event: see Bad.
func (f *Feed) Item(ctx context.Context, ev events.Event, behind events.Position) (Item, error) {
	it := Item{Event: ev, Behind: behind, all: f.d.Boards, board: f.Boards[ev.Board], keeps: f.keeps[ev.Board]}
	if it.board != nil {
		return it, nil
	}
	name := strings.Clone(ev.Board) // the strings of an event share the memory of their row
	spec, err := f.spec(name)
	if err == nil {
		err = f.d.Clock.Claim(ctx, f.d.Engine)
	}
	if err == nil {
		it.board, err = f.d.Boards.Define(ctx, spec)
	}
	if RefusalOf(err) != nil {
		it.Bad = err
		return it, nil
	}
	f.Boards[name] = it.board
	if err == nil {
		it.keeps = it.board.Spec().Journal > 0
		f.keeps[name] = it.keeps
	}
	if err == nil && f.Made != nil {
		err = f.Made()
	}
	return it, err
}

// Batch is the events of one commit: results, or one removal of a member. All of them are from before the first end of a period of its events, and the rows that they make
// in journals arrive at the time of the commit, which is the latest of its events: so no event that moves the clock comes behind one of a board with a journal. The result does not
// depend on how the input is cut into batches.
type Batch struct {
	Items  []Item
	Before int64 // number of skipped rows before the first item
	Bytes  int
	clock  time.Time // the time after the events
	until  time.Time // the earliest end of a period of the events, if ending is set
	ending bool
	keeps  bool // a board of the events keeps a journal
}

// Next empties a batch for further events.
func (f *Feed) Next(b *Batch) {
	*b = Batch{Items: b.Items[:0], clock: f.d.Clock.Now()}
}

// Add adds an event. It returns false if a period of the batch ends before the event, if the event or the last one of the batch removes a
// member, or if rows of a journal would arrive later than their events: then the event belongs to the next batch.
func (b *Batch) Add(ctx context.Context, it Item) bool {
	if n := len(b.Items); n > 0 && (it.Remove || b.Items[n-1].Remove) {
		return false
	}
	if b.ending && !it.Time.Before(b.until) {
		return false
	}
	if it.Time.After(b.clock) {
		if b.keeps {
			return false
		}
		b.clock = it.Time
	}
	b.keeps = b.keeps || it.keeps
	if it.Bad == nil {
		until, ok, err := it.board.Deadline(ctx, it.Time) // an error comes back when the event is applied
		if err == nil && ok && until.After(b.clock) && (!b.ending || until.Before(b.until)) {
			b.until, b.ending = until, true
		}
	}
	b.Items = append(b.Items, it)
	b.Bytes += len(it.Member) + len(it.Board) + 64
	return true
}

// Skipped counts a row without an event, after the items so far.
func (b *Batch) Skipped() {
	if n := len(b.Items); n > 0 {
		b.Items[n-1].After++
		return
	}
	b.Before++
}

// Refusal is the error of a batch that a board refuses: the index of the item, and the reason.
type Refusal struct {
	Index int
	Err   error
}

// Error returns the text of the reason.
func (r *Refusal) Error() string { return r.Err.Error() }

// Commit moves the clock to the latest event, applies the events in their order and calls also, all in one transaction. Then it closes
// the periods that have ended. If skip is set, it marks an event that its board refuses as bad and leaves it out; otherwise the error is a
// *Refusal. A Commit that fails changes nothing. Other errors: those of the engine and of also.
func (f *Feed) Commit(ctx context.Context, items []Item, skip bool, also func(tx *engine.Tx) error) error {
	was := f.d.Clock.Now()
	now := was
	for i := range items {
		if items[i].Time.After(now) {
			now = items[i].Time
		}
	}
	f.d.Clock.Move(now)
	if err := f.apply(ctx, items, now, skip, also); err != nil {
		f.d.Clock.Back(was)
		return err
	}
	_, err := f.d.Boards.CloseDue(ctx)
	return err
}

// apply runs the transaction of Commit.
func (f *Feed) apply(ctx context.Context, items []Item, now time.Time, skip bool, also func(tx *engine.Tx) error) error {
	keys, err := f.keys(ctx, items, skip)
	if err != nil {
		return err
	}
	return f.d.Engine.Update(ctx, func(tx *engine.Tx) error {
		for i := range items {
			it := &items[i]
			if it.Bad == nil {
				if err := it.refused(i, it.apply(tx), skip); err != nil {
					return err
				}
			}
		}
		if err := f.d.Clock.Put(tx, now); err != nil {
			return err
		}
		return also(tx)
	}, keys...)
}

// keys returns the keys of the sets that the events change.
func (f *Feed) keys(ctx context.Context, items []Item, skip bool) ([]string, error) {
	named := map[string]struct{}{}
	var keys, all []string
	for i := range items {
		it, err := &items[i], items[i].Bad
		if err == nil {
			keys, err = it.keys(ctx, keys[:0])
		}
		if err := it.refused(i, err, skip); err != nil {
			return nil, err
		}
		if it.Bad != nil {
			continue
		}
		for _, key := range keys {
			if _, ok := named[key]; !ok {
				named[key] = struct{}{}
				all = append(all, key)
			}
		}
	}
	return all, nil
}

// keys appends the keys of the sets that the event changes.
func (it *Item) keys(ctx context.Context, dst []string) ([]string, error) {
	hints, err := it.all.Hints(it.Board)
	switch {
	case err != nil:
		return dst, err
	case it.Remove:
		return hints.Remove(ctx, dst, it.Member)
	}
	return hints.Submit(ctx, dst, it.submission())
}

// apply applies the event in a transaction.
func (it *Item) apply(tx *engine.Tx) error {
	in, err := it.all.In(tx, it.Board)
	switch {
	case err != nil:
	case it.Remove:
		_, err = in.Remove(it.Member)
	default:
		_, err = in.Apply(it.submission())
	}
	return err
}

// refused handles the error of a board for the event: it marks a refused event, or returns an error.
func (it *Item) refused(index int, err error, skip bool) error {
	switch {
	case err == nil:
		return nil
	case RefusalOf(err) == nil:
		return fmt.Errorf("line %d: %w", it.Line, err)
	case !skip:
		return &Refusal{index, err}
	}
	it.Bad = err
	return nil
}

func (it *Item) submission() board.Submission {
	return board.Submission{Member: it.Member, Score: it.Score, At: it.Time}
}
