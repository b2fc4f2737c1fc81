package oracle

import (
	"maps"
	"time"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/fuzz/internal/apply"
	"github.com/zrankdb/zrank/fuzz/internal/boardoracle"
)

// newSet returns an empty set of the form that a new set under the key has: F4, F8.
func (tx *oracleTx) newSet(key string) *oracleSet {
	if f, is := apply.IntForm(key); is && tx.ints {
		return &oracleSet{ints: NewSet[int64](f.TieWidth), dense: f.Dense, fresh: true}
	}
	return &oracleSet{floats: NewSet[float64](apply.TieWidth(key)), fresh: true}
}

// oracleTx is a block while it runs. It changes copies only.
type oracleTx struct {
	Values
	w     *world
	reads bool            // the block changes nothing
	own   map[string]bool // keys whose sets are copies of this block
	lead  *boardoracle.Boards
	time  time.Time // F7
	ints  bool      // F8
}

func (tx *oracleTx) Boards() apply.Boards { return tx.lead }

// commit returns the world after the block.
func (tx *oracleTx) commit() *world {
	tx.vanish()
	for key, s := range tx.w.sets {
		if tx.own[key] {
			s.fresh = false
		}
	}
	return tx.w
}

// vanish removes empty sets.
func (tx *oracleTx) vanish() {
	maps.DeleteFunc(tx.w.sets, func(_ string, s *oracleSet) bool { return s.len() == 0 })
}

// any returns the set of a key, of either kind. The block may change it.
func (tx *oracleTx) any(key string) *oracleSet {
	s := tx.w.sets[key]
	switch {
	case s == nil:
		s = tx.newSet(key)
	case !tx.reads && !tx.own[key]:
		s = s.clone()
	}
	tx.w.sets[key], tx.own[key] = s, true
	return s
}

// formed returns the set of a key like any, and checks the form of an empty one. An empty set that this block has made gets the form of the
// key, but keeps its ties where the key asks for none, as with engine.Tx.Set. An older empty set must have that form.
func (tx *oracleTx) formed(key string) (*oracleSet, error) {
	s, made := tx.any(key), tx.newSet(key)
	if s.len() > 0 {
		return s, nil
	}
	has, ints := s.form()
	wants, wantsInts := made.form()
	alike := ints == wantsInts && (has == wants || !ints && wants.TieWidth == 0)
	switch {
	case alike:
	case s.fresh:
		s.floats, s.ints, s.dense = made.floats, made.ints, made.dense
	case ints != wantsInts:
		return nil, engine.ErrKind
	default:
		return nil, engine.ErrTieWidth
	}
	return s, nil
}

func (tx *oracleTx) Floats(key string) (apply.Set, error) {
	s, err := tx.formed(key)
	if err != nil {
		return nil, err
	}
	return s.floats, nil
}

func (tx *oracleTx) Ints(key string) (apply.SetOf[int64], bool, error) {
	s, err := tx.formed(key)
	if err != nil || s.ints == nil {
		return nil, false, err
	}
	return s.ints, true, nil
}

// put gives a key a set that belongs to this block.
func (tx *oracleTx) put(key string, s *oracleSet) { tx.w.sets[key], tx.own[key] = s, true }
