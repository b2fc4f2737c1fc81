package tail

import (
	"errors"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board/internal/buckets"
	"github.com/zrankdb/zrank/engine/board/internal/errs"
	"github.com/zrankdb/zrank/engine/board/internal/state"
	"github.com/zrankdb/zrank/engine/board/rules"
	"github.com/zrankdb/zrank/zset"
)

// Has reports whether the rankings of a window have a tail.
func Has(t *state.Timeline) bool { return t.Top != nil }

// Bucket is the bucket of a member as a transaction names it.
type Bucket struct {
	number uint32
	hash   uint64 // of the member
	Key    string
}

// BucketOf returns the bucket that has a member, or would have it, in the tail of a period. O(1).
func BucketOf(t *state.Timeline, slot *state.Slot, member []byte) Bucket {
	hash := buckets.Hash(member)
	number, _ := slot.Tail.Find(hash)
	return Bucket{number, hash, t.BucketKey(slot.Name, number)}
}

// IsOf reports whether the member is in the bucket, which is locked, if it is in the tail of a period.
func (b *Bucket) IsOf(slot *state.Slot) bool {
	number, ok := slot.Tail.Find(b.hash)
	return ok && number == b.number
}

// Sets is the head and the bucket of one member in a transaction.
type Sets struct {
	t      *state.Timeline
	slot   *state.Slot
	member []byte
	number uint32 // of the bucket
	head   *engine.IntSet
	bucket *engine.IntSet
	tie    [rules.MaxTie]byte // backs the tie of Put
}

// Open returns the sets of a member, whose bucket the transaction has named. head is the set of the ranking. Errors: ErrMoved if the member has
// another bucket by now, those of the engine.
func Open(tx *engine.Tx, st *state.State, t *state.Timeline, slot *state.Slot, head *engine.IntSet, b Bucket, member []byte) (s Sets, err error) {
	s.t, s.slot, s.head, s.member = t, slot, head, member
	var ok bool
	if s.number, ok = slot.Tail.Find(b.hash); !ok || s.number != b.number {
		return s, errs.ErrMoved
	}
	s.bucket, err = tx.IntSet(b.Key, st.Form)
	return s, err
}

// OpenAny is Open of the bucket that the member has now. Error: ErrMoved if the transaction has not named it.
func OpenAny(tx *engine.Tx, st *state.State, t *state.Timeline, slot *state.Slot, head *engine.IntSet, member []byte) (Sets, error) {
	s, err := Open(tx, st, t, slot, head, BucketOf(t, slot, member), member)
	if errors.Is(err, engine.ErrNotNamed) {
		err = errs.ErrMoved
	}
	return s, err
}

// Get returns the member's entry, and false if it has none. The tie is valid until a set changes. O(1).
func (s *Sets) Get() (score int64, tie []byte, ok bool) {
	if score, tie, ok = s.head.Get(s.member); ok {
		return score, tie, true
	}
	return s.bucket.Get(s.member)
}

// Rank returns the member's rank in the ranking, from 0: n if it is beyond the best n. The member has an entry. O(log n).
func (s *Sets) Rank() int {
	if rank, ok := s.head.Rank(s.member); ok {
		return min(rank, s.t.Top.N)
	}
	return s.t.Top.N
}

// Len returns the number of members that are ranked: at most n. O(1).
func (s *Sets) Len() int { return min(s.head.Len(), s.t.Top.N) }

// first returns the first entry of a set, which is valid until the set changes, and false if it has none. O(log n).
func first(s *engine.IntSet) (zset.IntEntry, bool) {
	for e := range s.Entries(0, 1) {
		return e, true
	}
	return zset.IntEntry{}, false
}
