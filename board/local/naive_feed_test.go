package local

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/feed"
)

// slotName names the ranking of an open period.
type slotName struct{ window, period string }

// standing is a ranking as a naive observer sees it: everybody's row, in order. Rows of members beyond the best n come last.
type standing []board.Row

// rank returns the rank of a member, from 1, that of a board with Top for those beyond the best n; 0 if it is not ranked.
func (l standing) rank(member string) int {
	i := slices.IndexFunc(l, func(row board.Row) bool { return row.Member == member })
	switch {
	case i < 0:
		return 0
	case l[i].Beyond:
		return 1 + slices.IndexFunc(l, func(row board.Row) bool { return row.Beyond })
	}
	return i + 1
}

// row returns the row of a member.
func (l standing) row(member string) (board.Row, bool) {
	i := slices.IndexFunc(l, func(row board.Row) bool { return row.Member == member })
	if i < 0 {
		return board.Row{}, false
	}
	return l[i], true
}

// first returns the members of the first n places.
func (l standing) first(n int) (members []string) {
	for _, row := range l[:min(n, len(l))] {
		if !row.Beyond {
			members = append(members, row.Member)
		}
	}
	return members
}

// without returns the ranking without a member.
func (l standing) without(member string) standing {
	return slices.DeleteFunc(slices.Clone(l), func(row board.Row) bool { return row.Member == member })
}

// renamed returns the ranking with another name of a member.
func (l standing) renamed(member, to string) standing {
	l = slices.Clone(l)
	for i := range l {
		if l[i].Member == member {
			l[i].Member = to
		}
	}
	return l
}

// observer expects the events of a board from what its rankings are before and after each call. It knows nothing of how they are found.
type observer struct {
	s       *feedScript
	b       board.Board
	watches map[string]bool
}

// see returns the rankings of all open periods.
func (o *observer) see() map[slotName]standing {
	t, all := o.s.t, map[slotName]standing{}
	st := coreOf(o.b).State()
	for _, line := range st.Timelines {
		for _, slot := range line.OpenSlots() {
			r, err := o.b.Period(t.Context(), line.Window.Name, slot.Name)
			if err != nil {
				require.ErrorIs(t, err, board.ErrNoPeriod)
				all[slotName{line.Window.Name, slot.Name}] = nil
				continue
			}
			rows, err := r.Top(t.Context(), 100)
			require.NoError(t, err)
			for _, member := range o.s.everybody() {
				row, ok, err := r.Rank(t.Context(), member)
				require.NoError(t, err)
				if ok && row.Beyond {
					rows = append(rows, row)
				}
			}
			all[slotName{line.Window.Name, slot.Name}] = rows
		}
	}
	return all
}

// top returns the number of first places.
func (o *observer) top() int {
	spec := o.b.Spec()
	n := max(spec.Feed.Top, 0)
	if spec.Top != nil {
		n = min(n, spec.Top.N)
	}
	return n
}

func (k slotName) event(kind feed.Kind, member string) feed.Event {
	return feed.Event{Kind: kind, Window: k.window, Period: k.period, Member: member}
}

// moved returns the events of others, if the call has changed one member's entry. shown is how they name the member.
func (o *observer) moved(k slotName, before, after standing, member, shown string) (all []feed.Event) {
	top := o.top()
	was, is := before.first(top), after.first(top)
	name := func(m string) string {
		if m == member {
			return shown
		}
		return m
	}
	if len(is) > 0 && (len(was) == 0 || was[0] != is[0]) {
		e := k.event(feed.NewLeader, is[0])
		if e.Rank, e.Before = 1, before.rank(is[0]); len(was) > 0 {
			e.Other = name(was[0])
		}
		all = append(all, e)
	}
	entered := false
	for _, m := range is {
		if !slices.Contains(was, m) {
			e := k.event(feed.EnteredTop, m)
			e.Rank, e.Before = after.rank(m), before.rank(m)
			all, entered = append(all, e), entered || m == member
		}
	}
	all = append(all, o.overtaken(k, before, after, member)...)
	for _, m := range was {
		if !slices.Contains(is, m) && name(m) != "" {
			e := k.event(feed.LeftTop, m)
			if e.Rank, e.Before = after.rank(m), before.rank(m); entered {
				e.By = member
			}
			all = append(all, e)
		}
	}
	return all
}

