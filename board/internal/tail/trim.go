package tail

import (
	"context"
	"slices"

	"github.com/zrankdb/zrank/board/internal/buckets"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/zset"
)

// trim moves the last members of the head to the tail if it has more than most, until it has half of the reserve, in one step. It reports whether it
// has moved some.
func (s *steps) trim(ctx context.Context, most int) (moved bool, err error) {
	target := s.t.Top.N + reserve(s.t, s.slot)/2
	numbers, err := s.lastBuckets(ctx, most, target)
	if len(numbers) == 0 || err != nil {
		return false, err
	}
	if err := s.demote(ctx, numbers, target); err != nil {
		return false, err
	}
	for _, number := range numbers {
		if err := s.splitFull(ctx, number); err != nil {
			return true, err
		}
	}
	return true, nil
}

// lastBuckets returns the buckets of the members of the head behind the first target, or of the last of them, if the head has more than most.
func (s *steps) lastBuckets(ctx context.Context, most, target int) (numbers []uint32, err error) {
	err = s.b.Engine().View(ctx, func(tx *engine.Tx) error {
		head, err := tx.IntSet(s.slot.Key, s.st.Form)
		if err != nil || head.Len() <= most {
			return err
		}
		for e := range head.Entries(max(target, head.Len()-stepSize), head.Len()) {
			number, _ := s.slot.Tail.Find(buckets.Hash(e.Member))
			numbers = append(numbers, number)
		}
		return nil
	}, s.slot.Key)
	slices.Sort(numbers)
	return slices.Compact(numbers), err
}

// demote moves the last members of the head to these buckets, in one step, until it has target members or the last one has another bucket.
func (s *steps) demote(ctx context.Context, numbers []uint32, target int) error {
	return s.run(ctx, numbers, true, func(tx *engine.Tx) error {
		head, err := tx.IntSet(s.slot.Key, s.st.Form)
		if err != nil {
			return err
		}
		for moved := 0; moved < stepSize && head.Len() > target; moved++ {
			last := lastOf(head)
			number, _ := s.slot.Tail.Find(buckets.Hash(last.Member))
			if _, named := slices.BinarySearch(numbers, number); !named {
				return nil
			}
			bucket, err := s.bucket(tx, number)
			if err != nil {
				return err
			}
			if err := s.toTail(last, number, head, bucket); err != nil {
				return err
			}
		}
		return nil
	})
}

// lastOf returns the last entry of a set that has some.
func lastOf(s *engine.IntSet) (last zset.IntEntry) {
	for last = range s.Entries(s.Len()-1, s.Len()) {
	}
	return last
}

// splitFull splits a bucket that has too many members, and the new ones as well. O(members).
func (s *steps) splitFull(ctx context.Context, number uint32) error {
	for todo := []uint32{number}; len(todo) > 0; {
		number, todo = todo[len(todo)-1], todo[:len(todo)-1]
		child, bit, ok := s.slot.Tail.Child(number)
		if !ok {
			continue
		}
		split, err := s.split(ctx, number, child, bit)
		if err != nil {
			return err
		}
		if split {
			todo = append(todo, number, child)
		}
	}
	return nil
}

// split moves the members of a bucket whose hashes have a bit to a new bucket, if it has too many, and reports whether it had.
func (s *steps) split(ctx context.Context, number, child uint32, bit uint64) (split bool, err error) {
	key := s.t.BucketKey(s.slot.Name, number)
	var size int
	err = s.b.Engine().View(ctx, func(tx *engine.Tx) error {
		set, err := s.bucket(tx, number)
		if err == nil {
			size = set.Len()
		}
		return err
	}, key)
	if err != nil || size <= buckets.Full() {
		return false, err
	}
	err = s.run(ctx, []uint32{number, child}, false, func(tx *engine.Tx) error {
		s.slot.Tail.BeginSplit(number)
		from, err := s.bucket(tx, number)
		if err != nil {
			return err
		}
		to, err := s.bucket(tx, child)
		if err != nil {
			return err
		}
		for _, e := range from.Append(nil, 0, from.Len()) {
			if buckets.Hash(e.Member)&bit == 0 {
				continue
			}
			if _, err := move(e, from, to); err != nil {
				return err
			}
		}
		return nil
	})
	split = err == nil
	if err != nil { // the commit may have been made all the same: see engine.ErrStalled
		n, unknown := s.b.Engine().Exists(ctx, s.t.BucketKey(s.slot.Name, child))
		split = unknown == nil && n > 0
	}
	s.slot.Tail.EndSplit(number, split)
	return split, err
}
