package local

import (
	"cmp"
	"slices"
	"time"
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
