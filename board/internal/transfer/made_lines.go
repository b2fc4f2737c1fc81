package transfer

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/relocation"
	"github.com/zrankdb/zrank/board/internal/settlement"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/board/window"
)

// Add implements relocation.Made.
func (m *made) Add(l *relocation.Line) error {
	switch {
	case l.Window != nil:
		return m.beginWindow(l)
	case l.Best != nil || l.Tiered != nil:
		return m.addToWindow(l)
	case l.Period != nil:
		return m.beginPeriod(l)
	case l.Member != nil || l.Cohort != nil || l.Points != nil || l.Settlement != nil || l.Award != nil:
		return m.addToPeriod(l)
	case l.Standing != nil:
		s := relocation.Standing{Member: string(*l.Standing), Banned: l.Banned, Hidden: l.Hidden}
		m.header.Standings = append(m.header.Standings, s)
	case l.Audit != nil:
		entry := *l.Audit
		entry.Member, entry.To = string(l.AuditMember), string(l.AuditTo)
		m.header.Audit = append(m.header.Audit, relocation.Logged{Entry: entry, List: l.Places})
	case l.Once == nil:
		return fmt.Errorf("a line of groups is among those of the board %q", m.st.Name)
	case l.At == nil:
		return errors.New("a Once key has no time")
	default:
		return m.putOnce(relocation.OnceKey{Key: string(*l.Once), At: int64(*l.At) / 1000})
	}
	return nil
}

func (m *made) beginWindow(l *relocation.Line) (err error) {
	w := relocation.Window{Name: *l.Window, Through: l.Through.Or(math.MinInt64)}
	if slices.ContainsFunc(m.header.Windows, func(other relocation.Window) bool { return other.Name == w.Name }) {
		return fmt.Errorf("the window %q is there twice", w.Name)
	}
	m.header.Windows = append(m.header.Windows, w)
	m.window, m.period = &m.header.Windows[len(m.header.Windows)-1], nil
	m.line, err = m.st.Timeline(w.Name)
	return err
}

// addToWindow adds the best rank or the tier of a member.
func (m *made) addToWindow(l *relocation.Line) error {
	switch {
	case m.window == nil || m.period != nil:
		return errors.New("a best rank or a tier is not behind its window")
	case l.Best == nil && isMember(*l.Tiered):
		return put(m.tiers, m.window.Name, *l.Tiered, l.Tier)
	case l.Best != nil && l.Rank >= 1:
		return put(m.best, m.window.Name, *l.Best, l.Rank)
	}
	return errors.New("a best rank is no rank, or a tier is that of no member")
}

func (m *made) beginPeriod(l *relocation.Line) error {
	if m.window == nil {
		return errors.New("a period is before the first window")
	}
	p := relocation.Period{}
	p.Name, p.Start, p.End = *l.Period, l.Start.Time(), l.End.Time()
	known, err := m.line.Cal.Parse(p.Name)
	if err != nil {
		return err
	}
	if !known.Start.Equal(p.Start) || !known.End.Equal(p.End) {
		const problem = "%w: %s begins at %v and ends at %v"
		return fmt.Errorf(problem, window.ErrPeriodName, p.Name, known.Start.UTC(), known.End.UTC())
	}
	for _, other := range m.window.Periods {
		if other.Name == p.Name {
			return fmt.Errorf("the period %q is there twice", p.Name)
		}
	}
	if l.ClosedAt != nil {
		p.Record = &state.Record{Period: p.Name, Start: p.Start, End: p.End, ClosedAt: l.ClosedAt.Time()}
	}
	m.window.Periods = append(m.window.Periods, p)
	m.period, m.last, m.equals = &m.window.Periods[len(m.window.Periods)-1], rules.Entry{}, 0
	m.ranking = relocation.Ranking{Window: m.window.Name, Period: p.Name}
	return nil
}

// addToPeriod adds what the period has of a member, or awards.
func (m *made) addToPeriod(l *relocation.Line) error {
	if m.period == nil {
		return errors.New("an entry, a member of a cohort, points or awards are before the first period")
	}
	switch closed := m.period.Record != nil; {
	case l.Member != nil:
		return m.addEntry(l)
	case l.Cohort != nil:
		return m.addCohort(l)
	case l.Points != nil && closed:
		return errors.New("the points of a member are not behind an open period")
	case l.Points != nil:
		return m.addPoints(l)
	case !closed:
		return errors.New("a settlement is not behind a closed period")
	case l.Settlement != nil:
		return m.addSettlement(l)
	}
	return m.addAward(l)
}

