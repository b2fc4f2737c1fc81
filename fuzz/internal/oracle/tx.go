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
	if f, ints := apply.IntForm(key); ints && tx.ints {
		return &oracleSet{ints: NewSet[int64](f.TieWidth), dense: f.Dense, fresh: true}
	}
	return &oracleSet{floats: NewSet[float64](apply.TieWidth(key)), fresh: true}
}

// oracleTx is a block while it runs. It changes copies only.
type oracleTx struct {
	Values
	w      *world
	reads  bool            // the block changes nothing
	copied map[string]bool // keys whose sets are copies of this block
	lead   *boardoracle.Boards
	time   time.Time // F7
	ints   bool      // it may make sets with int64 scores: F8
}

func (tx *oracleTx) Boards() apply.Boards { return tx.lead }

// commit returns the world after the block.
func (tx *oracleTx) commit() *world {
	tx.vanish()
	for key, s := range tx.w.sets {
		if tx.copied[key] {
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
	case !tx.reads && !tx.copied[key]:
		s = s.clone()
	}
	tx.w.sets[key], tx.copied[key] = s, true
	return s
}

// formed returns the set of a key as any does, and checks the form of an empty set. An empty set that this block has made gets the form of
// the key (F4, F8), but keeps its ties if that form has none, as with engine.Tx.Set. An older empty set must have the form of the key.
func (tx *oracleTx) formed(key string) (*oracleSet, error) {
	s, made := tx.any(key), tx.newSet(key)
	if s.len() > 0 {
		return s, nil
	}
	form, ints := s.form()
	keyForm, keyInts := made.form()
	fits := ints == keyInts && (form == keyForm || !ints && keyForm.TieWidth == 0)
	switch {
	case fits:
	case s.fresh:
		s.floats, s.ints, s.dense = made.floats, made.ints, made.dense
	case ints != keyInts:
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
func (tx *oracleTx) put(key string, s *oracleSet) { tx.w.sets[key], tx.copied[key] = s, true }
