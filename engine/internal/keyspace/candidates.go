package keyspace

import (
	"cmp"
	"slices"
)

// Candidate is a set and when it was last used.
type Candidate struct {
	S    *Set
	used uint32
}

// Candidates returns the sets in memory, least recently used first.
func (a *Accounts) Candidates() []Candidate {
	a.mu.Lock()
	all := make([]Candidate, 0, len(a.resident))
	for s := range a.resident {
		all = append(all, Candidate{s, s.Used.Load()})
	}
	a.mu.Unlock()
	slices.SortFunc(all, func(x, y Candidate) int { return cmp.Compare(x.used, y.used) })
	return all
}
