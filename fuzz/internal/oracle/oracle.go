package oracle

import (
	"maps"
	"slices"
	"time"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/fuzz/internal/apply"
	"github.com/zrankdb/zrank/fuzz/internal/boardoracle"
	"github.com/zrankdb/zrank/fuzz/internal/machine"
	"github.com/zrankdb/zrank/fuzz/internal/script"
)

// oracle is the reference of most layers: model sets in a Go map.
type oracle struct {
	now   *world
	steps []*world  // in the middle of the last block: it makes more than one commit
	time  time.Time // F7
	ints  bool      // F8
	gone  bool      // F9
}

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

// newSet returns an empty set as one is made under a key.
func (tx *oracleTx) newSet(key string) *oracleSet {
	if f, is := apply.IntForm(key); is && tx.ints {
		return &oracleSet{ints: NewSet[int64](f.TieWidth), dense: f.Dense, fresh: true}
	}
	return &oracleSet{floats: NewSet[float64](apply.TieWidth(key)), fresh: true}
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

func New() machine.Reference {
	return &oracle{now: &world{sets: map[string]*oracleSet{}, values: Values{}}, time: script.Begin, ints: true}
}

// NewFloat is one for layers that have Redis's scores only.
func NewFloat() machine.Reference {
	o := New().(*oracle)
	o.ints = false
	return o
}

// NewResp is one for servers of the Redis protocol.
func NewResp() machine.Reference {
	o := NewFloat().(*oracle)
	o.gone = true
	return o
}

func (o *oracle) Save() (restores []func()) {
	for _, w := range append(o.steps, o.now) {
		restores = append(restores, func() { o.now, o.steps = w, nil })
	}
	return restores
}

func (o *oracle) Run(b script.Block) (replies []string, err error) {
	tx := o.begin(b.ReadOnly())
	for _, op := range b.Ops {
		if op.Is(script.Whole) && op.Is(script.Alone) {
			replies = append(replies, tx.call(op))
		} else {
			replies = append(replies, apply.Op(tx, op))
		}
		if o.gone {
			tx.vanish()
		}
	}
	if !b.RolledBack() {
		o.now = tx.commit()
		o.steps = nil
		for _, boards := range tx.lead.Commits() {
			o.steps = append(o.steps, &world{o.now.sets, o.now.values, boards})
		}
	}
	return replies, nil
}

// begin returns a block that works on copies.
func (o *oracle) begin(reads bool) *oracleTx {
	w := &world{sets: maps.Clone(o.now.sets), values: maps.Clone(o.now.values), boards: maps.Clone(o.now.boards)}
	maps.DeleteFunc(w.sets, func(_ string, s *oracleSet) bool { return s.expired(o.time) })
	return &oracleTx{Values: w.values, w: w, reads: reads, touched: map[string]bool{}, oracle: o,
		lead: boardoracle.New(w.boards, o.time)}
}

func (o *oracle) Keys() ([]string, error) {
	return slices.Sorted(maps.Keys(o.begin(true).w.sets)), nil
}

func (o *oracle) Between(op script.Op) error {
	if op.Kind == "sleep" {
		o.time = o.time.Add(op.Sleep())
	}
	return nil
}

func (o *oracle) Close() error { return nil }

// oracleTx is a block under way.
type oracleTx struct {
	Values
	w       *world
	reads   bool            // it changes nothing
	touched map[string]bool // keys whose sets are the block's own
	lead    *boardoracle.Boards
	*oracle
}

func (tx *oracleTx) Boards() apply.Boards { return tx.lead }

// commit returns the world after the block.
func (tx *oracleTx) commit() *world {
	tx.vanish()
	for key, s := range tx.w.sets {
		if tx.touched[key] {
			s.fresh = false
		}
	}
	return tx.w
}

// vanish takes out the sets that are empty.
func (tx *oracleTx) vanish() {
	maps.DeleteFunc(tx.w.sets, func(_ string, s *oracleSet) bool { return s.len() == 0 })
}

// any returns a set of either kind that the block may change.
func (tx *oracleTx) any(key string) *oracleSet {
	s := tx.w.sets[key]
	switch {
	case s == nil:
		s = tx.newSet(key)
	case !tx.reads && !tx.touched[key]:
		s = s.clone()
	}
	tx.w.sets[key], tx.touched[key] = s, true
	return s
}

// formed is any, but for the form of an empty set. One that the block has made becomes what is made under the key, though one with
// ties stays so where none are asked for, as with engine.Tx.Set. Another must be of that form.
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

// NewBoards is an oracle with boards.
func NewBoards() machine.Reference {
	o := New().(*oracle)
	o.now.boards = boardoracle.NewWorlds()
	return o
}
