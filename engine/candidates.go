package engine

import (
	"cmp"
	"slices"
)

// candidate is a set and when it was last touched.
type candidate struct {
	s    *set
	used uint32
}

// candidates returns the sets in memory, those first that have not been touched for longest.
func (a *accounts) candidates() []candidate {
	a.mu.Lock()
	all := make([]candidate, 0, len(a.resident))
	for s := range a.resident {
		all = append(all, candidate{s, s.used.Load()})
	}
	a.mu.Unlock()
	slices.SortFunc(all, func(x, y candidate) int { return cmp.Compare(x.used, y.used) })
	return all
}
