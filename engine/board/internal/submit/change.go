package submit

import (
	"slices"

	"github.com/zrankdb/zrank/engine/board/internal/buckets"
	"github.com/zrankdb/zrank/engine/board/internal/ranking"
	"github.com/zrankdb/zrank/engine/board/internal/tail"
	"github.com/zrankdb/zrank/engine/board/rules"
)

// Change says what a submission did: Move, to the ranking of the first window that it goes to; Others, to the rankings of the others.
type Change struct {
	Move
	Others []Move // the board's other windows, in the spec's order
	// Duplicate: a submission with the same Once key has been counted before. Nothing has changed; the moves show the rows as they are.
	Duplicate bool
	// Skipped: the condition did not hold, or SubmitFunc submitted nothing. Nothing has changed.
	Skipped bool
}

// Move says what a submission did to one ranking. Rows have ordinal ranks, from 1, and no metadata.
type Move struct {
	Window   string
	Period   string
	Hidden   bool        // the member is hidden: its score counts, and it has no row and no rank
	Ranked   bool        // the member was ranked before
	Before   ranking.Row // its row before; zero if it was not ranked
	After    ranking.Row // its row now; zero if it is not ranked
	Changed  bool        // the score, or when it was reached, is not what it was
	Improved bool        // the score is better than before, or the first
	Passed   int         // the number of members that it has overtaken; a new member overtakes all that it is ranked before
	Len      int         // the number of members that are ranked now
	// Near has the member's row and those around it, as Ranking.Around; nil unless Submission.Near is set.
	Near []ranking.Row
	// Overtaken has the best of the Passed members, best first, with their present ranks. The first is ranked right behind the member. nil if
	// there are none, and unless Submission.Overtaken is set.
	Overtaken []ranking.Row
}

// In returns what the submission did to a window, and false if the board does not have it. O(windows).
func (c *Change) In(window string) (Move, bool) {
	for i := range len(c.Others) + 1 {
		if m := c.move(i); m.Window == window {
			return *m, true
		}
	}
	return Move{}, false
}

// changed reports whether any entry has changed.
func (c *Change) changed() bool {
	return c.Changed || slices.ContainsFunc(c.Others, func(m Move) bool { return m.Changed })
}

// move returns the Move of the window with an index, from 0 in the spec's order.
func (c *Change) move(i int) *Move {
	if i == 0 {
		return &c.Move
	}
	return &c.Others[i-1]
}

// before fills in the windows, without rows.
func (p *plan) before(c *Change) {
	if n := len(p.outcomes) - 1; n > 0 {
		c.Others = make([]Move, n)
	}
	for i := range p.outcomes {
		m, o := c.move(i), &p.outcomes[i]
		m.Window, m.Period, m.Ranked, m.Len = p.lines[i].Window.Name, p.slots[i].Name, o.had && !p.hidden, p.len(o)
	}
}

// after fills in the rows before and after the submission, and the difference.
func (p *plan) after(m *Move, o *outcome) error {
	if p.hidden {
		p.afterHidden(m, o)
		return nil
	}
	if o.had {
		if !o.changed {
			o.before = o.rank(p.member)
		}
		o.setRow(&m.Before, p, o.before, &o.old, (*tail.Sets).Was)
	}
	if m.Changed = o.changed; !o.changed {
		m.After = m.Before
	} else {
		o.setRow(&m.After, p, o.after, &o.next, (*tail.Sets).Is)
		m.Improved = !o.had || p.st.Rules.Compare(o.next.Score, o.old.Score) < 0
		m.Passed = m.Len - o.after
		if o.had {
			m.Passed = max(o.before-o.after, 0)
		}
		m.Len = o.len()
	}
	if p.sub.Near == 0 && min(p.sub.Overtaken, m.Passed) == 0 || m.After.Rank == 0 || m.After.Beyond {
		return nil
	}
	return p.neighbours(m, p.st.Look(o.set))
}

// len returns the number of members that are ranked.
func (p *plan) len(o *outcome) int {
	if o.ranking != nil {
		return p.st.Look(o.ranking).Len()
	}
	return o.len()
}

// afterHidden fills in the Move of a hidden member but for Len.
func (p *plan) afterHidden(m *Move, o *outcome) {
	m.Hidden, m.Changed = true, o.changed
	m.Improved = o.changed && (!o.had || p.st.Rules.Compare(o.next.Score, o.old.Score) < 0)
}

// setRow sets a row to that of an entry with a rank, from 0. places says more about one that is beyond the best n.
func (o *outcome) setRow(row *ranking.Row, p *plan, rank int, e *rules.Entry, places func(*tail.Sets) (buckets.Bounds, bool)) {
	ranking.SetRow(row, p.st.Rules, rank+1, p.sub.Member, e)
	if o.tail != nil && rank == p.st.Spec.Top.N {
		setBeyond(row, rank, o.tail, places)
	}
}

// setBeyond makes a row that of a member beyond the best n.
func setBeyond(row *ranking.Row, n int, s *tail.Sets, places func(*tail.Sets) (buckets.Bounds, bool)) {
	row.SetBeyond(n)
	if !s.HasPlaces() {
		return
	}
	b, ok := places(s)
	row.SetBetween(b.Least+1, b.Most+1, ok)
}

// neighbours fills in the rows around the member, and those of the members that it has passed. The latter are the rows right behind the
// member's, since no other entry has moved. O(log n + rows).
func (p *plan) neighbours(m *Move, l *ranking.Look) (err error) {
	if p.sub.Near > 0 {
		if m.Near, err = l.AppendAround(nil, m.After.Rank-1, p.sub.Near); err != nil {
			return err
		}
	}
	m.Overtaken, err = l.Rows(m.After.Rank, m.After.Rank+min(m.Passed, p.sub.Overtaken))
	return err
}
