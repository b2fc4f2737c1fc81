package feed

import (
	"fmt"
	"strings"
	"time"

	"github.com/zrankdb/zrank/cmd/zrank/internal/datadir"
	"github.com/zrankdb/zrank/cmd/zrank/internal/events"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board"
)

// Feed applies events to boards, many in one commit, while the clock follows their times. A board is made when its first event comes.
type Feed struct {
	d      *datadir.Data
	spec   func(name string) (board.Spec, error)
	Boards map[string]*board.Board // those that events have named
}

// New returns a feed into the boards of d. spec returns the spec of a board that does not exist yet.
func New(d *datadir.Data, spec func(name string) (board.Spec, error)) *Feed {
	return &Feed{d: d, spec: spec, Boards: map[string]*board.Board{}}
}

// Item is an event on its way.
type Item struct {
	events.Event
	Behind events.Position // of the input, behind the event
	board  *board.Board
	Bad    error // why the board does not take it
	After  int64 // rows behind it that were skipped, before the next item
}

// Item finds the board of an event, or makes it.
func (f *Feed) Item(ev events.Event, behind events.Position) (Item, error) {
	it := Item{Event: ev, Behind: behind, board: f.Boards[ev.Board]}
	if it.board != nil {
		return it, nil
	}
	name := strings.Clone(ev.Board) // an event's strings hold on to their whole row
	spec, err := f.spec(name)
	if err == nil {
		err = f.d.Clock.Claim(f.d.Engine)
	}
	if err == nil {
		it.board, err = f.d.Boards.Define(spec)
	}
	if RefusalOf(err) != nil {
		it.Bad = err
		return it, nil
	}
	f.Boards[name] = it.board
	return it, err
}

// Batch is events for one commit. It does not reach over the end of a period that an event of it belongs to: so it does not matter
// which events come together.
type Batch struct {
	Items  []Item
	Before int64 // rows before the first item that were skipped
	Bytes  int
	clock  time.Time // after the events
	until  time.Time // when the first period of an event ends, if any does
	ending bool
}

// Next begins another batch.
func (f *Feed) Next(b *Batch) {
	*b = Batch{Items: b.Items[:0], clock: f.d.Clock.Now()}
}

// Add takes an event in, or returns false: it belongs to the next batch.
func (b *Batch) Add(it Item) bool {
	if b.ending && !it.Time.Before(b.until) {
		return false
	}
	if it.Time.After(b.clock) {
		b.clock = it.Time
	}
	if it.Bad == nil {
		until, ok, err := it.board.Deadline(it.Time) // an error comes again when the event is applied
		if err == nil && ok && until.After(b.clock) && (!b.ending || until.Before(b.until)) {
			b.until, b.ending = until, true
		}
	}
	b.Items = append(b.Items, it)
	b.Bytes += len(it.Member) + len(it.Board) + 64
	return true
}

// Skipped counts a row that is no event behind those of the batch.
func (b *Batch) Skipped() {
	if n := len(b.Items); n > 0 {
		b.Items[n-1].After++
		return
	}
	b.Before++
}

// Refusal says which item of a batch a board does not take, and why.
type Refusal struct {
	Index int
	Err   error
}

// Error is the text of the board.
func (r *Refusal) Error() string { return r.Err.Error() }

// Commit moves the clock to the last event, applies events in their order, and what else belongs to the same commit, and closes the
// periods that have ended by then. An event that a board does not take is marked as bad and left out, or, unless skip is set, the error
// is a *refusal. If it fails nothing has changed.
func (f *Feed) Commit(items []Item, skip bool, also func(tx *engine.Tx) error) error {
	was := f.d.Clock.Now()
	now := was
	for i := range items {
		if items[i].Time.After(now) {
			now = items[i].Time
		}
	}
	f.d.Clock.Move(now)
	if err := f.apply(items, now, skip, also); err != nil {
		f.d.Clock.Back(was)
		return err
	}
	_, err := f.d.Boards.CloseDue()
	return err
}

// apply is the transaction of commit.
func (f *Feed) apply(items []Item, now time.Time, skip bool, also func(tx *engine.Tx) error) error {
	keys, err := f.keys(items, skip)
	if err != nil {
		return err
	}
	return f.d.Engine.Update(keys, func(tx *engine.Tx) error {
		for i := range items {
			it := &items[i]
			if it.Bad == nil {
				_, err := it.board.In(tx).Apply(it.submission())
				if err := it.refused(i, err, skip); err != nil {
					return err
				}
			}
		}
		if err := f.d.Clock.Put(tx, now); err != nil {
			return err
		}
		return also(tx)
	})
}

// keys returns the keys of the sets that events touch.
func (f *Feed) keys(items []Item, skip bool) ([]string, error) {
	named := map[string]struct{}{}
	var keys, all []string
	for i := range items {
		it, err := &items[i], items[i].Bad
		if err == nil {
			keys, err = it.board.Keys(keys[:0], it.submission())
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

// refused sorts out what a board says to the event.
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