// addEntry adds an entry. The order of the lines is the order of equals.
func (m *made) addEntry(l *relocation.Line) (err error) {
	of := m.st.Rules
	if !isMember(*l.Member) || l.Score == nil || (l.Reached == nil) != (of.Ties() == rules.ByMember) {
		return errors.New("an entry has no member, no score, or not the times of its board")
	}
	d := rules.Entry{Reached: l.Reached.Or(0)}
	if d.Score, err = of.CheckRanked(*l.Score); err != nil {
		return err
	}
	if l.Reached != nil {
		d.Arrival = m.arrival(d)
	}
	results, err := rolled(of, l.Rolling)
	if err != nil {
		return err
	}
	if len(results) > 0 && !of.Sums() { // the entry is the first of them
		d.Arrival = results[0].Arrival
	}
	e := relocation.Entry{Member: string(*l.Member), Hidden: l.Hidden, Meta: l.Meta, Kept: l.Kept}
	e.Score, e.Tie = of.Encode(nil, d)
	if len(l.Results) > 0 {
		var kept []rules.Result
		for _, r := range l.Results {
			kept = append(kept, rules.Result{Score: r.Score, At: int64(r.At)})
		}
		e.Kept = of.AppendKept(nil, kept)
		if _, ok := of.DecodeKept(e.Kept); !ok {
			return fmt.Errorf("the results of %q are none that its board keeps", e.Member)
		}
	}
	f, err := m.of(m.ranking)
	if err != nil {
		return err
	}
	return f.put(&e, results)
}

// arrival returns the arrival of an entry: equals arrive in the order of the lines, and with
// LastToReach against it.
func (m *made) arrival(d rules.Entry) uint64 {
	if m.equals++; d != m.last {
		m.last, m.equals = d, 0
	}
	if m.st.Rules.Ties() == rules.LastToReach {
		return latest - uint64(m.equals)
	}
	return uint64(m.equals)
}

// addPoints adds the points of a member. Error: one for points that the board cannot have.
func (m *made) addPoints(l *relocation.Line) (err error) {
	member := string(*l.Points)
	if !isMember(*l.Points) {
		return fmt.Errorf("%.64q is no member", member)
	}
	if m.parts == nil {
		const problem = "%w: points of %q on %q, whose points follow the members"
		return fmt.Errorf(problem, board.ErrNotDerived, member, m.st.Name)
	}
	if m.points[m.ranking] == nil {
		m.points[m.ranking] = map[string]*relocation.Line{}
	}
	if m.points[m.ranking][member] != nil || l.Base == nil && len(l.Left) == 0 {
		return fmt.Errorf("the points of %q are there twice, or are none", member)
	}
	m.points[m.ranking][member] = l
	if l.Base != nil {
		l.Base.Score, err = m.parts.CheckRanked(l.Base.Score)
	}
	for i := range l.Left {
		if err == nil {
			l.Left[i].Score, err = m.parts.CheckRanked(l.Left[i].Score)
		}
	}
	return err
}

func (m *made) addSettlement(l *relocation.Line) error {
	s, err := state.DecodeSettling(l.Settlement)
	if err != nil {
		return err
	}
	if m.settlement() != nil {
		return errors.New("the period has two settlements")
	}
	m.settlements = append(m.settlements, &settled{of: m.ranking, line: m.line, state: s})
	return nil
}

// settlement returns the settlement of the period; nil: none so far.
func (m *made) settlement() *settled {
	n := len(m.settlements)
	if n == 0 || m.settlements[n-1].of != m.ranking {
		return nil
	}
	return m.settlements[n-1]
}

func (m *made) addAward(l *relocation.Line) error {
	s := m.settlement()
	if s == nil {
		return errors.New("an award is not behind its settlement")
	}
	if l.Rank < 0 || l.Rank > math.MaxUint32 {
		return fmt.Errorf("the award of %q has a rank that cannot be", *l.Award)
	}
	s.awards = append(s.awards, settlement.Stored{
		Member: string(*l.Award), Place: l.Place, Rank: uint32(l.Rank), Revision: l.Revision,
		Due: uint64(l.Due), Granted: uint64(l.Granted), Failed: l.Failed, Withheld: l.Withheld,
		Failures: l.Failures, Next: l.Next.Or(0), Reason: l.Reason,
	})
	return nil
}
