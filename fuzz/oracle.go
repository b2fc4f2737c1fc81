package fuzz

import (
	"maps"
	"slices"
)

// reference is a machine that says what others should answer. It loses nothing and can go back.
type reference interface {
	machine
	save() (restore func()) // what restore brings back is the world as it is now; the time goes on
}

// oracle is the reference of most layers: model sets in a Go map.
type oracle struct{ now *world }

// world is all that a machine holds. One that a block has made is never changed again: a block copies what it touches, so
// that many worlds in a row are cheap.
type world struct {
	sets   map[string]*oracleSet
	values values
}

func newOracle() reference {
	return &oracle{&world{sets: map[string]*oracleSet{}, values: values{}}}
}

func (o *oracle) save() (restore func()) {
	now := o.now
	return func() { o.now = now }
}

// oracleTx is a block under way.
type oracleTx struct {
	values
	w       *world
	reads   bool            // the block changes nothing
	touched map[string]bool // sets that are the block's own
}

func (o *oracle) run(b block) (replies []string, err error) {
	tx := &oracleTx{reads: b.reads(), touched: map[string]bool{},
		w: &world{sets: maps.Clone(o.now.sets), values: maps.Clone(o.now.values)}}
	tx.values = tx.w.values
	for _, op := range b.ops {
		replies = append(replies, apply(tx, op))
	}
	if !b.rolledBack() {
		o.now = tx.commit()
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

// commit returns the world after the block.
func (tx *oracleTx) commit() *world {
	maps.DeleteFunc(tx.w.sets, func(_ string, s *oracleSet) bool { return s.Len() == 0 })
	return tx.w
}

func (o *oracle) keys() ([]string, error) { return slices.Sorted(maps.Keys(o.now.sets)), nil }

func (o *oracle) between(Op) error { return nil }

func (o *oracle) close() error { return nil }
