package leagues

import (
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// OpenKeys returns the keys of the cohorts of open periods, and of closed ones that are not settled.
func OpenKeys(st *state.State) (keys []string) {
	for _, t := range st.Timelines {
		if !t.HasCohorts {
			continue
		}
		for _, p := range t.Promoting() {
			keys = append(keys, t.CohortKey(p.Period))
		}
		for _, slot := range t.OpenSlots() {
			keys = append(keys, slot.CohortKey)
		}
	}
	return keys
}

// TierKeys returns the keys of the tiers of members, of all windows: tiers stay when a board has no leagues any more.
func TierKeys(st *state.State) (keys []string) {
	for _, t := range st.Timelines {
		keys = append(keys, t.TierKey)
	}
	return keys
}

// ClosedKeys returns the keys of the cohorts of closed periods, in order of time.
func ClosedKeys(st *state.State) (keys []string) {
	for _, t := range st.Timelines {
		if !t.HasCohorts {
			continue
		}
		seen := map[string]bool{}
		for _, p := range t.Promoting() {
			seen[p.Period] = true
			keys = append(keys, t.CohortKey(p.Period))
		}
		for _, r := range t.ClosedRecords() {
			if !seen[r.Period] {
				keys = append(keys, t.CohortKey(r.Period))
			}
		}
	}
	return keys
}

// Erase removes a member from sets of cohorts or tiers, by their keys, and reports from how many. O(keys log members).
func Erase(tx *engine.Tx, keys []string, member []byte) (erased int, err error) {
	for _, key := range keys {
		set, err := open(tx, key)
		if err != nil {
			return erased, err
		}
		had, err := set.Remove(member)
		if err != nil {
			return erased, err
		}
		if had {
			erased++
		}
	}
	return erased, nil
}

// Move gives the places of a member in cohorts to another one: all if that is a new name of the member, and with merge those in periods in which the other one
// has none. O(keys log members).
func Move(tx *engine.Tx, keys []string, from, to []byte, merge bool) error {
	for _, key := range keys {
		set, err := open(tx, key)
		if err != nil {
			return err
		}
		score, in := set.Score(from)
		if !in {
			continue
		}
		if _, err := set.Remove(from); err != nil {
			return err
		}
		if _, has := set.Score(to); has && merge {
			continue
		}
		if _, err := set.Add(to, score); err != nil {
			return err
		}
	}
	return nil
}

// MoveTiers gives the tiers of a member to another one; with merge that has the higher one of the two. keys are TierKeys.
func MoveTiers(tx *engine.Tx, keys []string, from, to []byte, merge bool) error {
	for _, key := range keys {
		tiers, err := open(tx, key)
		if err != nil {
			return err
		}
		tier, _ := tiers.Score(from)
		if other, _ := tiers.Score(to); merge {
			tier = max(tier, other)
		}
		if err := putTier(tiers, from, 0); err != nil {
			return err
		}
		if err := putTier(tiers, to, int(tier)); err != nil {
			return err
		}
	}
	return nil
}
