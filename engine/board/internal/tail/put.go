package tail

import (
	"bytes"
	"cmp"
	"errors"

	"github.com/zrankdb/zrank/engine/board/internal/buckets"
	"github.com/zrankdb/zrank/zset"
)

// ErrShort is returned by Put and Remove when the head would have fewer than n members while the tail has some. Nothing has changed. The caller
// ends its transaction, calls Refill, and begins again.
var ErrShort = errors.New("board: the reserve of the best members is used up")

// Put gives the member an entry, and returns its rank before and after, from 0: n if it was or is beyond the best n, and -1 before if it had no entry.
// O(log n). Errors: ErrShort, those of the engine.
func (s *Sets) Put(tie []byte, score int64) (before, after int, err error) {
	tie = append(s.tie[:0], tie...) // so that the caller's is not on the heap
	e := zset.IntEntry{Member: s.member, Tie: tie, Score: score}
	if rank, ok := s.head.Rank(s.member); ok {
		return s.putHead(e, rank)
	}
	before = -1
	_, inTail := s.bucket.Score(s.member)
	if inTail {
		before = s.t.Top.N
	}
	if !s.belongsToHead(e) {
		return before, s.t.Top.N, s.putTail(e)
	}
	if inTail {
		if _, err := s.bucket.Remove(s.member); err != nil {
			return 0, 0, err
		}
	}
	moved, err := s.head.Put(s.member, tie, score)
	return before, min(moved.After, s.t.Top.N), err
}

// putHead gives a member of the head another entry, and moves it to the tail if it might stand behind a member of the tail.
func (s *Sets) putHead(e zset.IntEntry, rank int) (before, after int, err error) {
	before = min(rank, s.t.Top.N)
	if !s.leavesHead(e, rank) {
		moved, err := s.head.Put(e.Member, e.Tie, e.Score)
		return before, min(moved.After, s.t.Top.N), err
	}
	if s.head.Len() <= s.t.Top.N {
		return 0, 0, ErrShort
	}
	if _, err := s.head.Remove(e.Member); err != nil {
		return 0, 0, err
	}
	return before, s.t.Top.N, s.putTail(e)
}

// leavesHead reports whether an entry of a member of the head, which has a rank, would stand behind all others there, and perhaps behind one of the
// tail. O(log n).
func (s *Sets) leavesHead(e zset.IntEntry, rank int) bool {
	best, ok := s.slot.Tail.Best()
	if !ok {
		return false
	}
	last := s.head.Len() - 1
	if rank == last {
		last--
	}
	for other := range s.head.Entries(max(last, 0), last+1) {
		if compare(e, other) < 0 {
			return false
		}
	}
	return compareTo(e, best) >= 0
}

// belongsToHead reports whether an entry of a member that is not in the head belongs there. O(log n).
func (s *Sets) belongsToHead(e zset.IntEntry) bool {
	size := s.head.Len()
	if size < s.t.Top.N { // TL3: the tail has no members
		return true
	}
	for last := range s.head.Entries(size-1, size) {
		if compare(e, last) < 0 {
			return true
		}
	}
	if size >= s.t.Top.N+s.t.Top.Reserve {
		return false
	}
	_, more := s.slot.Tail.Best()
	return !more
}

// putTail gives the member an entry in its bucket.
func (s *Sets) putTail(e zset.IntEntry) error {
	s.slot.Tail.Raise(s.number, buckets.NewEntry(e.Score, e.Tie, e.Member))
	_, err := s.bucket.Put(e.Member, e.Tie, e.Score)
	return err
}

// Remove removes the member's entry, if it has one. O(log n). Errors: ErrShort, those of the engine.
func (s *Sets) Remove() error {
	if _, ok := s.head.Score(s.member); !ok {
		_, err := s.bucket.Remove(s.member)
		return err
	}
	if _, more := s.slot.Tail.Best(); more && s.head.Len() <= s.t.Top.N {
		return ErrShort
	}
	_, err := s.head.Remove(s.member)
	return err
}

// IsStepDue reports whether the head has too many members, or the bucket. O(1).
func (s *Sets) IsStepDue() bool {
	return s.head.Len() > s.t.Top.N+s.t.Top.Reserve || s.bucket.Len() > buckets.Full()
}

// compare orders two entries as their sets do.
func compare(a, b zset.IntEntry) int {
	return cmp.Or(cmp.Compare(a.Score, b.Score), bytes.Compare(a.Tie, b.Tie), bytes.Compare(a.Member, b.Member))
}

// compareTo is compare with an entry of package buckets.
func compareTo(a zset.IntEntry, b buckets.Entry) int {
	if c := cmp.Compare(a.Score, b.Score); c != 0 {
		return c
	}
	return buckets.NewEntry(a.Score, a.Tie, a.Member).Compare(b)
}
