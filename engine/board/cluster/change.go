package cluster

import (
	"cmp"
	"context"

	"github.com/redis/go-redis/v9"

	"github.com/zrankdb/zrank/engine/board/internal/ranking"
	"github.com/zrankdb/zrank/engine/board/internal/submit"
)

// counts are the numbers of entries in one window that the ranks of a Move follow from.
type counts struct {
	before, after, members sums
}

// ranks fills in what the submission did to the rankings, by one round trip after the commit: other changes may have come in between.
func (p *plan) ranks(ctx context.Context, c *submit.Change) error {
	var all []counts
	err := p.b.servers.Ask(ctx, func(pipe redis.Pipeliner) { all = p.count(ctx, pipe) })
	if err != nil {
		return err
	}
	if n := len(p.slots) - 1; n > 0 {
		c.Others = make([]submit.Move, n)
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

// count queues the counts that the ranks follow from.
func (p *plan) count(ctx context.Context, pipe redis.Pipeliner) []counts {
	all := make([]counts, len(p.slots))
	for i, slot := range p.slots {
		o := &p.outcomes[i]
		for k := range p.b.partitions() {
			key := p.b.keys.ranking(k, p.lines[i].Window.Name, slot.Name)
			all[i].members = append(all[i].members, pipe.ZCard(ctx, key))
			if o.was.isRanked() {
				all[i].before = append(all[i].before, pipe.ZLexCount(ctx, key, "-", "("+o.was.text(p.member)))
			}
			if o.changed && o.is.isRanked() {
				all[i].after = append(all[i].after, pipe.ZLexCount(ctx, key, "-", "("+o.is.text(p.member)))
			}
		}
	}
	return all
}

// move fills in what the submission did to the ranking of window i.
func (p *plan) move(ctx context.Context, i int, m *submit.Move, n *counts) error {
	o, r := &p.outcomes[i], p.b.st.Rules
	m.Window, m.Period, m.Ranked, m.Len = p.lines[i].Window.Name, p.slots[i].Name, o.was.isRanked(), n.members.val()
	if p.standing.hidden {
		m.Hidden, m.Changed = true, o.changed
		m.Improved = o.changed && (!o.was.hasMember || r.Compare(o.next.Score, o.old.Score) < 0)
		return nil
	}
	before, after := n.before.val(), n.after.val()
	if o.was.hasMember {
		if o.changed && after < before {
			before-- // the member itself is before the place that it has left
		}
		ranking.SetRow(&m.Before, r, before+1, p.sub.Member, &o.old)
	}
	if m.Changed = o.changed; !o.changed {
		m.After = m.Before
	} else {
		ranking.SetRow(&m.After, r, after+1, p.sub.Member, &o.next)
		m.Improved = !o.was.hasMember || r.Compare(o.next.Score, o.old.Score) < 0
		m.Passed = m.Len - 1 - after
		if o.was.hasMember {
			m.Passed = max(before-after, 0)
		}
	}
	if m.After.Rank == 0 || p.sub.Near == 0 && min(p.sub.Overtaken, m.Passed) == 0 {
		return nil
	}
	return p.neighbours(ctx, i, m)
}

// neighbours fills in the rows around the member, and those that it has passed.
func (p *plan) neighbours(ctx context.Context, i int, m *submit.Move) (err error) {
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
