package oracle

import (
	"time"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/fuzz/internal/boardoracle"
)

// world is all that a machine holds. One that a block has made is never changed again: a block copies what it touches, so
// that many worlds in a row are cheap.
type world struct {
	sets   map[string]*oracleSet
	values Values
	boards map[string]*boardoracle.World // of layer board
}

// oracleSet is a set of either kind.
type oracleSet struct {
	floats  *Set[float64]
	ints    *Set[int64] // nil: it has Redis's scores
	dense   bool        // of a Form
	expires time.Time   // zero: never
	fresh   bool        // the block has made it
}

func (s *oracleSet) len() int {
	if s.ints != nil {
		return s.ints.Len()
	}
	return s.floats.Len()
}

// form is as in a Stat.
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
