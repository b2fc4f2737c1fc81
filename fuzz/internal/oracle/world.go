package oracle

import (
	"time"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/fuzz/internal/boardoracle"
)

// world is everything that a machine holds. No world is changed after the block that made it: a block copies what it changes, so
// keeping many worlds is cheap.
type world struct {
	sets   map[string]*oracleSet
	values Values
	boards map[string]*boardoracle.World // of layer board
}

// oracleSet is a set of either kind.
type oracleSet struct {
	floats  *Set[float64]
	ints    *Set[int64] // nil: the set has float64 scores
	dense   bool        // as in engine.Form
	expires time.Time   // zero: never
	fresh   bool        // the block under way has made it
}

func (s *oracleSet) len() int {
	if s.ints != nil {
		return s.ints.Len()
	}
	return s.floats.Len()
}

// form returns the form and the kind, as in engine.Stat.
func (s *oracleSet) form() (f engine.Form, ints bool) {
	if s.ints != nil {
		return engine.Form{TieWidth: s.ints.tieWidth, Dense: s.dense}, true
	}
	return engine.Form{TieWidth: s.floats.tieWidth}, false
}

// emptied returns an empty set of the same form.
func (s *oracleSet) emptied() *oracleSet {
	if s.ints != nil {
		return &oracleSet{ints: NewSet[int64](s.ints.tieWidth), dense: s.dense, fresh: true}
	}
	return &oracleSet{floats: NewSet[float64](s.floats.tieWidth), fresh: true}
}

func (s *oracleSet) clone() *oracleSet {
	c := *s
	if s.ints != nil {
		c.ints = s.ints.clone()
	} else {
		c.floats = s.floats.clone()
	}
	return &c
}

func (s *oracleSet) expired(now time.Time) bool { return !s.expires.IsZero() && !now.Before(s.expires) }
