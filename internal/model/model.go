package model

import (
	"maps"
	"strings"

	"github.com/google/btree"
)

// EntryOf is one member with what orders it: score first, then tie, then member, both as bytes.
type EntryOf[S float64 | int64] struct {
	Score  S
	Tie    string
	Member string
}

// Entry and Set have Redis's scores.
type (
	Entry = EntryOf[float64]
	Set   = SetOf[float64]
)

// Less is the order of a sorted set.
func Less[S float64 | int64](a, b EntryOf[S]) bool {
	if a.Score != b.Score {
		return a.Score < b.Score
	}
	if c := strings.Compare(a.Tie, b.Tie); c != 0 {
		return c < 0
	}
	return a.Member < b.Member
}

// SetOf is a sorted set. Make one with New or Of.
type SetOf[S float64 | int64] struct {
	order   *btree.BTreeG[EntryOf[S]]
	entries map[string]EntryOf[S]
}

// New returns an empty set with float64 scores.
func New() *Set { return Of[float64]() }

// Of returns an empty set with scores of either kind.
func Of[S float64 | int64]() *SetOf[S] {
	return &SetOf[S]{order: btree.NewG(8, Less[S]), entries: map[string]EntryOf[S]{}}
}

// Clone returns a copy: changes to either are not seen in the other. O(n).
func (s *SetOf[S]) Clone() *SetOf[S] {
	return &SetOf[S]{order: s.order.Clone(), entries: maps.Clone(s.entries)}
}

// Len returns the number of members.
func (s *SetOf[S]) Len() int { return len(s.entries) }

// Put adds e, or moves its member to e's score and tie. It reports whether the member is new.
func (s *SetOf[S]) Put(e EntryOf[S]) (added bool) {
	old, had := s.entries[e.Member]
	if had {
		s.order.Delete(old)
	}
	s.entries[e.Member] = e
	s.order.ReplaceOrInsert(e)
	return !had
}

// Remove deletes a member and reports whether it was there.
func (s *SetOf[S]) Remove(member string) bool {
	old, had := s.entries[member]
	if had {
		s.order.Delete(old)
		delete(s.entries, member)
	}
	return had
}

// Get returns a member's entry.
func (s *SetOf[S]) Get(member string) (EntryOf[S], bool) {
	e, ok := s.entries[member]
	return e, ok
}

// Rank returns how many entries stand before the member's.
func (s *SetOf[S]) Rank(member string) (int, bool) {
	e, ok := s.entries[member]
	if !ok {
		return 0, false
	}
	rank := 0
	s.order.AscendLessThan(e, func(EntryOf[S]) bool { rank++; return true })
	return rank, true
}

// All returns every entry in order.
func (s *SetOf[S]) All() []EntryOf[S] {
	all := make([]EntryOf[S], 0, len(s.entries))
	s.order.Ascend(func(e EntryOf[S]) bool { all = append(all, e); return true })
	return all
}

// Range returns the entries with ranks in [lo, hi). Ranks that do not exist are left out.
func (s *SetOf[S]) Range(lo, hi int) []EntryOf[S] {
	lo, hi = max(lo, 0), min(hi, len(s.entries))
	if lo >= hi {
		return nil
	}
	return s.All()[lo:hi]
}

// CountBefore returns how many entries satisfy before, which must hold for a prefix of the order.
func (s *SetOf[S]) CountBefore(before func(EntryOf[S]) bool) int {
	n := 0
	s.order.Ascend(func(e EntryOf[S]) bool {
		if !before(e) {
			return false
		}
		n++
		return true
	})
	return n
}
