package tail

import (
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board/internal/catalog"
	"github.com/zrankdb/zrank/engine/board/internal/errs"
	"github.com/zrankdb/zrank/engine/board/internal/state"
)

// stepSize is the number of entries that a step moves at most.
const stepSize = 64

// steps makes the steps of one period. Nobody else makes any meanwhile.
type steps struct {
	b    *catalog.Board
	st   *state.State
	t    *state.Timeline
	slot *state.Slot
}

// begin returns the steps of a period. release lets others make some. The caller is in no transaction, and holds no lock of the board.
func begin(b *catalog.Board, st *state.State, t *state.Timeline, slot *state.Slot) (s *steps, release func()) {
	thaw := b.HoldState()
	slot.Tail.Steps.Lock()
	return &steps{b, st, t, slot}, func() {
		slot.Tail.Steps.Unlock()
		thaw()
	}
}

// run runs a step, which changes the head and these buckets. Errors: ErrAgain if the period accepts no results any more or the board has another
// state, those of the engine.
func (s *steps) run(numbers []uint32, head bool, fn func(tx *engine.Tx) error) error {
	keys := make([]string, 0, len(numbers)+1)
	for _, number := range numbers {
		keys = append(keys, s.t.BucketKey(s.slot.Name, number))
	}
	if head {
		keys = append(keys, s.slot.Key)
	}
	return s.b.Owner().UpdateLater(keys, func(tx *engine.Tx) error {
		if err := s.b.CheckWritable(s.st); err != nil {
			return err
		}
		if !s.t.Accepts(s.slot, tx.Now()) {
			return errs.ErrAgain
		}
		return fn(tx)
	})
}

// bucket returns a bucket in the transaction of a step.
func (s *steps) bucket(tx *engine.Tx, number uint32) (*engine.IntSet, error) {
	return tx.IntSet(s.t.BucketKey(s.slot.Name, number), s.st.Form)
}
