package keyspace

import (
	"cmp"
	"slices"
)

// candidate is a set and when it was last used.
type candidate struct {
	S    *Set
	used uint32
}

// Candidates returns the sets in memory, least recently used first.
func (a *Accounts) Candidates() []candidate {
	a.mu.Lock()
	all := make([]candidate, 0, len(a.resident))
	for s := range a.resident {
		all = append(all, candidate{s, s.Used.Load()})
	}
	a.mu.Unlock()
	slices.SortFunc(all, func(x, y candidate) int { return cmp.Compare(x.used, y.used) })
	return all
}
