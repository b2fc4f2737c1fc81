package fuzz

import (
	"maps"
	"slices"
	"time"

	"github.com/zrankdb/zrank/internal/testclock"
)

// reference is a machine that says what others should answer. It loses nothing and can go back.
type reference interface {
	machine
	save() (restores []func()) // the last brings back the world as it is now, those before it worlds in the middle of the last block; the time goes on
}

// oracle is the reference of most layers: model sets in a Go map.
type oracle struct {
	now   *world
	steps []*world // in the middle of the last block: it makes more than one commit
	clock time.Time
}

// world is all that a machine holds. One that a block has made is never changed again: a block copies what it touches, so
// that many worlds in a row are cheap.
type world struct {
	sets   map[string]*oracleSet
	values values
	boards map[string]*boardWorld // of layer board
}

func newOracle() reference {
	return &oracle{&world{sets: map[string]*oracleSet{}, values: values{}}, nil, testclock.Noon}
}

func (o *oracle) save() (restores []func()) {
	for _, w := range append(o.steps, o.now) {
		restores = append(restores, func() { o.now, o.steps = w, nil })
	}
	return restores
}

// oracleTx is a block under way.
type oracleTx struct {
	values
	w       *world
	reads   bool            // the block changes nothing
	touched map[string]bool // sets that are the block's own
	lead    *oracleBoards
}

func (o *oracle) run(b block) (replies []string, err error) {
	tx := &oracleTx{reads: b.reads(), touched: map[string]bool{},
		w: &world{sets: maps.Clone(o.now.sets), values: maps.Clone(o.now.values), boards: maps.Clone(o.now.boards)}}
	tx.values, tx.lead = tx.w.values, &oracleBoards{worlds: tx.w.boards, clock: o.clock, own: map[string]bool{}}
	for _, op := range b.ops {
		replies = append(replies, apply(tx, op))
	}
	if !b.rolledBack() {
		o.now = tx.commit()
		o.steps = tx.lead.between(o.now)
	}
	return replies, nil
}

// set returns a set that the block may change.
func (tx *oracleTx) set(key string) (sortedSet, error) {
	s := tx.w.sets[key]
	switch {
	case s == nil:
		s = newOracleSet(tieWidth(key))
	case !tx.reads && !tx.touched[key]:
		s = s.clone()
	}
	tx.w.sets[key], tx.touched[key] = s, true
	return s, nil
}

func (tx *oracleTx) boards() leaderboards { return tx.lead }

// commit returns the world after the block.
func (tx *oracleTx) commit() *world {
	maps.DeleteFunc(tx.w.sets, func(_ string, s *oracleSet) bool { return s.Len() == 0 })
	return tx.w
}

func (o *oracle) keys() ([]string, error) { return slices.Sorted(maps.Keys(o.now.sets)), nil }

func (o *oracle) between(op Op) error {
	if op.Kind == "sleep" {
		o.clock = o.clock.Add(time.Duration(op.Lo) * time.Second)
	}
	return nil
}

func (o *oracle) close() error { return nil }
