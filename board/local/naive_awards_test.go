package local

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/board/window"
)

// naiveAwards is the oracle of the awards of a board with one column, the operator Best and distinct times. It keeps every result, and ranks all members of
// a period again for every question.
type naiveAwards struct {
	spec    board.Spec
	periods []*naiveSettled // in the order in which they began
	coins   map[string]int
	failing map[string]bool // members whose Grant fails
	deliver map[string]bool // windows with a Delivery
}

// naiveSettled is a period with its members and, once it has ended, its awards.
type naiveSettled struct {
	board.Period
	window   board.Window
	best     map[string]naiveBest
	plan     awards.Plan
	table    []awards.Tier // of all plans so far
	revision int           // 0: it has not been settled
	without  []string
	closedAt time.Time
	awards   map[string]*naiveAward
	gone     bool // the awards were dropped
}

// naiveBest is the score of a member, and its number among all results.
type naiveBest struct {
	score int64
	n     int
}

type naiveAward struct {
	place, rank, revision int
	due, granted          []awards.Tier
	withheld, failed      bool
	failures              int
	next                  time.Time
}

func newNaiveAwards(spec board.Spec) *naiveAwards {
	return &naiveAwards{spec: spec, coins: map[string]int{}, failing: map[string]bool{}, deliver: map[string]bool{}}
}

// submit adds a result, the n-th of all.
func (n *naiveAwards) submit(member string, score int64, at time.Time, number int) {
	for _, w := range n.spec.Windows {
		if w.Kind == window.All {
			continue
		}
		cal, err := w.Calendar()
		if err != nil {
			panic(err)
		}
		period, err := cal.At(at)
		if err != nil {
			panic(err)
		}
		i := slices.IndexFunc(n.periods, func(p *naiveSettled) bool { return p.window.Label() == w.Label() && p.Name == period.Name })
		if i < 0 {
			i = len(n.periods)
			n.periods = append(n.periods, &naiveSettled{Period: period, window: w, best: map[string]naiveBest{}, awards: map[string]*naiveAward{}})
		}
		if was, ok := n.periods[i].best[member]; !ok || score > was.score {
			n.periods[i].best[member] = naiveBest{score, number}
		}
	}
}

// ranked returns the members of a period in order: all of them, whatever Spec.Top says.
func (p *naiveSettled) ranked() (list []string) {
	for member := range p.best {
		list = append(list, member)
	}
	slices.SortFunc(list, func(a, b string) int {
		return cmp.Or(cmp.Compare(p.best[b].score, p.best[a].score), cmp.Compare(p.best[a].n, p.best[b].n))
	})
	return list
}

// rankOf returns the rank of a member among some.
func (p *naiveSettled) rankOf(member string, list []string, mode board.Mode) int {
	better, equal, different := 0, 0, map[int64]bool{}
	for _, other := range list {
		switch score := p.best[other].score; {
		case score > p.best[member].score:
			better++
			different[score] = true
		case score == p.best[member].score:
			equal++
		}
	}
	return []int{slices.Index(list, member) + 1, better + 1, better + equal, len(different) + 1}[mode]
}

// settle makes the next revision of the awards.
func (p *naiveSettled) settle(plan awards.Plan, without []string) {
	p.revision++
	p.plan, p.without = plan, without
	for _, t := range plan.Tiers {
		if !p.has(p.table, t) {
			p.table = append(p.table, t)
		}
	}
	all := p.ranked()
	field := slices.DeleteFunc(slices.Clone(all), func(m string) bool { return slices.Contains(without, m) })
	for place, member := range all {
		next := &naiveAward{place: place, revision: p.revision}
		if slices.Contains(field, member) {
			next.rank = p.rankOf(member, field, plan.Mode)
			among := next.rank // by which percent counts members
			if plan.Mode == board.Dense {
				among = p.rankOf(member, field, board.Competition)
			}
			next.due = p.tiers(member, next.rank, among, len(field))
		}
		if was := p.awards[member]; was != nil {
			next.granted, next.withheld, next.failed, next.failures, next.next = was.granted, was.withheld, was.failed, was.failures, was.next
			if slices.EqualFunc(was.due, next.due, sameTier) {
				next.revision = was.revision
			}
			if next.failed && p.toGrant(next) == nil {
				next.failed, next.failures, next.next = false, 0, time.Time{}
			}
		}
		if p.awards[member] = next; next.due == nil && next.granted == nil && !next.withheld {
			delete(p.awards, member)
		}
	}
}

func sameTier(a, b awards.Tier) bool { return a.Name == b.Name && a.Payload == b.Payload }

func (p *naiveSettled) has(list []awards.Tier, t awards.Tier) bool {
	return slices.ContainsFunc(list, func(other awards.Tier) bool { return sameTier(other, t) })
}

// tiers returns what a member of some gets, in the order of the table.
func (p *naiveSettled) tiers(member string, rank, among, members int) (list []awards.Tier) {
	for _, t := range p.plan.Tiers {
		in := t.Everyone
		switch {
		case t.Score != nil:
			in = p.best[member].score >= whole(t.Score.At(0).Units())
		case t.Percent > 0:
			in = among <= int(t.Percent)*members/100
		case t.From > 0:
			in = t.From <= rank && rank <= max(t.From, t.To)
		}
		if in {
			list = append(list, t)
			if !p.plan.Stack {
				break
			}
		}
	}
	return p.inOrder(list)
}

