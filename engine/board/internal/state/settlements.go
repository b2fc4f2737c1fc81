package state

import (
	"cmp"
	"slices"
)

// AddSettlement notes a settlement.
func (t *Timeline) AddSettlement(s *Settlement) {
	t.mu.Lock()
	defer t.mu.Unlock()
	i, found := slices.BinarySearchFunc(t.settlements, s, bySettlementEnd)
	if found {
		return
	}
	t.settlements = slices.Insert(slices.Clone(t.settlements), i, s)
}

func bySettlementEnd(a, b *Settlement) int {
	return cmp.Or(a.Now().End.Compare(b.Now().End), cmp.Compare(a.Period, b.Period))
}

// Settlements returns the settlements of the window in the order of the periods, in a slice that callers only read. O(1).
func (t *Timeline) Settlements() []*Settlement {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.settlements
}

// SettlementOf returns the settlement of a period, nil if there is none. O(settlements).
func (t *Timeline) SettlementOf(period string) *Settlement {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.settlementOf(period)
}

// settlementOf is SettlementOf for a caller that holds mu.
func (t *Timeline) settlementOf(period string) *Settlement {
	i := slices.IndexFunc(t.settlements, func(s *Settlement) bool { return s.Period == period })
	if i < 0 {
		return nil
	}
	return t.settlements[i]
}

// RemoveSettlement forgets a settlement that was dropped.
func (t *Timeline) RemoveSettlement(s *Settlement) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.settlements = slices.DeleteFunc(slices.Clone(t.settlements), func(other *Settlement) bool { return other == s })
}
