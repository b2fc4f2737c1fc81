package tail

import "github.com/zrankdb/zrank/board/internal/buckets"

// Places counts members before an entry.

// note notes that the member's entry has changed.
func (s *Sets) note() {
	s.changed = true
	s.slot.Tail.Pend(s.changes())
}

// changes returns the number of entries that have come to the bucket or left it.
func (s *Sets) changes() (n int) {
	if s.was.in == inTail {
		n++
	}
	if s.is.in == inTail {
		n++
	}
	return n
}

// Ended implements owner.Ender: if the transaction has committed, the tail counts the change.
func (s *Sets) Ended(committed bool) {
	if !s.changed {
		return
	}
	s.slot.Tail.Pend(-s.changes())
	if !committed {
		return
	}
	var list [2]buckets.Change
	changes := list[:0]
	if s.was.in == inTail {
		changes = append(changes, buckets.Change{Key: s.was.Key, Bucket: s.number, Leaves: true})
	}
	if s.is.in == inTail {
		changes = append(changes, buckets.Change{Key: s.is.Key, Bucket: s.number})
	}
	s.slot.Tail.Commit(changes, s.is.size)
}

// HasPlaces reports whether members beyond the best n have ranks, within bounds.
func (s *Sets) HasPlaces() bool { return s.slot.Tail.HasPlaces() }

// Was returns how many members came before the entry that the member had when the sets were opened, and false if that is not known. O(log n).
func (s *Sets) Was() (b buckets.Bounds, ok bool) { return s.ahead(&s.was) }

// Is is Was for the entry that the member has now.
func (s *Sets) Is() (b buckets.Bounds, ok bool) {
	if !s.changed {
		return s.ahead(&s.was)
	}
	return s.ahead(&s.is)
}

// ahead returns how many members come before an entry of the member. The tail does not know yet what the transaction has done: that widens the bounds.
func (s *Sets) ahead(e *entry) (b buckets.Bounds, ok bool) {
	if e.in == inHead {
		return buckets.Bounds{Least: e.rank, Most: e.rank}, true
	}
	var without *buckets.Key
	if s.was.in == inTail {
		without = &s.was.Key
	}
	b, _, ok = s.slot.Tail.Before(&e.Key, without)
	return buckets.Bounds{Least: e.size + max(b.Least-s.pending, 0), Most: e.size + b.Most + s.pending}, ok
}
