package local

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/stretchr/testify/require"
)

// naiveWeek is a week of the model.
type naiveWeek struct {
	name       string
	start, end time.Time
	cohorts    []*naiveCohort
	queue      []queued
	scores     map[string]int64 // banned and removed members have none
	at         map[string]int64 // when members have reached their scores, in microseconds after 1970
}

// queued is a member in the queue of the model.
type queued struct {
	member string
	skill  int64
}

// naiveCohort is a cohort of the model.
type naiveCohort struct {
	tier, band int
	members    []string
}

// ranked returns the ranked members of a cohort, best first.
func (w *naiveWeek) ranked(c *naiveCohort) (list []string) {
	for _, m := range c.members {
		if _, ok := w.scores[m]; ok {
			list = append(list, m)
		}
	}
	slices.SortFunc(list, func(a, b string) int {
		return cmp.Or(cmp.Compare(w.scores[b], w.scores[a]), cmp.Compare(w.at[a], w.at[b]))
	})
	return list
}

func (w *naiveWeek) cohortOf(member string) *naiveCohort {
	for _, c := range w.cohorts {
		if slices.Contains(c.members, member) {
			return c
		}
	}
	return nil
}

func (w *naiveWeek) queues(member string) bool {
	return slices.ContainsFunc(w.queue, func(q queued) bool { return q.member == member })
}

// erase removes a member from its cohort or the queue.
func (w *naiveWeek) erase(member string) {
	if c := w.cohortOf(member); c != nil {
		c.members = slices.DeleteFunc(c.members, func(m string) bool { return m == member })
	}
	w.queue = slices.DeleteFunc(w.queue, func(q queued) bool { return q.member == member })
}

// rename gives what a member has to another one.
func (w *naiveWeek) rename(member, to string) {
	if c := w.cohortOf(member); c != nil || w.queues(member) {
		if w.erase(to); c != nil {
			c.members[slices.Index(c.members, member)] = to
		}
	}
	for i := range w.queue {
		if w.queue[i].member == member {
			w.queue[i].member = to
		}
	}
	if score, ok := w.scores[member]; ok {
		w.scores[to], w.at[to] = score, w.at[member]
	}
	delete(w.scores, member)
}

// checkTiers settles what is due, and compares the tiers of all members with the model. No cohorts
// are left of weeks that are not kept.
func (g *leagueGame) checkTiers() {
	ctx := context.Background()
	_, err := g.bs.SettleDue(ctx)
	require.NoError(g.t, err)
	for i := range 30 {
		member := fmt.Sprint("m", i)
		tier, err := g.board("arena").Tier(ctx, member)
		require.NoError(g.t, err)
		require.Equal(g.t, g.leagues.Tiers[g.tiers[member]], tier, member)
	}
	isCohorts := func(key string) bool { return strings.Contains(key, "/.cohort.") }
	require.LessOrEqual(g.t, len(slices.DeleteFunc(g.sets(), func(key string) bool { return !isCohorts(key) })), 2+len(g.weeks))
	if g.mem != nil {
		require.NoError(g.t, problemsError(g.bs.Check(ctx, nil)))
	}
}
