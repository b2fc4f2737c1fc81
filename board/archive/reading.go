package archive

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/relocation"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/board/window"
)

const step = 500 // entries that are stored at a time

// maker makes boards of lines.
type maker struct {
	ctx  context.Context
	a    relocation.Archive
	o    Options
	r    *Report
	name string // of the board, or of the last one
	skip bool   // the board is left out

	groups  *groupsMaker    // nil: no kind of groups has begun
	board   relocation.Made // nil: none has begun
	rules   *rules.Rules
	lines   int
	header  relocation.Header
	window  *relocation.Window // nil: before the first
	period  *relocation.Period // nil: before the first of the window
	pending []relocation.Difference
	last    rules.Entry // the last entry of the period, without its arrival
	equals  int         // number of entries before it that are equal to it
	periods int
	entries int

	settlements []settled
	once        []relocation.OnceKey
}

// settled is what a period awards.
type settled struct {
	of relocation.Ranking
	*relocation.Settlement
}

// line does what a line says.
func (m *maker) line(text []byte) error {
	l, err := decode(text)
	if err != nil {
		return err
	}
	m.lines++
	switch {
	case l.Groups != nil:
		return m.beginGroups(&l)
	case m.groups != nil:
		return m.group(&l)
	case l.Board != nil:
		return m.begin(&l)
	case m.skip:
		return m.skipped(&l)
	case m.board == nil:
		return errors.New("the line is before the first board")
	case l.Group != nil, l.Joined != nil:
		return fmt.Errorf("a line of groups is among those of the board %q", m.name)
	}
	return m.content(&l)
}

// content does what a line inside a board says.
func (m *maker) content(l *line) error {
	switch {
	case l.Window != nil:
		return m.beginWindow(l)
	case l.Best != nil:
		return m.best(l)
	case l.Period != nil:
		return m.beginPeriod(l)
	case l.Member != nil:
		return m.put(l)
	case l.Tiered != nil:
		return m.tier(l)
	case l.Cohort != nil:
		return m.cohort(l)
	case l.Points != nil:
		return m.points(l)
	case l.Settlement != nil:
		return m.settlement(l)
	case l.Award != nil:
		return m.award(l)
	case l.Standing != nil:
		m.header.Standings = append(m.header.Standings, relocation.Standing{Member: string(*l.Standing), Banned: l.Banned, Hidden: l.Hidden})
	case l.Audit != nil:
		entry := *l.Audit
		entry.Member, entry.To = string(l.AuditMember), string(l.AuditTo)
		m.header.Audit = append(m.header.Audit, relocation.Logged{Entry: entry, List: l.Places})
	case l.Once != nil:
		if l.At == nil {
			return errors.New("a Once key has no time")
		}
		m.once = append(m.once, relocation.OnceKey{Key: string(*l.Once), At: int64(*l.At) / 1000})
	default:
		return m.end(l)
	}
	return nil
}

// skipped looks for the end of a board that is left out.
func (m *maker) skipped(l *line) error {
	if l.Ended == nil {
		return nil
	}
	if err := m.checkEnd(l); err != nil {
		return err
	}
	m.skip, m.r.Skipped = false, append(m.r.Skipped, m.name)
	return nil
}

// checkEnd returns an error for an end that is not that of the board.
func (m *maker) checkEnd(l *line) error {
	if *l.Ended != m.name || l.Lines != m.lines {
		return fmt.Errorf("it is the end of %q with %d lines, and the file has %d lines of %q", *l.Ended, l.Lines, m.lines, m.name)
	}
	return nil
}

// mayBegin returns an error unless a board or a kind of groups may begin, and notes its name.
func (m *maker) mayBegin(l *line, name string) error {
	if m.board != nil || m.skip || m.groups != nil {
		return fmt.Errorf("%q begins before the end of %q", name, m.name)
	}
	m.name = name
	if l.Format != format {
		return fmt.Errorf("the form is number %d, and this version knows %d", l.Format, format)
	}
	return nil
}

// beginGroups begins a kind of groups.
func (m *maker) beginGroups(l *line) error {
	if err := m.mayBegin(l, *l.Groups); err != nil {
		return err
	}
	m.groups = &groupsMaker{kind: m.name, lines: 1}
	return nil
}

// group reads a line of a kind of groups, and makes it at its end.
func (m *maker) group(l *line) error {
	ended, err := m.groups.line(l)
	if err == nil && ended {
		err = m.groups.make(m.ctx, m.a, m.o, m.r)
		m.groups = nil
	}
	return err
}

