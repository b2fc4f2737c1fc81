package state

import (
	"cmp"
	"slices"
)

// AddSettlement notes a settlement, unless its period has one. O(1) for the latest period, and otherwise O(settlements).
func (t *Timeline) AddSettlement(s *Settlement) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.settlementOf(s.Period) != nil {
		return
	}
	if t.settled == nil {
		t.settled = map[string]*Settlement{}
	}
	t.settled[s.Period] = s
	if n := len(t.settlements); n == 0 || bySettlementEnd(t.settlements[n-1], s) < 0 { // the usual case: nobody reads beyond the end
		t.settlements = append(t.settlements, s)
		return
	}
	i, _ := slices.BinarySearchFunc(t.settlements, s, bySettlementEnd)
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

// SettlementOf returns the settlement of a period, nil if there is none. O(1).
func (t *Timeline) SettlementOf(period string) *Settlement {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.settlementOf(period)
}

// settlementOf is SettlementOf for a caller that holds mu.
func (t *Timeline) settlementOf(period string) *Settlement {
	return t.settled[period]
}

// RemoveSettlement forgets a settlement that was dropped. O(1) for the earliest period, and otherwise O(settlements).
func (t *Timeline) RemoveSettlement(s *Settlement) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.settled, s.Period)
	if len(t.settlements) > 0 && t.settlements[0] == s {
		t.settlements = t.settlements[1:]
		return
	}
	t.settlements = slices.DeleteFunc(slices.Clone(t.settlements), func(other *Settlement) bool { return other == s })
}
