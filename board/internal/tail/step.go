package tail

import (
	"bytes"
	"context"

	"github.com/zrankdb/zrank/board/internal/buckets"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/zset"
)

// stepSize is the number of entries that a step moves at most.
const stepSize = 64

// steps makes the steps of one period. Nobody else makes any meanwhile.
type steps struct {
	b    *catalog.Board
	st   *state.State
	t    *state.Timeline
	slot *state.Slot

	closed bool // the steps are those of a closed period that is moderated

	changes []buckets.Change // of the tail, by the step that runs
	size    int              // of the head after them
}

// begin returns the steps of a period. release lets others make some. The caller is in no transaction, and holds no lock of the board.
func begin(b *catalog.Board, st *state.State, t *state.Timeline, slot *state.Slot) (s *steps, release func()) {
	thaw := b.HoldState()
	slot.Tail.Steps.Lock()
	return &steps{b: b, st: st, t: t, slot: slot}, func() {
		slot.Tail.Steps.Unlock()
		thaw()
	}
}

// run runs a step, which changes the head and these buckets. Errors: ErrAgain if the period accepts no results any more or the board has another
// state, those of the engine.
func (s *steps) run(ctx context.Context, numbers []uint32, head bool, fn func(tx *engine.Tx) error) error {
	keys := make([]string, 0, len(numbers)+1)
	for _, number := range numbers {
		keys = append(keys, s.t.BucketKey(s.slot.Name, number))
	}
	if head {
		keys = append(keys, s.slot.Key)
	}
	return s.b.Owner().UpdateLater(ctx, keys, func(tx *engine.Tx) error {
		if err := s.b.CheckWritable(s.st); err != nil {
			return err
		}
		if !s.closed && !s.t.Accepts(s.slot, tx.Now()) {
			return state.ErrAgain
		}
		if s.changes = s.changes[:0]; head && s.slot.Tail.HasPlaces() {
			s.b.Owner().NoteEnd(tx, s)
		}
		return fn(tx)
	})
}

// Ended implements owner.Ender: if the step has committed, the tail counts what it has moved.
func (s *steps) Ended(committed bool) {
	if committed && len(s.changes) > 0 {
		s.slot.Tail.Commit(s.changes, s.size)
	}
}

// toHead moves an entry from a bucket to the head.
func (s *steps) toHead(e zset.IntEntry, bucket uint32, from, head *engine.IntSet) error {
	k, err := move(e, from, head)
	s.changes, s.size = append(s.changes, buckets.Change{Key: k, Bucket: bucket, Leaves: true}), head.Len()
	return err
}

// toTail moves an entry from the head to a bucket.
func (s *steps) toTail(e zset.IntEntry, bucket uint32, head, to *engine.IntSet) error {
	s.slot.Tail.Raise(bucket, &buckets.Key{Score: e.Score, Tie: e.Tie, Member: e.Member})
	k, err := move(e, head, to)
	s.changes, s.size = append(s.changes, buckets.Change{Key: k, Bucket: bucket}), head.Len()
	return err
}

// move moves an entry from one set to another, and returns it.
func move(e zset.IntEntry, from, to *engine.IntSet) (k buckets.Key, err error) {
	k = buckets.Key{Score: e.Score, Tie: bytes.Clone(e.Tie), Member: bytes.Clone(e.Member)}
	if _, err := from.Remove(k.Member); err != nil {
		return k, err
	}
	_, err = to.Put(k.Member, k.Tie, k.Score)
	return k, err
}

// bucket returns a bucket in the transaction of a step.
func (s *steps) bucket(tx *engine.Tx, number uint32) (*engine.IntSet, error) {
	return tx.IntSet(s.t.BucketKey(s.slot.Name, number), s.st.Form)
}