// begin begins a board.
func (m *maker) begin(l *line) error {
	if err := m.mayBegin(l, l.Board.Name); err != nil {
		return err
	}
	if err := l.Board.Validate(); err != nil {
		return err
	}
	made, err := m.a.Made(m.ctx, *l.Board)
	if errors.Is(err, board.ErrBoardExists) && m.o.SkipExisting {
		m.skip, m.lines = true, 1
		return nil
	}
	if err != nil {
		return err
	}
	*m = maker{ctx: m.ctx, a: m.a, o: m.o, r: m.r, name: m.name, board: made, rules: made.Rules(), lines: 1, periods: m.periods, entries: m.entries}
	return nil
}

func (m *maker) beginWindow(l *line) error {
	if err := m.flush(); err != nil {
		return err
	}
	w := relocation.Window{Name: *l.Window, Through: math.MinInt64}
	for _, other := range m.header.Windows {
		if other.Name == w.Name {
			return fmt.Errorf("the window %q is there twice", w.Name)
		}
	}
	if l.Through != nil {
		w.Through = int64(*l.Through)
	}
	m.header.Windows = append(m.header.Windows, w)
	m.window, m.period = &m.header.Windows[len(m.header.Windows)-1], nil
	return nil
}

func (m *maker) best(l *line) error {
	if m.window == nil || m.period != nil || l.Rank < 1 {
		return errors.New("a best rank is not behind its window, or no rank")
	}
	return m.board.PutBest(m.window.Name, string(*l.Best), l.Rank)
}

func (m *maker) tier(l *line) error {
	if m.window == nil || m.period != nil || *l.Tiered == "" || len(*l.Tiered) > board.MaxMember {
		return errors.New("a tier is not behind its window, or is that of no member")
	}
	return m.board.PutTier(m.window.Name, string(*l.Tiered), l.Tier)
}

func (m *maker) cohort(l *line) error {
	if m.period == nil {
		return errors.New("a member of a cohort is before the first period")
	}
	c, err := cohortOf(l)
	if err != nil {
		return err
	}
	return m.board.PutCohort(m.ranking(), c)
}

func (m *maker) points(l *line) error {
	if m.period == nil || m.period.Record != nil {
		return errors.New("the points of a member are not behind an open period")
	}
	p, err := pointsOf(l)
	if err != nil {
		return err
	}
	return m.board.PutPoints(m.ranking(), p)
}

func (m *maker) beginPeriod(l *line) error {
	if err := m.flush(); err != nil {
		return err
	}
	if m.window == nil {
		return errors.New("a period is before the first window")
	}
	p := relocation.Period{Period: window.Period{Name: *l.Period, Start: l.Start.time(), End: l.End.time()}}
	if err := m.board.CheckPeriod(m.window.Name, p.Period); err != nil {
		return err
	}
	for _, other := range m.window.Periods {
		if other.Name == p.Name {
			return fmt.Errorf("the period %q is there twice", p.Name)
		}
	}
	if l.ClosedAt != nil {
		p.Record = &state.Record{Period: p.Name, Start: p.Start, End: p.End, ClosedAt: l.ClosedAt.time()}
	}
	m.window.Periods = append(m.window.Periods, p)
	m.period, m.last, m.equals = &m.window.Periods[len(m.window.Periods)-1], rules.Entry{}, 0
	m.periods++
	return nil
}

// ranking names the period that is being read.
func (m *maker) ranking() relocation.Ranking {
	return relocation.Ranking{Window: m.window.Name, Period: m.period.Name}
}

// put adds an entry to the period. The order of the lines is the order of equals.
func (m *maker) put(l *line) error {
	if m.period == nil {
		return errors.New("an entry is before the first period")
	}
	e, err := m.entryOf(l)
	if err != nil {
		return err
	}
	if m.pending = append(m.pending, relocation.Difference{Entry: e}); len(m.pending) < step {
		return nil
	}
	return m.flush()
}

