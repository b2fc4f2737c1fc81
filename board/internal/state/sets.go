package state

import "github.com/zrankdb/zrank/board/internal/boardkey"

// A period may have several sets: those that hold its ranking, and sets beside them. Every caller that closes, deletes, measures, checks or evicts
// a period asks here for their keys.

// RankingKeys returns the keys of the sets that hold the ranking of a period: each member is in one of them. O(sets).
func (t *Timeline) RankingKeys(period string) []string {
	if p := t.PartsOf(period); p != nil {
		return p.Now().Keys
	}
	keys := []string{t.Key(period)}
	if t.Top != nil {
		for _, number := range t.TailOf(period).Numbers() {
			keys = append(keys, t.BucketKey(period, number))
		}
	}
	return keys
}

// Read calls read with the keys of the sets that hold the ranking of a period: see Parts.Read.
func (t *Timeline) Read(period string, read func(keys []string) error) error {
	if p := t.PartsOf(period); p != nil {
		return p.Read(read)
	}
	return read(t.RankingKeys(period))
}

// BesideCount returns the number of sets beside the ranking of a period. O(1).
func (t *Timeline) BesideCount() int {
	n := 1
	if t.Roll != nil {
		n = 3
	}
	if t.HasCohorts {
		n++
	}
	return n
}

// HiddenKey returns the key of the set with the entries of the hidden members of a period. O(1).
func (t *Timeline) HiddenKey(period string) string {
	return boardkey.Key{Board: t.Board, Kind: boardkey.HiddenKind + t.Window.Name, Period: period, Version: t.Version}.String()
}

// DropKeys returns keys that name all sets of a period for a deletion: those of SetKeys, but of the buckets of a tail only one. O(sets).
func (t *Timeline) DropKeys(period string) []string {
	if t.Top != nil {
		return t.appendBeside([]string{t.Key(period), t.BucketKey(period, 0)}, period)
	}
	return t.SetKeys(period)
}

// SetKeys returns the keys of all sets of a period: those of RankingKeys, and then those beside the ranking. O(sets).
func (t *Timeline) SetKeys(period string) []string {
	return t.appendBeside(t.RankingKeys(period), period)
}

// appendBeside appends the keys of the sets beside the ranking of a period: BesideCount of them.
func (t *Timeline) appendBeside(keys []string, period string) []string {
	if t.Roll != nil {
		keys = append(keys, t.Roll.Timers, t.Roll.Results)
	}
	if keys = append(keys, t.HiddenKey(period)); t.HasCohorts {
		keys = append(keys, t.CohortKey(period))
	}
	return keys
}

// Keys returns the keys of the sets that submissions may be about to make.
func (t *Timeline) Keys() []string {
	keys := []string{t.BestKey, t.TierKey}
	for _, slot := range t.OpenSlots() {
		keys = append(keys, t.SetKeys(slot.Name)...)
	}
	return keys
}
