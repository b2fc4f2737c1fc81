package transfer

import (
	"context"
	"fmt"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/leagues"
	"github.com/zrankdb/zrank/board/internal/relocation"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/zset"
)

// eachScore calls fn with the members of a set and their scores, in order.
func eachScore(ctx context.Context, own engine.Owner, key string, fn func(member string, score int64) error) error {
	z, err := catalog.CopySets(ctx, own, []string{key}, engine.Form{})
	if err != nil {
		return err
	}
	for e := range z.Entries(0, z.Len()) {
		if err := fn(string(e.Member), e.Score); err != nil {
			return err
		}
	}
	return nil
}

// eachCohort calls fn with the members of the cohorts of a period.
func eachCohort(ctx context.Context, own engine.Owner, t *state.Timeline, period string, fn func(relocation.Cohort) error) error {
	if !t.HasCohorts {
		return nil
	}
	return eachScore(ctx, own, t.CohortKey(period), func(member string, score int64) error {
		x := leagues.StoredOf(score)
		return fn(relocation.Cohort{Member: member, Tier: x.Tier, Band: x.Band, Number: x.Number, Outcome: uint8(x.Outcome)})
	})
}

// put adds a member with a score to the set of a key among sets.
func put[K comparable](sets map[K]*zset.IntSet, key K, member string, score int64) (err error) {
	if sets[key] == nil {
		if sets[key], err = newSet(engine.Form{}); err != nil {
			return err
		}
	}
	_, err = sets[key].Add([]byte(member), score)
	return err
}

// putCohort adds a member to the cohorts of a period. Error: one for a place that there cannot be.
func putCohort(sets map[relocation.Ranking]*zset.IntSet, r relocation.Ranking, c relocation.Cohort) error {
	score, ok := leagues.Stored{Tier: c.Tier, Band: c.Band, Number: c.Number, Outcome: board.Zone(c.Outcome)}.Score()
	if !ok {
		return fmt.Errorf("%q is in a cohort that there cannot be", c.Member)
	}
	return put(sets, r, c.Member, score)
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
