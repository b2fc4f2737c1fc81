package submit

import (
	"context"
	"slices"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/ranking"
	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/engine"
)

// In a board in parts a single submission locks the parts of its member only, and others are
// submitted meanwhile. So its transaction knows the scores, and not the ranks. Once it is
// committed, the plan counts the ranks in a View of all parts, where an entry has the rank that it
// has among the other members as they are then. A transaction that has all parts locked anyway
// counts them itself, in the same way.

// inParts begins a look at the ranking of a window, which is in parts. done ends it.
func (p *plan) inParts(tx *engine.Tx, o *outcome, l *ranking.Look) (done func(), err error) {
	parts, err := catalog.PartsIn(tx, o.Slot.Parts, o.at.Division(), p.st.Form)
	if err != nil {
		return nil, err
	}
	l.Begin(parts, p.st.Rules)
	return parts.Release, nil
}

// rankLater reports whether the ranks of a window are counted after the commit.
func (p *plan) rankLater(o *outcome) bool { return !o.at.IsOneSet() && !p.whole }

// counts is the memory in which ranks are counted.
type counts struct {
	look       ranking.Look
	candidates [2]ranking.Candidate // the entries before and after, as far as there are two
	ties       [2][rules.MaxTie]byte
}

// clear lets go of the ranking.
func (c *counts) clear() { c.look = ranking.Look{} }

// rank counts the ranks of the windows that the transaction has not counted, after its commit.
func (p *plan) rank(ctx context.Context, c *board.Change, memory *counts) error {
	defer memory.clear()
	for i := range p.outcomes {
		o := &p.outcomes[i]
		if !p.rankLater(o) {
			continue
		}
		parts, tx, err := catalog.OpenParts(ctx, p.b.Owner(), o.Slot.Parts, p.st.Form)
		if err != nil {
			return err
		}
		memory.look.Begin(parts, p.st.Rules)
		err = p.afterParts(moveOf(c, i), o, memory)
		p.b.Owner().EndView(tx)
		parts.Release()
		if err != nil {
			return err
		}
	}
	return nil
}

// afterParts is after for a ranking in parts.
func (p *plan) afterParts(m *board.Move, o *outcome, memory *counts) error {
	l := &memory.look
	m.Len = l.Len()
	if m.Changed, m.Ignored = o.changed, o.ignored; p.hidden {
		p.afterHidden(m, o)
		return nil
	}
	all := memory.candidates[:0]
	if o.Had {
		score, tie := p.st.Rules.Encode(memory.ties[0][:0], o.Was)
		all = append(all, ranking.Candidate{Score: score, Tie: tie})
	}
	if o.changed {
		score, tie := p.st.Rules.Encode(memory.ties[1][:0], o.Is)
		all = append(all, ranking.Candidate{Score: score, Tie: tie})
	}
	if len(all) == 0 {
		return nil
	}
	l.Others(p.member, all)
	last := all[len(all)-1]
	if o.Had {
		ranking.SetRow(&m.Before, p.st.Rules, all[0].Others+1, p.sub.Member, &o.Was)
		m.After = m.Before
	}
	if o.changed {
		ranking.SetRow(&m.After, p.st.Rules, last.Others+1, p.sub.Member, &o.Is)
		m.Improved = !o.Had || p.st.Rules.Compare(o.Is.Score, o.Was.Score) < 0
		m.Passed = max(m.Before.Rank-m.After.Rank, 0)
		if !o.Had {
			m.Passed = l.LenWithout(p.member) - last.Others
		}
	}
	if p.sub.Near == 0 && p.sub.Overtaken == 0 || m.After.Rank == 0 {
		return nil
	}
	return p.neighboursInParts(m, l, last.Place)
}

// neighboursInParts is neighbours for a ranking in parts, in which the member's entry has or would
// have a place, from 0. The member may have another entry by now.
func (p *plan) neighboursInParts(m *board.Move, l *ranking.Look, place int) (err error) {
	if p.sub.Near > 0 {
		if m.Near, err = l.AppendAround(nil, place, p.sub.Near); err != nil {
			return err
		}
	}
	want := min(m.Passed, p.sub.Overtaken)
	if want == 0 {
		return nil
	}
	rows, err := l.Rows(place, place+want+1)
	if err != nil {
		return err
	}
	rows = slices.DeleteFunc(rows, func(r board.Row) bool { return r.Member == p.sub.Member })
	m.Overtaken = rows[:min(want, len(rows))]
	return nil
}
