package main

import (
	"fmt"
	"maps"
	"strings"

	"github.com/zrankdb/zrank/cmd/zrank/internal/events"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board"
)

// feed applies events to boards, many in one commit. A board is made in the commit of its first event.
type feed struct {
	e      *engine.Engine
	spec   func(name string) board.Spec
	boards map[string]*board.Board // that exist
}

func newFeed(e *engine.Engine, spec func(name string) board.Spec) *feed {
	return &feed{e: e, spec: spec, boards: map[string]*board.Board{}}
}

// commit applies events in their order, and what else belongs to the same commit. If it fails, nothing has changed.
func (f *feed) commit(batch []events.Event, also func(tx *engine.Tx) error) error {
	made := map[string]*board.Board{}
	err := f.e.Update(f.keys(batch), func(tx *engine.Tx) error {
		for i := range batch {
			if err := f.submit(tx, made, &batch[i]); err != nil {
				return fmt.Errorf("line %d: %w", batch[i].Line, err)
			}
		}
		return also(tx)
	})
	if err == nil {
		maps.Copy(f.boards, made)
	}
	return err
}

// submit applies one event, to a board that exists, or that the transaction has made, or makes now.
func (f *feed) submit(tx *engine.Tx, made map[string]*board.Board, ev *events.Event) error {
	b := f.boards[ev.Board]
	if b == nil {
		b = made[ev.Board]
	}
	if b == nil {
		name := strings.Clone(ev.Board) // an event's strings hold on to their whole row
		var err error
		if b, err = board.OpenTx(f.e, tx, f.spec(name)); err != nil {
			return err
		}
		made[name] = b
	}
	_, err := b.SubmitTx(tx, board.Submission{Member: ev.Member, Score: ev.Value, At: ev.Time})
	return err
}

// keys returns the keys of the sets that events touch.
func (f *feed) keys(batch []events.Event) []string {
	named := map[string]struct{}{}
	var keys, all []string
	for i := range batch {
		if b := f.boards[batch[i].Board]; b != nil {
			keys = b.Keys(keys[:0], batch[i].Time)
		} else {
			keys = f.spec(batch[i].Board).Keys(keys[:0], batch[i].Time)
		}
		for _, key := range keys {
			if _, ok := named[key]; !ok {
				named[key] = struct{}{}
				all = append(all, key)
			}
		}
	}
	return all
}
