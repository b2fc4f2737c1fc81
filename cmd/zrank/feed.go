package main

import (
	"fmt"
	"strings"

	"github.com/zrankdb/zrank/cmd/zrank/internal/events"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board"
)

// feed applies events to boards, many in one commit. Boards are made when their first event comes.
type feed struct {
	e      *engine.Engine
	spec   func(name string) board.Spec
	boards map[string]*board.Board
}

func newFeed(e *engine.Engine, spec func(name string) board.Spec) *feed {
	return &feed{e: e, spec: spec, boards: map[string]*board.Board{}}
}

// board returns an open board.
func (f *feed) board(name string) (*board.Board, error) {
	if b := f.boards[name]; b != nil {
		return b, nil
	}
	name = strings.Clone(name) // an event's strings hold on to their whole row
	b, err := board.Open(f.e, f.spec(name))
	if err == nil {
		f.boards[name] = b
	}
	return b, err
}

// commit applies events in their order, and what else belongs to the same commit. If it fails, nothing has changed.
func (f *feed) commit(batch []events.Event, also func(tx *engine.Tx) error) error {
	named := map[string]struct{}{}
	var keys, all []string
	for i := range batch {
		b, err := f.board(batch[i].Board)
		if err != nil {
			return err
		}
		keys = b.Keys(keys[:0], batch[i].Time)
		for _, key := range keys {
			if _, ok := named[key]; !ok {
				named[key] = struct{}{}
				all = append(all, key)
			}
		}
	}
	return f.e.Update(all, func(tx *engine.Tx) error {
		for i := range batch {
			ev := &batch[i]
			_, err := f.boards[ev.Board].SubmitTx(tx, board.Submission{Member: ev.Member, Score: ev.Value, At: ev.Time})
			if err != nil {
				return fmt.Errorf("line %d: %w", ev.Line, err)
			}
		}
		return also(tx)
	})
}
