package check

import (
	"fmt"
	"hash/maphash"
	"maps"
	"slices"

	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/leagues"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/zset"
)

// noteCohorts checks the cohorts of a period, and collects the members of open periods of leagues. The entries are nil if they are not known. O(members).
func (a *audit) noteCohorts(key string, entries *zset.IntView) {
	k, ok := boardkey.Parse(key)
	st := a.boards[k.Board]
	if !ok || st == nil || st.Spec.Leagues == nil || k.WindowOf() != st.Spec.Leagues.Window || !k.IsCohort() && (!k.HasEntries() || k.Version != st.Version) {
		return
	}
	rest := boardkey.Join([]string{k.Board, k.WindowOf()}) + k.Period
	closed := a.isClosed(st, k)
	if !k.IsCohort() && closed {
		return
	}
	c := a.cohorts[rest]
	if c == nil {
		c = &inCohorts{key: key}
		a.cohorts[rest] = c
	}
	if entries == nil {
		c.unknown = true
		return
	}
	into := &c.members
	if k.IsCohort() {
		c.key, into = key, &c.placed
		c.problem = leagues.Check(entries, st.Spec.Leagues, closed, closed && !a.promoting[rest] && a.records[rest] != nil)
	}
	if closed {
		return
	}
	for member := range entries.Range(0, entries.Len()) {
		*into = append(*into, maphash.Bytes(a.seed, member))
	}
}

// noteTiers checks the tiers of members. The entries are nil if they are not known. O(members).
func (a *audit) noteTiers(key string, entries *zset.IntView) {
	if k, ok := boardkey.Parse(key); ok && k.IsTiers() && entries != nil {
		a.tiers[fmt.Sprintf("board %q, window %q, tiers", k.Board, k.WindowOf())] = leagues.CheckTiers(entries)
	}
}

// tierProblems reports what is wrong with tiers.
func (a *audit) tierProblems() {
	for _, at := range slices.Sorted(maps.Keys(a.tiers)) {
		if problem := a.tiers[at]; problem != "" {
			a.problem(at, "%s", problem)
		}
	}
}

// isClosed reports whether the period of a key is closed.
func (a *audit) isClosed(st *state.State, k boardkey.Key) bool {
	t, slot := st.SlotOf(k)
	if slot == nil {
		return true
	}
	through, err := state.DecodeThrough(a.windows[boardkey.Join([]string{k.Board})+t.Window.Name])
	if err == nil {
		t.SetClosedThrough(through)
	}
	return t.IsClosed(slot)
}

// cohortProblems reports what is wrong with cohorts, and members that are in none.
func (a *audit) cohortProblems() {
	for _, rest := range slices.Sorted(maps.Keys(a.cohorts)) {
		c := a.cohorts[rest]
		k, _ := boardkey.Parse(c.key)
		if c.unknown || a.sets[c.key].Doubtful || a.isBeingDeleted(k.Board, k.WindowOf(), k.Period) {
			continue
		}
		at := Where(k.Board, k.WindowOf(), k.Period)
		if c.problem != "" {
			a.problem(at, "%s", c.problem)
		}
		slices.Sort(c.placed)
		n := 0
		for _, member := range c.members {
			if _, in := slices.BinarySearch(c.placed, member); !in {
				n++
			}
		}
		if n > 0 {
			a.problem(at, "%d members are in no cohort", n)
		}
	}
}
