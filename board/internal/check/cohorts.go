package check

import (
	"hash/maphash"
	"maps"
	"slices"

	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/leagues"
	"github.com/zrankdb/zrank/zset"
)

// noteCohorts checks the cohorts of a period, and collects the members of open periods of leagues.
// The entries are nil if they are not known. O(members).
func (a *audit) noteCohorts(s *set, entries *zset.IntView) {
	l := s.st.Spec.Leagues
	closed := s.t.IsClosed(s.slot)
	if l == nil || s.t.Window.Name != l.Window || !s.k.IsCohort() && (closed || !s.k.HasEntries()) {
		return
	}
	c := a.cohorts[s.path]
	if c == nil {
		c = &inCohorts{set: s}
		a.cohorts[s.path] = c
	}
	if entries == nil {
		c.unknown = true
		return
	}
	into := &c.members
	if s.k.IsCohort() {
		c.set, into = s, &c.placed
		_, promoting := a.values[boardkey.CohortsPrefix()][s.path]
		_, recorded := a.values[boardkey.RecordPrefix()][s.path]
		c.problem = leagues.Check(entries, l, closed, closed && !promoting && recorded)
	}
	if closed {
		return
	}
	for member := range entries.Range(0, entries.Len()) {
		*into = append(*into, maphash.Bytes(a.seed, member))
	}
}

// cohortProblems reports what is wrong with cohorts, and members that are in none.
func (a *audit) cohortProblems() {
	for _, path := range slices.Sorted(maps.Keys(a.cohorts)) {
		c := a.cohorts[path]
		if c.unknown || c.set.Doubtful {
			continue
		}
		if c.problem != "" {
			a.fault(path, "%s", c.problem)
		}
		slices.Sort(c.placed)
		n := 0
		for _, member := range c.members {
			if _, in := slices.BinarySearch(c.placed, member); !in {
				n++
			}
		}
		if n > 0 {
			a.fault(path, "%d members are in no cohort", n)
		}
	}
}
