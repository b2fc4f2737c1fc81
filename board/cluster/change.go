package cluster

import (
	"cmp"
	"context"

	"github.com/redis/go-redis/v9"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/cluster/internal/commit"
	"github.com/zrankdb/zrank/board/cluster/internal/layout"
	"github.com/zrankdb/zrank/board/cluster/internal/sets"
	"github.com/zrankdb/zrank/board/internal/ranking"
)

// ranks fills in what the submission did to the rankings, by one round trip after the commit: other changes may have come in between.
func (p *plan) ranks(ctx context.Context, c *board.Change) error {
	all, err := p.count(ctx)
	if err != nil {
		return err
	}
	return p.moves(ctx, c, all)
}

// moves fills in what the submission did to the rankings.
func (p *plan) moves(ctx context.Context, c *board.Change, all []commit.Counts) error {
	if n := len(p.slots) - 1; n > 0 {
		c.Others = make([]board.Move, n)
	}
	for i := range all {
		m := &c.Move
		if i > 0 {
			m = &c.Others[i-1]
		}
		if err := p.move(ctx, i, m, &all[i]); err != nil {
			return err
		}
	}
	return nil
}

// count counts what the ranks follow from.
func (p *plan) count(ctx context.Context) ([]commit.Counts, error) {
	before, after, members := make([]sets.Sums, len(p.slots)), make([]sets.Sums, len(p.slots)), make([]sets.Sums, len(p.slots))
	err := p.b.servers.Ask(ctx, func(pipe redis.Pipeliner) {
		for i, slot := range p.slots {
			before[i], after[i], members[i] = nil, nil, nil
			o := &p.outcomes[i]
			for k := range p.b.partitions() {
				key := p.b.keys.Ranking(k, p.lines[i].Window.Name, slot.Name)
				members[i] = append(members[i], pipe.ZCard(ctx, key))
				if o.was.IsRanked() {
					before[i] = append(before[i], pipe.ZLexCount(ctx, key, "-", "("+o.was.Text(p.member)))
				}
				if o.changed && o.is.IsRanked() {
					after[i] = append(after[i], pipe.ZLexCount(ctx, key, "-", "("+o.is.Text(p.member)))
				}
			}
		}
	})
	all := make([]commit.Counts, len(p.slots))
	for i := range all {
		n := &all[i]
		n.Before, n.After, n.Members = before[i].Val(), after[i].Val(), members[i].Val()
		if o := &p.outcomes[i]; o.changed && n.After < n.Before {
			n.Before-- // the member itself is before the place that it has left
		}
	}
	return all, err
}

// move fills in what the submission did to the ranking of window i.
func (p *plan) move(ctx context.Context, i int, m *board.Move, n *commit.Counts) (err error) {
	o, r := &p.outcomes[i], p.b.st.Rules
	m.Window, m.Period, m.Ranked, m.Len = p.lines[i].Window.Name, p.slots[i].Name, o.was.IsRanked(), n.Members
	if p.standing.Hidden {
		m.Hidden, m.Changed, m.Ignored = true, o.changed, o.ignored
		m.Improved = o.changed && (!o.was.HasMember || r.Compare(o.next.Score, o.old.Score) < 0)
		return nil
	}
	if o.was.HasMember {
		ranking.SetRow(&m.Before, r, n.Before+1, p.sub.Member, &o.old)
	}
	if m.Changed, m.Ignored = o.changed, o.ignored; !o.changed {
		m.After = m.Before
	} else {
		ranking.SetRow(&m.After, r, n.After+1, p.sub.Member, &o.next)
		m.Improved = !o.was.HasMember || r.Compare(o.next.Score, o.old.Score) < 0
		m.Passed = m.Len - 1 - n.After
		if o.was.HasMember {
			m.Passed = max(n.Before-n.After, 0)
		}
	}
	if m.After.Rank == 0 || p.sub.Near == 0 && min(p.sub.Overtaken, m.Passed) == 0 {
		return nil
	}
	if !n.HasRows {
		return p.neighbours(ctx, i, m)
	}
	if p.sub.Near > 0 {
		each := min(p.sub.Near, m.Len)
		if m.Near, err = p.rowsOf(n.Near, max(0, min(m.After.Rank-1-each, m.Len-2*each-1))); err != nil {
			return err
		}
	}
	m.Overtaken, err = p.rowsOf(n.Overtaken, m.After.Rank)
	return err
}

// rowsOf returns the rows of texts that begin at a place.
func (p *plan) rowsOf(texts []string, place int) (rows []board.Row, err error) {
	for i, text := range texts {
		e, err := layout.DecodeText(text, p.b.st.Rules.TieWidth())
		if err != nil {
			return nil, err
		}
		var row board.Row
		ranking.SetRow(&row, p.b.st.Rules, place+i+1, string(e.Member), new(p.b.st.Rules.Decode(e.Score, e.Tie)))
		rows = append(rows, row)
	}
	return rows, nil
}

// neighbours fills in the rows around the member, and those that it has passed.
func (p *plan) neighbours(ctx context.Context, i int, m *board.Move) (err error) {
	s := p.b.setsOf(ctx, p.lines[i].Window.Name, p.slots[i].Name)
	look := ranking.NewSetsLook(s, p.b.st.Rules)
	if p.sub.Near > 0 {
		m.Near, err = look.AppendAround(nil, m.After.Rank-1, p.sub.Near)
	}
	if err == nil {
		m.Overtaken, err = look.Rows(m.After.Rank, m.After.Rank+min(m.Passed, p.sub.Overtaken))
	}
	return cmp.Or(err, s.Err())
}