// entryOf returns the entry of a line.
func (m *maker) entryOf(l *line) (e relocation.Entry, err error) {
	if *l.Member == "" || len(*l.Member) > board.MaxMember || l.Score == nil || (l.Reached == nil) != (m.rules.Ties() == rules.ByMember) {
		return e, errors.New("an entry has no member, no score, or not the times of its board")
	}
	d := rules.Entry{}
	if d.Score, err = m.rules.CheckRanked(*l.Score); err != nil {
		return e, err
	}
	if l.Reached != nil {
		d.Reached = int64(*l.Reached)
		d.Arrival = m.arrival(d)
	}
	e = relocation.Entry{Member: string(*l.Member), Hidden: l.Hidden, Meta: l.Meta, Kept: l.Kept}
	if e.Rolled, err = relocated(m.rules, l.Rolling); err != nil {
		return e, err
	}
	if len(e.Rolled) > 0 && !m.rules.Sums() { // the entry is the first of them
		d.Arrival = e.Rolled[0].Arrival
	}
	e.Score, e.Tie = m.rules.Encode(nil, d)
	if len(l.Results) > 0 {
		var kept []rules.Result
		for _, r := range l.Results {
			kept = append(kept, rules.Result{Score: r.Score, At: int64(r.At)})
		}
		e.Kept = m.rules.AppendKept(nil, kept)
		if _, ok := m.rules.DecodeKept(e.Kept); !ok {
			return e, fmt.Errorf("the results of %q are none that its board keeps", e.Member)
		}
	}
	return e, nil
}

// arrival returns the arrival of an entry: equals arrive in the order of the lines, and with LastToReach against it.
func (m *maker) arrival(d rules.Entry) uint64 {
	if m.equals++; d != m.last {
		m.last, m.equals = d, 0
	}
	if m.rules.Ties() == rules.LastToReach {
		return latest - uint64(m.equals)
	}
	return uint64(m.equals)
}

// flush stores the entries that wait.
func (m *maker) flush() error {
	if len(m.pending) == 0 {
		return nil
	}
	err := m.board.Put(m.ctx, m.ranking(), m.pending)
	m.entries += len(m.pending)
	m.pending = m.pending[:0]
	if err == nil && m.o.Progress != nil {
		m.o.Progress(m.entries)
	}
	return errors.Join(err, m.ctx.Err())
}

func (m *maker) settlement(l *line) error {
	if m.period == nil || m.period.Record == nil {
		return errors.New("a settlement is not behind a closed period")
	}
	s, err := state.DecodeSettling(l.Settlement)
	if err != nil {
		return err
	}
	if n := len(m.settlements); n > 0 && m.settlements[n-1].of == m.ranking() {
		return errors.New("the period has two settlements")
	}
	m.settlements = append(m.settlements, settled{m.ranking(), &relocation.Settlement{State: s}})
	return nil
}

func (m *maker) award(l *line) error {
	n := len(m.settlements)
	if m.period == nil || n == 0 || m.settlements[n-1].of != m.ranking() {
		return errors.New("an award is not behind its settlement")
	}
	due, ok := set(l.Due)
	granted, also := set(l.Granted)
	if !ok || !also || l.Rank < 0 || l.Rank > math.MaxUint32 {
		return fmt.Errorf("the award of %q has tiers or a rank that cannot be", *l.Award)
	}
	a := relocation.Award{Member: string(*l.Award), Place: l.Place, Rank: uint32(l.Rank), Revision: l.Revision, Due: due, Granted: granted, Failed: l.Failed, Withheld: l.Withheld,
		Failures: l.Failures, Reason: l.Reason}
	if l.Next != nil {
		a.Next = int64(*l.Next)
	}
	m.settlements[n-1].Awards = append(m.settlements[n-1].Awards, a)
	return nil
}

// end makes the board one that everybody sees.
func (m *maker) end(l *line) error {
	err := m.checkEnd(l)
	if err == nil {
		err = m.flush()
	}
	if err == nil {
		err = m.board.PutOnce(m.ctx, m.once)
	}
	if err == nil {
		err = m.board.Finish(m.ctx, m.header)
	}
	for _, s := range m.settlements {
		if err == nil {
			err = m.board.PutSettlement(m.ctx, s.of, s.Settlement)
		}
	}
	if err == nil {
		err = m.board.Open(m.ctx)
	}
	if err != nil {
		return err
	}
	m.r.Boards, m.r.Periods, m.r.Entries = append(m.r.Boards, m.name), m.periods, m.entries
	err = m.board.Close()
	m.board = nil
	return err
}

// discard deletes a board that is not complete.
func (m *maker) discard() error {
	if m.board == nil {
		return nil
	}
	return errors.Join(m.board.Discard(context.WithoutCancel(m.ctx)), m.board.Close())
}
