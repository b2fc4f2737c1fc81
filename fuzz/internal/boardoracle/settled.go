package boardoracle

import (
	"cmp"
	"context"
	"maps"
	"reflect"
	"slices"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/awards"
)

// settle makes the awards of a period that has been closed, as the plans of the present spec say.
func (b boardAt) settle(win board.Window, p periodWorld) {
	for _, plan := range b.spec.Awards {
		if plan.Window == win.Name && len(b.visible(p.entries)) > 0 {
			b.windows[win.Name].settled[p.Name] = b.revise(settledPeriod{Period: p.Period, plan: plan, closed: b.now}, p.entries)
		}
	}
}

// revise returns the next revision of a settled period. What was granted or withheld stays so.
func (b boardAt) revise(p settledPeriod, entries map[string]entry) settledPeriod {
	old := p.awards
	p.revision++
	p.awards = map[string]award{}
	all, _ := b.ranking(entries, board.Info{}).Places(context.Background(), 1, -1)
	field := map[string]entry{}
	for member, e := range entries {
		if !slices.Contains(p.without, member) {
			field[member] = e
		}
	}
	ranked, _ := b.ranking(field, board.Info{}).By(p.plan.Mode).Places(context.Background(), 1, -1)
	for place, row := range all {
		was, is := old[row.Member], award{place: place, revision: p.revision}
		is.granted, is.withheld = was.granted, was.withheld
		if row, ok := rowOf(ranked, row.Member); ok {
			is.rank, is.due = row.Rank, tiersOf(p.plan, row.Rank, len(ranked))
		}
		if was.revision > 0 && reflect.DeepEqual(was.due, is.due) {
			is.revision = was.revision
		}
		if is.due != nil || is.granted != nil || is.withheld != "" {
			p.awards[row.Member] = is
		}
	}
	for member, was := range old { // those of members that are not ranked any more
		if _, ok := rowOf(all, member); ok || was.granted == nil && was.withheld == "" {
			continue
		}
		is := was
		if is.rank, is.due = 0, nil; was.due != nil {
			is.revision = p.revision
		}
		p.awards[member] = is
	}
	return p
}

// tiersOf returns the tiers of a rank among some members.
func tiersOf(plan awards.Plan, rank, members int) (tiers []awards.Tier) {
	for _, t := range plan.Tiers {
		if isIn(t, rank, members) && (plan.Stack || len(tiers) == 0) {
			tiers = append(tiers, t)
		}
	}
	return tiers
}

// isIn reports whether a tier has a rank among some members.
func isIn(t awards.Tier, rank, members int) bool {
	switch {
	case t.Everyone:
		return true
	case t.Percent > 0:
		return rank <= int(t.Percent*float64(members)/100)
	}
	return t.From <= rank && rank <= max(t.From, t.To)
}

// Resettle settles a period again.
func (b boardAt) Resettle(ctx context.Context, name, period string, r awards.Resettlement) (c awards.Difference, err error) {
	settled := b.windows[name].settled
	was := settled[period]
	is := was
	is.reason, is.without = r.Reason, slices.Compact(slices.Sorted(slices.Values(r.Without)))
	is = b.revise(is, b.windows[name].periods[period].entries)
	if !r.DryRun {
		settled[period] = is
	}
	rows, _ := b.ranking(b.windows[name].periods[period].entries, board.Info{}).Places(ctx, 1, -1)
	for _, row := range rows {
		was.change(&c, is, row.Member)
	}
	for _, member := range was.byPlace() {
		if _, ok := rowOf(rows, member); !ok { // it is not ranked any more
			was.change(&c, is, member)
		}
	}
	slices.SortStableFunc(c.Changes, func(a, b awards.Change) int {
		return cmp.Or(cmp.Compare(min(b.Rank, 1), min(a.Rank, 1)), cmp.Compare(a.Rank, b.Rank)) // 0 comes last
	})
	return c, nil
}

// change adds to a correction what the next revision of a period changes for a member.
func (p settledPeriod) change(c *awards.Difference, next settledPeriod, member string) {
	was, is := p.awards[member], next.awards[member]
	x := awards.Change{Member: member, Was: was.due, Is: is.due, Granted: is.granted, ToGrant: next.toGrant(is), TooMuch: next.tooMuch(is)}
	if reflect.DeepEqual(was.due, is.due) && reflect.DeepEqual(p.toGrant(was), x.ToGrant) && reflect.DeepEqual(p.tooMuch(was), x.TooMuch) {
		return
	}
	if x.Is != nil {
		x.Rank = is.rank
	}
	if minus(is.due, was.due) != nil {
		c.Gained++
	}
	if minus(was.due, is.due) != nil {
		c.Lost++
	}
	if x.TooMuch != nil {
		c.TooMuch++
	}
	c.Changes = append(c.Changes, x)
}

// minus returns the tiers of a that b does not have.
func minus(a, b []awards.Tier) (list []awards.Tier) {
	for _, t := range a {
		if !slices.Contains(b, t) {
			list = append(list, t)
		}
	}
	return list
}

// toGrant returns what a member is to get yet.
func (p settledPeriod) toGrant(a award) []awards.Tier {
	if !p.plan.Stack && p.tooMuch(a) != nil {
		return nil
	}
	return minus(a.due, a.granted)
}

// tooMuch returns what a member was granted and should not have: without Stack not what is worse than what is due.
func (p settledPeriod) tooMuch(a award) (list []awards.Tier) {
	for _, t := range minus(a.granted, a.due) {
		if p.plan.Stack || a.due == nil || slices.Index(p.plan.Tiers, t) < slices.Index(p.plan.Tiers, a.due[0]) {
			list = append(list, t)
		}
	}
	return list
}

// retain settles the periods that have been closed. It drops those that had no entries then, and the oldest beyond those that the board keeps.
func (b boardAt) retain() {
	for _, win := range b.spec.Windows {
		periods := b.windows[win.Name].periods
		var done []periodWorld
		for _, p := range b.periods(win) {
			closed := b.closed(win, p.Period, b.now)
			switch {
			case len(p.entries) == 0 && !p.sealed:
				delete(periods, p.Name)
				continue
			case closed && !p.sealed:
				b.settle(win, p)
				if b.hasLeagues(win.Name) {
					b.seat(win.Name, p.Name)
					b.promote(win.Name, p)
				}
				p.sealed = true
			}
			if len(b.visible(p.entries)) == 0 {
				p.arrivals = 0
			}
			if periods[p.Name] = p; closed {
				done = append(done, p)
			}
		}
		for ; win.Keep > 0 && len(done) > win.Keep; done = done[1:] {
			delete(periods, done[0].Name)
		}
		for _, p := range b.recent(win) {
			if b.hasLeagues(win.Name) && b.isNext(win, p) {
				b.seat(win.Name, p.Name)
			}
		}
		b.dropCohorts(win)
	}
}

// byPlace returns the members with awards by place; those of one place, of which all but one are not ranked any more, by name.
func (p settledPeriod) byPlace() []string {
	return slices.SortedFunc(maps.Keys(p.awards), func(a, b string) int {
		return cmp.Or(cmp.Compare(p.awards[a].place, p.awards[b].place), cmp.Compare(a, b))
	})
}
