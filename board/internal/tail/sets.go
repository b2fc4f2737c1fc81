package tail

import (
	"github.com/zrankdb/zrank/board/internal/buckets"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/zset"
)

// Has reports whether the rankings of a window have a tail.
func Has(t *state.Timeline) bool { return t.Top != nil }

// reserve returns how many members a head may have beyond n: the reserve of the spec, and at least twice what transactions have needed.
func reserve(t *state.Timeline, slot *state.Slot) int { return max(t.Top.Reserve, 2*slot.Tail.Room()) }

// Bucket is the bucket of a member.
type Bucket struct {
	number uint32
	hash   uint64 // of the member
	Key    string
}

// BucketOf returns the bucket that has a member, or would have it, in the tail of a period. O(1).
func BucketOf(slot *state.Slot, member []byte) Bucket {
	hash := buckets.Hash(member)
	number, key := slot.Tail.FindKey(hash)
	return Bucket{number, hash, key}
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
	number uint32 // of the bucket
	head   *engine.IntSet
	bucket *engine.IntSet

	was     entry // the member's entry when the transaction opened the sets
	is      entry // its entry once Put or Remove has changed it
	changed bool
	pending int // changes of entries of the tail that the transaction had made before
}

// where says in which set a member is.
type where uint8

const (
	nowhere where = iota
	inHead
	inTail
)

// entry is an entry of a member, or none.
type entry struct {
	in   where
	rank int // in the head, from 0
	size int // of the head, with the entry
	buckets.Key
	tie [rules.MaxTie]byte // backs Tie
}

// set sets score and tie. O(1).
func (e *entry) set(score int64, tie []byte) {
	e.Key = buckets.Key{Score: score, Tie: append(e.tie[:0], tie...), Member: e.Member}
}

// top returns the rank of an entry, from 0: n if it is beyond the best n, and -1 for none.
func (e *entry) top(n int) int {
	switch e.in {
	case nowhere:
		return -1
	case inHead:
		return min(e.rank, n)
	}
	return n
}

// Open opens the sets of a member, and finds the member. head is the set of the ranking. O(log n). Errors: those of In.
func (s *Sets) Open(tx *engine.Tx, st *state.State, t *state.Timeline, slot *state.Slot, head *engine.IntSet, member []byte) (err error) {
	b := BucketOf(slot, member)
	s.t, s.slot, s.head, s.number, s.changed = t, slot, head, b.number, false
	if s.bucket, err = b.open(tx, st, slot); err != nil {
		return err
	}
	s.was.Member, s.is.Member, s.pending = member, member, slot.Tail.Pending()
	s.was.find(s.head, s.bucket)
	return nil
}

// find finds the entry of the member.
func (e *entry) find(head, bucket *engine.IntSet) {
	e.in, e.size = nowhere, head.Len()
	rank, score, tie, ok := head.RankGet(e.Member)
	if ok {
		e.in, e.rank = inHead, rank
	} else if score, tie, ok = bucket.Get(e.Member); ok {
		e.in = inTail
	}
	e.set(score, tie)
}

// In returns the bucket of a member in a transaction. Errors: ErrMoved if the bucket is being split, or was while the transaction waited for its lock;
// those of the engine.
func In(tx *engine.Tx, st *state.State, slot *state.Slot, member []byte) (*engine.IntSet, error) {
	b := BucketOf(slot, member)
	return b.open(tx, st, slot)
}

// open is In of the bucket.
func (b *Bucket) open(tx *engine.Tx, st *state.State, slot *state.Slot) (*engine.IntSet, error) {
	set, err := tx.IntSet(b.Key, st.Form)
	if err == nil && !b.IsOf(slot) {
		err = state.ErrMoved
	}
	return set, err
}

// Get returns the member's entry as it was when the sets were opened, and false if it had none. The tie is valid as long as s. O(1).
func (s *Sets) Get() (score int64, tie []byte, ok bool) {
	return s.was.Score, s.was.Tie, s.was.in != nowhere
}

// Rank returns the rank that the member had in the ranking when the sets were opened, from 0: n if it was beyond the best n, and -1 if it had no entry.
func (s *Sets) Rank() int { return s.was.top(s.t.Top.N) }

// Len returns the number of members that are ranked: at most n. O(1).
func (s *Sets) Len() int { return min(s.head.Len(), s.t.Top.N) }

// first returns the first entry of a set, which is valid until the set changes, and false if it has none. O(log n).
func first(s *engine.IntSet) (zset.IntEntry, bool) {
	for e := range s.Entries(0, 1) {
		return e, true
	}
	return zset.IntEntry{}, false
}
