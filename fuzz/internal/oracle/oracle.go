package oracle

import (
	"maps"
	"slices"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/fuzz/internal/apply"
	"github.com/zrankdb/zrank/fuzz/internal/boardoracle"
	"github.com/zrankdb/zrank/fuzz/internal/boardspecs"
	"github.com/zrankdb/zrank/fuzz/internal/machine"
	"github.com/zrankdb/zrank/fuzz/internal/script"
)

// oracle is the oracle: sets of internal/model in a Go map.
type oracle struct {
	now   *world
	steps []*world  // after the commits in the middle of the last block, if it made several
	time  time.Time // F7
	ints  bool      // it has sets with int64 scores: F8
	gone  bool      // empty sets vanish at once: F9
}

// New returns an oracle for engines: sets with float64 and with int64 scores.
func New() machine.Reference {
	return &oracle{now: &world{sets: map[string]*oracleSet{}, values: Values{}}, time: script.Begin, ints: true}
}

// NewFloat returns an oracle for layers with float64 scores only.
func NewFloat() machine.Reference {
	o := New().(*oracle)
	o.ints = false
	return o
}

// NewResp returns an oracle for servers of the Redis protocol: F9.
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

// Run runs a block on a copy of the world, which becomes the present world unless the block is rolled back.
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
	return &oracleTx{Values: w.values, w: w, reads: reads, copied: map[string]bool{}, time: o.time, ints: o.ints,
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

// NewBoards returns an oracle for engines with boards.
func NewBoards() machine.Reference {
	return NewBoardsOf(func(name string) board.Spec { return boardspecs.Of(name, 0) })
}

// NewBoardsOf returns an oracle with boards whose specs a function has.
func NewBoardsOf(of func(name string) board.Spec) machine.Reference {
	o := New().(*oracle)
	o.now.boards = boardoracle.NewWorlds(of)
	return o
}
