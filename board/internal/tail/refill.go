package tail

import (
	"context"

	"github.com/zrankdb/zrank/board/internal/buckets"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/zset"
)

// refillWidth is the number of buckets that a refill locks at a time: those with the best bounds.
const refillWidth = 32

// refill moves the best members of the tail to the head, in one step, until the head has target members. It reports whether it has, or whether the
// tail has none. It sees the members of some buckets, and takes one only if no bound of another bucket comes before it.
func (s *steps) refill(ctx context.Context, target int) (done bool, err error) {
	numbers := s.slot.Tail.Leading(refillWidth)
	err = s.run(ctx, numbers, true, func(tx *engine.Tx) error {
		head, err := tx.IntSet(s.slot.Key, s.st.Form)
		if err != nil {
			return err
		}
		sets, err := s.lower(tx, numbers)
		if err != nil {
			return err
		}
		beside, others := s.slot.Tail.BestBeside(numbers)
		for range stepSize {
			i, best := bestOf(sets)
			if done = head.Len() >= target || i < 0 && !others; done || i < 0 {
				return nil
			}
			if others && compareTo(best, beside) >= 0 {
				return nil
			}
			if err := s.toHead(best, numbers[i], sets[i], head); err != nil {
				return err
			}
		}
		return nil
	})
	return done, err
}

// lower opens buckets and lowers their bounds to their first entries.
func (s *steps) lower(tx *engine.Tx, numbers []uint32) ([]*engine.IntSet, error) {
	sets := make([]*engine.IntSet, len(numbers))
	for i, number := range numbers {
		var err error
		if sets[i], err = s.bucket(tx, number); err != nil {
			return nil, err
		}
		e, ok := first(sets[i])
		var bound buckets.Entry
		if ok {
			bound = buckets.NewEntry(e.Score, e.Tie, e.Member)
		}
		s.slot.Tail.Lower(number, bound, ok)
	}
	return sets, nil
}

// bestOf returns the index of the set whose first entry comes before those of the others, and that entry; -1 if all are empty.
func bestOf(sets []*engine.IntSet) (index int, best zset.IntEntry) {
	index = -1
	for i, set := range sets {
		if e, ok := first(set); ok && (index < 0 || compare(e, best) < 0) {
			index, best = i, e
		}
	}
	return index, best
}
