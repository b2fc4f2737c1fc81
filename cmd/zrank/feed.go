package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/zrankdb/zrank/cmd/zrank/internal/events"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board"
)

// feed applies events to boards, many in one commit, while the clock follows their times. A board is made when its first event comes.
type feed struct {
	d      *data
	spec   func(name string) (board.Spec, error)
	boards map[string]*board.Board // those that events have named
}

func newFeed(d *data, spec func(name string) (board.Spec, error)) *feed {
	return &feed{d: d, spec: spec, boards: map[string]*board.Board{}}
}

// item is an event on its way.
type item struct {
	events.Event
	behind events.Position // of the input, behind the event
	board  *board.Board
	bad    error // why the board does not take it
	after  int64 // rows behind it that were skipped, before the next item
}

// item finds the board of an event, or makes it.
func (f *feed) item(ev events.Event, behind events.Position) (item, error) {
	it := item{Event: ev, behind: behind, board: f.boards[ev.Board]}
	if it.board != nil {
		return it, nil
	}
	name := strings.Clone(ev.Board) // an event's strings hold on to their whole row
	spec, err := f.spec(name)
	if err == nil {
		err = f.d.clock.claim(f.d.e)
	}
	if err == nil {
		it.board, err = f.d.boards.Define(spec)
	}
	if refusalOf(err) != nil {
		it.bad = err
		return it, nil
	}
	f.boards[name] = it.board
	return it, err
}

// batch is events for one commit. It does not reach over the end of a period that an event of it belongs to: so it does not matter
// which events come together.
type batch struct {
	items  []item
	before int64 // rows before the first item that were skipped
	bytes  int
	clock  time.Time // after the events
	until  time.Time // when the first period of an event ends, if any does
	ending bool
}

// next begins another batch.
func (f *feed) next(b *batch) {
	*b = batch{items: b.items[:0], clock: f.d.clock.now()}
}

// add takes an event in, or returns false: it belongs to the next batch.
func (b *batch) add(it item) bool {
	if b.ending && !it.Time.Before(b.until) {
		return false
	}
	if it.Time.After(b.clock) {
		b.clock = it.Time
	}
	if it.bad == nil {
		until, ok, err := it.board.Deadline(it.Time) // an error comes again when the event is applied
		if err == nil && ok && until.After(b.clock) && (!b.ending || until.Before(b.until)) {
			b.until, b.ending = until, true
		}
	}
	b.items = append(b.items, it)
	b.bytes += len(it.Member) + len(it.Board) + 64
	return true
}

// skipped counts a row that is no event behind those of the batch.
func (b *batch) skipped() {
	if n := len(b.items); n > 0 {
		b.items[n-1].after++
		return
	}
	b.before++
}

// refusal says which item of a batch a board does not take, and why.
type refusal struct {
	index int
	err   error
}

func (r *refusal) Error() string { return r.err.Error() }

// commit moves the clock to the last event, applies events in their order, and what else belongs to the same commit, and closes the
// periods that have ended by then. An event that a board does not take is marked as bad and left out, or, unless skip is set, the error
// is a *refusal. If it fails nothing has changed.
func (f *feed) commit(items []item, skip bool, also func(tx *engine.Tx) error) error {
	was := f.d.clock.now()
	now := was
	for i := range items {
		if items[i].Time.After(now) {
			now = items[i].Time
		}
	}
	f.d.clock.move(now)
	if err := f.apply(items, now, skip, also); err != nil {
		f.d.clock.back(was)
		return err
	}
	_, err := f.d.boards.CloseDue()
	return err
}

// apply is the transaction of commit.
func (f *feed) apply(items []item, now time.Time, skip bool, also func(tx *engine.Tx) error) error {
	keys, err := f.keys(items, skip)
	if err != nil {
		return err
	}
	return f.d.e.Update(keys, func(tx *engine.Tx) error {
		for i := range items {
			it := &items[i]
			if it.bad == nil {
				_, err := it.board.In(tx).Apply(it.submission())
				if err := it.refused(i, err, skip); err != nil {
					return err
				}
			}
		}
		if err := f.d.clock.put(tx, now); err != nil {
			return err
		}
		return also(tx)
	})
}

// keys returns the keys of the sets that events touch.
func (f *feed) keys(items []item, skip bool) ([]string, error) {
	named := map[string]struct{}{}
	var keys, all []string
	for i := range items {
		it, err := &items[i], items[i].bad
		if err == nil {
			keys, err = it.board.Keys(keys[:0], it.submission())
		}
		if err := it.refused(i, err, skip); err != nil {
			return nil, err
		}
		if it.bad != nil {
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
func (it *item) refused(index int, err error, skip bool) error {
	switch {
	case err == nil:
		return nil
	case refusalOf(err) == nil:
		return fmt.Errorf("line %d: %w", it.Line, err)
	case !skip:
		return &refusal{index, err}
	}
	it.bad = err
	return nil
}

func (it *item) submission() board.Submission {
	return board.Submission{Member: it.Member, Score: it.Score, At: it.Time}
}
