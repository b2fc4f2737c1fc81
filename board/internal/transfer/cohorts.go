package transfer

import (
	"fmt"
	"math"
	"slices"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/leagues"
	"github.com/zrankdb/zrank/board/internal/relocation"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/zset"
)

// outcomes are the names of what has become of a member of a cohort, by number; "": it is not
// settled.
var outcomes = []string{"", "stay", "up", "down"}

// put adds a member with a score to the set of a key among sets.
func put[K comparable](sets map[K]*zset.IntSet, key K, member relocation.Name, score int64) (err error) {
	if sets[key] == nil {
		if sets[key], err = newSet(engine.Form{}); err != nil {
			return err
		}
	}
	_, err = sets[key].Add([]byte(member), score)
	return err
}

// addCohort adds a member of a cohort. Error: one for a place that there cannot be.
func (m *made) addCohort(l *relocation.Line) error {
	outcome := slices.Index(outcomes, l.Outcome)
	if outcome < 0 || !isMember(*l.Cohort) || l.Tier < 0 || l.Tier > math.MaxInt32 {
		const problem = "%.64q is in a cohort with a tier or an outcome that there cannot be, or is no member"
		return fmt.Errorf(problem, *l.Cohort)
	}
	x := leagues.Stored{Tier: int(l.Tier), Band: l.Band, Number: l.Number, Outcome: board.Zone(outcome)}
	score, ok := x.Score()
	if !ok {
		return fmt.Errorf("%q is in a cohort that there cannot be", *l.Cohort)
	}
	return put(m.cohorts, m.ranking, *l.Cohort, score)
}

// checkCohorts returns an error for cohorts that are not those of a period. f is the entries of the period, nil: there are none.
func checkCohorts(st *state.State, r relocation.Ranking, closed bool, z *zset.IntSet, f *filled) error {
	t, err := st.Timeline(r.Window)
	if err != nil {
		return err
	}
	if !t.HasCohorts {
		return fmt.Errorf("%w: there are cohorts in window %s of %q", board.ErrNoLeagues, r.Window, st.Name)
	}
	if problem := leagues.Check(z.View(), st.Spec.Leagues, closed, closed); problem != "" {
		return fmt.Errorf("%s of window %s: %s", r.Period, r.Window, problem)
	}
	if closed || f == nil {
		return nil
	}
	for _, entries := range []*zset.IntSet{f.set, f.hidden} {
		for member := range entries.Range(0, entries.Len()) {
			if _, ok := z.Score(member); !ok {
				return fmt.Errorf("%s of window %s: %q is in no cohort", r.Period, r.Window, member)
			}
		}
	}
	return nil
}
