package fuzz

import (
	"maps"
	"time"

	"github.com/zrankdb/zrank/engine/board"
)

// oracleBoards are the boards of a block of the oracle: what it touches is a copy.
type oracleBoards struct {
	worlds map[string]*boardWorld
	clock  time.Time
	own    map[string]bool
	steps  []boardStep
}

// newBoardOracle is an oracle with boards.
func newBoardOracle() reference {
	worlds := map[string]*boardWorld{}
	for _, name := range boardNames {
		worlds[name] = newBoardWorld(specOf(name, 0))
	}
	o := newOracle().(*oracle)
	o.now.boards = worlds
	return o
}

func (o *oracleBoards) now() time.Time { return o.clock }

func (o *oracleBoards) board(name string) (leaderboard, error) {
	w, err := o.touch(name)
	return oracleBoard{w, o.clock, &o.steps}, err
}

// between are the worlds in the middle of the block, whose end is w.
func (o *oracleBoards) between(w *world) (worlds []*world) {
	for _, s := range o.steps {
		boards := maps.Clone(w.boards)
		boards[s.name] = s.w
		worlds = append(worlds, &world{w.sets, w.values, boards})
	}
	return worlds
}

// touch copies a board that the block may change, and forgets what it does not keep any more.
func (o *oracleBoards) touch(name string) (*boardWorld, error) {
	w := o.worlds[name]
	if w == nil {
		return nil, board.ErrNoBoard
	}
	if !o.own[name] {
		w = w.clone()
		o.worlds[name], o.own[name] = w, true
	}
	w.retain(o.clock)
	return w, nil
}

func (o *oracleBoards) migrate(spec board.Spec) error {
	w, err := o.touch(spec.Name)
	if err == nil {
		w.migrate(spec)
		w.retain(o.clock)
	}
	return err
}

func (o *oracleBoards) drop(spec board.Spec) error {
	_, err := o.touch(spec.Name)
	if err == nil {
		o.worlds[spec.Name] = newBoardWorld(spec)
	}
	return err
}
