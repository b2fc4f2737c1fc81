package submit

import (
	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/place"
	"github.com/zrankdb/zrank/board/internal/ranking"
)

// moveOf returns the Move of the window with an index, from 0 in the spec's order.
func moveOf(c *board.Change, i int) *board.Move {
	if i == 0 {
		return &c.Move
	}
	return &c.Others[i-1]
}

// before fills in the windows, without rows.
func (p *plan) before(c *board.Change) {
	if n := len(p.outcomes) - 1; n > 0 {
		c.Others = make([]board.Move, n)
	}
	for i := range p.outcomes {
		m, o := moveOf(c, i), &p.outcomes[i]
		m.Window, m.Period, m.Ranked, m.Len = o.T.Window.Name, o.Slot.Name, o.Had && !p.hidden, o.at.Len()
	}
}

// after fills in the rows before and after the submission, and the difference.
func (p *plan) after(m *board.Move, o *outcome) error {
	if p.hidden {
		p.afterHidden(m, o)
		return nil
	}
	if o.Had {
		if !o.changed {
			o.Before = o.at.Rank()
		}
		o.at.SetRow(&m.Before, o.Before, &o.Was, place.Was)
	}
	if m.Changed, m.Ignored = o.changed, o.ignored; !o.changed {
		m.After = m.Before
	} else {
		o.at.SetRow(&m.After, o.After, &o.Is, place.Is)
		m.Improved = !o.Had || p.st.Rules.Compare(o.Is.Score, o.Was.Score) < 0
		m.Passed = m.Len - o.After
		if o.Had {
			m.Passed = max(o.Before-o.After, 0)
		}
		m.Len = o.at.Len()
	}
	if p.sub.Near == 0 && min(p.sub.Overtaken, m.Passed) == 0 || m.After.Rank == 0 || m.After.Beyond {
		return nil
	}
	return p.neighbours(m, p.st.Look(o.at.Ranking()))
}

// afterHidden fills in the Move of a hidden member but for Len.
func (p *plan) afterHidden(m *board.Move, o *outcome) {
	m.Hidden, m.Changed, m.Ignored = true, o.changed, o.ignored
	m.Improved = o.changed && (!o.Had || p.st.Rules.Compare(o.Is.Score, o.Was.Score) < 0)
}

// neighbours fills in the rows around the member, and those of the members that it has passed. The
// latter are the rows right behind the member's, since no other entry has moved. O(log n + rows).
func (p *plan) neighbours(m *board.Move, l *ranking.Look) (err error) {
	if p.sub.Near > 0 {
		if m.Near, err = l.AppendAround(nil, m.After.Rank-1, p.sub.Near); err != nil {
			return err
		}
	}
	m.Overtaken, err = l.Rows(m.After.Rank, m.After.Rank+min(m.Passed, p.sub.Overtaken))
	return err
}