// inOrder returns tiers in the order of the table, as they stand there.
func (p *naiveSettled) inOrder(list []awards.Tier) (sorted []awards.Tier) {
	for _, t := range p.table {
		if p.has(list, t) {
			sorted = append(sorted, t)
		}
	}
	return sorted
}

// minus returns the tiers of a that are not in b.
func (p *naiveSettled) minus(a, b []awards.Tier) (list []awards.Tier) {
	for _, t := range a {
		if !p.has(b, t) {
			list = append(list, t)
		}
	}
	return list
}

// position returns where a tier stands in the plan, -1 if it does not.
func (p *naiveSettled) position(t awards.Tier) int {
	return slices.IndexFunc(p.plan.Tiers, func(other awards.Tier) bool { return other.Name == t.Name })
}

func (p *naiveSettled) tooMuch(a *naiveAward) (list []awards.Tier) {
	list = p.minus(a.granted, a.due)
	if p.plan.Stack || a.due == nil {
		return list
	}
	worse := func(t awards.Tier) bool { return p.position(t) >= p.position(a.due[0]) }
	if list = slices.DeleteFunc(list, worse); len(list) == 0 {
		return nil
	}
	return list
}

func (p *naiveSettled) toGrant(a *naiveAward) []awards.Tier {
	if !p.plan.Stack && p.tooMuch(a) != nil {
		return nil
	}
	return p.minus(a.due, a.granted)
}

func (p *naiveSettled) waits(a *naiveAward) bool { return !a.withheld && p.toGrant(a) != nil }

// waiting returns the number of awards that wait.
func (p *naiveSettled) waiting() (n int) {
	for _, a := range p.awards {
		if p.waits(a) {
			n++
		}
	}
	return n
}

// expired reports whether claims are over.
func (p *naiveSettled) expired(now time.Time) bool {
	return p.plan.Claim && p.plan.Expires > 0 && !now.Before(p.closedAt.Add(time.Duration(p.plan.Expires)))
}

// settleDue is Boards.SettleDue.
func (n *naiveAwards) settleDue(now time.Time) {
	for _, p := range n.periods {
		if p.gone || p.End.After(now) {
			continue
		}
		plan := n.planOf(p.window.Label())
		if p.revision == 0 && plan != nil {
			p.closedAt = now
			p.settle(*plan, nil)
		}
		if p.revision == 0 || p.plan.Claim || !n.deliver[p.window.Label()] {
			continue
		}
		for member, a := range p.awards {
			if p.waits(a) && (!a.failed || !a.next.After(now)) {
				n.grant(p, member, a, now)
			}
		}
	}
}

func (n *naiveAwards) planOf(window string) *awards.Plan {
	i := slices.IndexFunc(n.spec.Awards, func(p awards.Plan) bool { return p.Window == window })
	if i < 0 {
		return nil
	}
	return &n.spec.Awards[i]
}

// grant is a call of Grant, which may fail.
func (n *naiveAwards) grant(p *naiveSettled, member string, a *naiveAward, now time.Time) {
	if n.failing[member] {
		a.failed = true
		a.failures++
		a.next = now.Add(min(time.Hour, time.Second<<min(a.failures-1, 20)))
		return
	}
	n.pay(p, member, a)
	a.failed, a.failures, a.next = false, 0, time.Time{}
}

// pay grants what is due.
func (n *naiveAwards) pay(p *naiveSettled, member string, a *naiveAward) {
	for _, t := range p.toGrant(a) {
		coins, _ := strconv.Atoi(t.Payload)
		n.coins[member] += coins
	}
	a.granted = p.inOrder(append(slices.Clone(a.granted), a.due...))
}

// text writes the awards of a period, by place.
func (p *naiveSettled) text(now time.Time) string {
	var list []string
	for member := range p.awards {
		list = append(list, member)
	}
	slices.SortFunc(list, func(a, b string) int { return cmp.Compare(p.awards[a].place, p.awards[b].place) })
	var out strings.Builder
	for _, member := range list {
		a := p.awards[member]
		state, tiers, had := awards.Granted, a.granted, []awards.Tier(nil)
		if give := p.toGrant(a); give != nil {
			if state, tiers, had = awards.Waiting, give, a.granted; a.failed {
				state = awards.Failed
			} else if p.expired(now) {
				state = awards.Expired
			}
		}
		if a.withheld {
			state = awards.Withheld
		}
		fmt.Fprintf(&out, "%s r%d %d %s %v had %s too much %s failed %d next %d\n", member, a.revision, a.rank, tierNames(tiers), state, tierNames(had),
			tierNames(p.tooMuch(a)), a.failures, max(0, a.next.UnixMicro()))
	}
	return out.String()
}

// awardText writes an award as naiveSettled.text does.
func awardText(a awards.Award) string {
	return fmt.Sprintf("%s r%d %d %s %v had %s too much %s failed %d next %d\n", a.Member, a.Revision, a.Rank, tierNames(a.Tiers), a.State, tierNames(a.Had),
		tierNames(a.TooMuch), a.Failures, max(0, a.Next.UnixMicro()))
}

func tierNames(tiers []awards.Tier) (text string) {
	for _, t := range tiers {
		text += "+" + t.Name + "=" + t.Payload
	}
	return cmp.Or(text, "-")
}
