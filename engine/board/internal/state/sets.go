package state

// A period may have several sets: those that hold its ranking, and sets beside them. Every caller that closes, deletes, measures, checks or evicts
// a period asks here for their keys.

// RankingKeys returns the keys of the sets that hold the ranking of a period: each member is in one of them. O(sets).
func (t *Timeline) RankingKeys(period string) []string { return []string{t.Key(period)} }

// SetKeys returns the keys of all sets of a period: those of RankingKeys, and then those beside the ranking. O(sets).
func (t *Timeline) SetKeys(period string) []string {
	keys := t.RankingKeys(period)
	if t.Roll != nil {
		keys = append(keys, t.Roll.Timers, t.Roll.Results)
	}
	return keys
}

// Keys returns the keys of the sets that submissions may be about to make.
func (t *Timeline) Keys() []string {
	keys := []string{t.BestKey}
	for _, slot := range t.OpenSlots() {
		keys = append(keys, t.SetKeys(slot.Name)...)
	}
	return keys
}