// overtaken returns whom a member has overtaken, best first.
func (o *observer) overtaken(k slotName, before, after standing, member string) (all []feed.Event) {
	place := func(l standing, m string) int {
		return slices.IndexFunc(l, func(row board.Row) bool { return row.Member == m })
	}
	at, was := place(after, member), place(before, member)
	if at < 0 || after[at].Beyond {
		return nil
	}
	for i, row := range before {
		m := row.Member
		if row.Beyond || m == member || was >= 0 && was < i || place(after, m) < at {
			continue
		}
		if before.rank(m) <= o.top() || o.watches[m] {
			e := k.event(feed.Overtaken, m)
			e.By, e.Rank, e.Before, e.Score = member, after.rank(m), before.rank(m), row.Score
			all = append(all, e)
		}
	}
	return all
}

// submitted returns the events of a submission of a member.
func (o *observer) submitted(before, after map[slotName]standing, member string) (all []feed.Event) {
	for k, l := range after {
		is, ok := l.row(member)
		was, had := before[k].row(member)
		if !ok || had && was.Score == is.Score && was.Reached.Equal(is.Reached) && was.Rank == is.Rank {
			continue
		}
		if len(l) == 1 && len(before[k]) == 0 {
			all = append(all, k.event(feed.PeriodOpened, ""))
		}
		e := k.event(feed.Submitted, member)
		e.Rank, e.Before, e.Score, e.Was = l.rank(member), before[k].rank(member), is.Score, was.Score
		all = append(all, e)
		if e.Kind = feed.PersonalRecord; had && coreOf(o.b).State().Rules.Compare(is.Score, was.Score) < 0 {
			all = append(all, e)
		}
		all = append(all, o.moved(k, before[k], l, member, member)...)
	}
	return all
}

// changed returns the events of others of a call that has removed a member, or changed or brought back its entries.
func (o *observer) changed(before, after map[slotName]standing, member, shown string, removed bool) (all []feed.Event) {
	for k, l := range after {
		if row, had := before[k].row(member); had && removed {
			e := k.event(feed.Removed, member)
			e.Before, e.Was = before[k].rank(member), row.Score
			all = append(all, e)
		}
		if _, is := l.row(member); is && len(l) == 1 && len(before[k]) == 0 {
			all = append(all, k.event(feed.PeriodOpened, ""))
		}
		all = append(all, o.moved(k, before[k], l, member, shown)...)
	}
	return all
}

// merged returns the events of others of a merge.
func (o *observer) merged(before, after map[slotName]standing, from, into string) (all []feed.Event) {
	for k, l := range after {
		if before[k].rank(from) == 0 {
			continue
		}
		between := before[k].without(from)
		if o.b.Spec().Top != nil { // the best of those beyond has come after the others
			between = between.bestOf(o.b.Spec().Top.N)
		}
		if between.rank(into) > 0 {
			all = append(all, o.overtaken(k, between, l, into)...)
		}
		was, is := before[k].first(o.top()), l.first(o.top())
		if len(is) > 0 && (len(was) == 0 || was[0] != is[0]) {
			e := k.event(feed.NewLeader, is[0])
			e.Rank, e.Before = 1, slices.Index(was, is[0])+1
			if len(was) > 0 {
				e.Other = was[0]
			}
			all = append(all, e)
		}
		for i, m := range is {
			if !slices.Contains(was, m) {
				e := k.event(feed.EnteredTop, m)
				e.Rank = i + 1
				all = append(all, e)
			}
		}
		for i, m := range was {
			if !slices.Contains(is, m) {
				e := k.event(feed.LeftTop, m)
				e.Before = i + 1
				all = append(all, e)
			}
		}
	}
	return all
}

// bestOf returns the ranking in which the first n are among the best, as the scores say.
func (l standing) bestOf(n int) standing {
	l = slices.Clone(l)
	for i := range l {
		l[i].Beyond = i >= n
	}
	return l
}

// byWindow sorts events by window and period, and leaves those of each in order: which window comes first is not promised.
func byWindow(all []feed.Event) []string {
	slices.SortStableFunc(all, func(a, b feed.Event) int {
		return cmp.Or(cmp.Compare(a.Window, b.Window), cmp.Compare(a.Period, b.Period))
	})
	texts := make([]string, len(all))
	for i, e := range all {
		texts[i] = fmt.Sprintf("%v %s %s %q by %q other %q rank %d before %d score %v was %v count %d award %s audit %d", e.Kind, e.Window, e.Period, e.Member, e.By, e.Other,
			e.Rank, e.Before, e.Score, e.Was, e.Count, e.Award, e.Audit)
	}
	return texts
}
