package state

import "slices"

// AddPromoting adds a closed period whose cohorts are not settled. It does nothing if the period has been added.
func (t *Timeline) AddPromoting(p *Promoting) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.isPromoting(p.Period) {
		return
	}
	i, _ := slices.BinarySearchFunc(t.promoting, p, func(a, b *Promoting) int {
		if a.End < b.End {
			return -1
		}
		return 1
	})
	t.promoting = slices.Insert(slices.Clone(t.promoting), i, p)
}

// RemovePromoting removes a period whose cohorts are settled.
func (t *Timeline) RemovePromoting(p *Promoting) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.promoting = slices.DeleteFunc(slices.Clone(t.promoting), func(other *Promoting) bool { return other == p })
}

// Promoting returns the closed periods whose cohorts are not settled, in order of time. O(1).
func (t *Timeline) Promoting() []*Promoting {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.promoting
}

// PromotingOf returns the period of a name if its cohorts are not settled, else nil.
func (t *Timeline) PromotingOf(period string) *Promoting {
	for _, p := range t.Promoting() {
		if p.Period == period {
			return p
		}
	}
	return nil
}

// isPromoting reports whether the cohorts of a closed period are not settled. The caller holds mu.
func (t *Timeline) isPromoting(period string) bool {
	return slices.ContainsFunc(t.promoting, func(p *Promoting) bool { return p.Period == period })
}

// IsNext reports whether all periods before an open one are closed. With a grace, a commit has
// closed the last of them even if nobody was in it: it takes no late results then, whatever the
// clock does. O(1).
func (t *Timeline) IsNext(slot *Slot) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return (slot.before == nil || t.IsClosed(slot.before)) && (len(t.open) == 0 || t.open[0].middle >= slot.middle)
}

// IsReady reports whether the cohorts of all periods before an open one are settled, and nobody is
// in its queue, as SetReady has noted. O(1).
func (t *Timeline) IsReady(slot *Slot) bool { return t.ready.Load() == slot.middle }

// SetReady notes that the cohorts of all periods before an open one are settled, and that nobody is
// in its queue.
func (t *Timeline) SetReady(slot *Slot) { t.ready.Store(slot.middle) }
