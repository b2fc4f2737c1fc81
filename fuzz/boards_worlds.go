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

// newBoardWorlds returns every board with its first spec.
func newBoardWorlds() map[string]*boardWorld {
	worlds := map[string]*boardWorld{}
	for _, name := range boardNames {
		worlds[name] = newBoardWorld(specOf(name, 0))
	}
	return worlds
}

// newOracleBoards returns boards for a block that begins at a time. It puts copies of what it changes into worlds.
func newOracleBoards(worlds map[string]*boardWorld, now time.Time) *oracleBoards {
	return &oracleBoards{worlds: worlds, clock: now, own: map[string]bool{}}
}

func (o *oracleBoards) now() time.Time { return o.clock }

func (o *oracleBoards) board(name string) (leaderboard, error) {
	w, err := o.touch(name)
	return oracleBoard{w, o.clock, &o.steps}, err
}

// commits returns the boards as they were after each commit of the block but the last one.
func (o *oracleBoards) commits() (all []map[string]*boardWorld) {
	for _, s := range o.steps {
		boards := maps.Clone(o.worlds)
		boards[s.name] = s.w
		all = append(all, boards)
	}
	return all
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
