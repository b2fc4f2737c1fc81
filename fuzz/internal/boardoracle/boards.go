package boardoracle

import (
	"maps"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/fuzz/internal/apply"
	"github.com/zrankdb/zrank/fuzz/internal/boardspecs"
)

// Boards are the boards during one block of the oracle. The block changes copies.
type Boards struct {
	worlds map[string]*World
	clock  time.Time
	copied map[string]bool // names of the boards in worlds that are copies of this block
	steps  []boardStep
}

// NewWorlds returns every board, with the spec that a function has for its name.
func NewWorlds(of func(name string) board.Spec) map[string]*World {
	worlds := map[string]*World{}
	for _, name := range boardspecs.Names {
		worlds[name] = newBoardWorld(of(name))
	}
	return worlds
}

// New returns the boards for a block at a time. It puts copies of the boards that it changes into worlds.
func New(worlds map[string]*World, now time.Time) *Boards {
	return &Boards{worlds: worlds, clock: now, copied: map[string]bool{}}
}

// Now returns the time of the block.
func (o *Boards) Now() time.Time { return o.clock }

// Named returns a board by its name. Errors: ErrNoBoard.
func (o *Boards) Named(name string) (apply.Leaderboard, error) {
	w, err := o.writable(name)
	return boardAt{w, o.clock, &o.steps}, err
}

// Commits returns the boards as they were after each commit of the block but the last one.
func (o *Boards) Commits() (all []map[string]*World) {
	for _, s := range o.steps {
		boards := maps.Clone(o.worlds)
		boards[s.name] = s.w
		all = append(all, boards)
	}
	return all
}

// writable returns a copy of a board. The periods that are closed by now are settled, and those that it no longer keeps are gone.
func (o *Boards) writable(name string) (*World, error) {
	w := o.worlds[name]
	if w == nil {
		return nil, board.ErrNoBoard
	}
	if !o.copied[name] {
		w = w.clone()
		o.worlds[name], o.copied[name] = w, true
	}
	w.expire(o.clock)
	boardAt{w, o.clock, &o.steps}.retain()
	return w, nil
}

// MigrateTo gives the board of that name the spec. If Migrate cannot convert its entries, it drops the
// board and defines it with the spec; after a crash in between the board has its first spec. Errors:
// ErrNoBoard.
func (o *Boards) MigrateTo(spec board.Spec) error {
	w, err := o.writable(spec.Name)
	switch {
	case err != nil:
		return err
	case spec.Name == boardspecs.Mixed && !boardspecs.Converts(w.spec, spec):
		o.redefine(w, w.first)
		o.steps = append(o.steps, boardStep{spec.Name, o.worlds[spec.Name]})
		o.redefine(w, spec)
	default:
		w.changeLeagues(spec)
		w.migrate(spec)
		boardAt{w, o.clock, &o.steps}.retain()
	}
	return nil
}

// Redefine drops the board of that name and defines it as it was first. Errors: ErrNoBoard.
func (o *Boards) Redefine(name string) error {
	w, err := o.writable(name)
	if err == nil {
		o.redefine(w, w.first)
	}
	return err
}

// redefine puts a new board with a spec in place of another one. The stored union stays.
func (o *Boards) redefine(old *World, spec board.Spec) {
	w := newBoardWorld(spec)
	w.first, w.union = old.first, old.union
	o.worlds[spec.Name] = w
}
