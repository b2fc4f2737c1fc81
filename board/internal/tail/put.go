package tail

import (
	"bytes"
	"cmp"
	"errors"

	"github.com/zrankdb/zrank/board/internal/buckets"
	"github.com/zrankdb/zrank/zset"
)

// ErrShort is returned by Put and Remove when the head would have fewer than n members while the tail has some. Nothing has changed. The caller
// ends its transaction, calls Refill, and begins again.
var ErrShort = errors.New("board: the reserve of the best members is used up")

// Put gives the member an entry, once for each Open, and returns its rank before and after, from 0: n if it was or is beyond the best n, and -1 before
// if it had no entry. O(log n). Errors: ErrShort, those of the engine.
func (s *Sets) Put(tie []byte, score int64) (before, after int, err error) {
	s.is.set(score, tie)
	e := zset.IntEntry{Member: s.is.Member, Tie: s.is.Tie, Score: score}
	if before = s.was.top(s.t.Top.N); s.was.in == inHead && s.leavesHead(e, s.was.rank) || s.was.in != inHead && !s.belongsToHead(e) {
		err = s.putTail(e)
	} else {
		err = s.putHead(e)
	}
	if err != nil {
		return 0, 0, err
	}
	s.is.size = s.head.Len()
	s.note()
	return before, s.is.top(s.t.Top.N), nil
}

// putHead gives the member an entry in the head.
func (s *Sets) putHead(e zset.IntEntry) error {
	if s.was.in == inTail {
		if _, err := s.bucket.Remove(e.Member); err != nil {
			return err
		}
	}
	moved, err := s.head.Put(e.Member, e.Tie, e.Score)
	s.is.in, s.is.rank = inHead, moved.After
	return err
}

// putTail gives the member an entry in its bucket.
func (s *Sets) putTail(e zset.IntEntry) error {
	if s.was.in == inHead {
		if s.head.Len() <= s.t.Top.N {
			return ErrShort
		}
		if _, err := s.head.Remove(e.Member); err != nil {
			return err
		}
	}
	s.is.in = inTail
	s.slot.Tail.Raise(s.number, &s.is.Key)
	_, err := s.bucket.Put(e.Member, e.Tie, e.Score)
	return err
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
	if size >= s.t.Top.N+reserve(s.t, s.slot) {
		return false
	}
	_, more := s.slot.Tail.Best()
	return !more
}

// Remove removes the member's entry, if it has one, once for each Open. O(log n). Errors: ErrShort, those of the engine.
func (s *Sets) Remove() (err error) {
	set := s.bucket
	if s.was.in == inHead {
		if _, more := s.slot.Tail.Best(); more && s.head.Len() <= s.t.Top.N {
			return ErrShort
		}
		set = s.head
	}
	if _, err = set.Remove(s.is.Member); err == nil {
		s.is.in, s.is.size = nowhere, s.head.Len()
		s.note()
	}
	return err
}

// IsStepDue reports whether the head has too many members, or the bucket. O(1).
func (s *Sets) IsStepDue() bool {
	return s.head.Len() > s.t.Top.N+reserve(s.t, s.slot) || s.bucket.Len() > buckets.Full()
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
