package model

import (
	"strings"

	"github.com/google/btree"
)

// Entry is one member with what orders it: score first, then tie, then member, both as bytes.
type Entry struct {
	Score  float64
	Tie    string
	Member string
}

// Less is the order of a sorted set.
func Less(a, b Entry) bool {
	if a.Score != b.Score {
		return a.Score < b.Score
	}
	if c := strings.Compare(a.Tie, b.Tie); c != 0 {
		return c < 0
	}
	return a.Member < b.Member
}

// Set is a sorted set. Make one with New.
type Set struct {
	order   *btree.BTreeG[Entry]
	entries map[string]Entry
}

// New returns an empty set.
func New() *Set {
	return &Set{order: btree.NewG(8, Less), entries: map[string]Entry{}}
}

// Len returns the number of members.
func (s *Set) Len() int { return len(s.entries) }

// Put adds e, or moves its member to e's score and tie. It reports whether the member is new.
func (s *Set) Put(e Entry) (added bool) {
	old, had := s.entries[e.Member]
	if had {
		s.order.Delete(old)
	}
	s.entries[e.Member] = e
	s.order.ReplaceOrInsert(e)
	return !had
}

// Remove deletes a member and reports whether it was there.
func (s *Set) Remove(member string) bool {
	old, had := s.entries[member]
	if had {
		s.order.Delete(old)
		delete(s.entries, member)
	}
	return had
}

// Get returns a member's entry.
func (s *Set) Get(member string) (Entry, bool) {
	e, ok := s.entries[member]
	return e, ok
}

// Rank returns how many entries stand before the member's.
func (s *Set) Rank(member string) (int, bool) {
	e, ok := s.entries[member]
	if !ok {
		return 0, false
	}
	rank := 0
	s.order.AscendLessThan(e, func(Entry) bool { rank++; return true })
	return rank, true
}

// All returns every entry in order.
func (s *Set) All() []Entry {
	all := make([]Entry, 0, len(s.entries))
	s.order.Ascend(func(e Entry) bool { all = append(all, e); return true })
	return all
}

// Range returns the entries with ranks in [lo, hi), clamped to what is there.
func (s *Set) Range(lo, hi int) []Entry {
	lo, hi = max(lo, 0), min(hi, len(s.entries))
	if lo >= hi {
		return nil
	}
	return s.All()[lo:hi]
}

// CountBefore returns how many entries satisfy before, which must hold for a prefix of the order.
func (s *Set) CountBefore(before func(Entry) bool) int {
	n := 0
	s.order.Ascend(func(e Entry) bool {
		if !before(e) {
			return false
		}
		n++
		return true
	})
	return n
}
