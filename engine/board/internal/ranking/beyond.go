package ranking

import (
	"github.com/zrankdb/zrank/engine/board/rules"
	"github.com/zrankdb/zrank/zset"
)

// other returns the row of a member that is not among the best, with one look at the set that it is in. ok is false if it was not there: the member
// may be among the best, or come there meanwhile, or have no entry.
func (r *reader) other(t Tailed, member string) (row Row, ok bool, err error) {
	l := looks.Get().(*Look)
	defer l.free()
	l.opened.Brief = true
	if ok, err = t.OpenOther(member, &l.opened); !ok || err != nil {
		return row, false, err
	}
	l.rules, l.source = r.rules, t.(Source)
	if l.meta = l.opened.Meta; r.plain {
		l.meta = nil
	}
	score, tie, ok := l.opened.Set.Get([]byte(member))
	if ok {
		err = l.fill(&row, member, score, tie)
		row.SetBeyond(l.opened.Top)
	}
	l.source.Close(&l.opened)
	return row, ok, err
}

// tailed returns the source of the look if it knows more members than the look shows, else nil.
func (l *Look) tailed() Tailed {
	t, _ := l.source.(Tailed)
	return t
}

// beyond returns the row of a member that a look has not found. The member may have come among the best since.
func (r *reader) beyond(t Tailed, member string) (row Row, ok bool, err error) {
	err = t.Beyond(member, func(o Opened, other *zset.IntView) (err error) {
		l := &Look{v: o.view(), n: min(o.Top, o.Set.Len()), meta: o.Meta, rules: r.rules, mode: r.mode}
		if r.plain {
			l.meta = nil
		}
		if row, _, ok, err = l.Find(member); ok || err != nil {
			return err
		}
		score, tie, has := other.Get([]byte(member))
		if ok = has; ok {
			err = l.fill(&row, member, score, tie)
			row.SetBeyond(l.n)
		}
		return err
	})
	if err != nil {
		return Row{}, false, err
	}
	return row, ok, nil
}

// Rank implements Ranking.
func (r *reader) Rank(member string) (row Row, ok bool, err error) {
	s, err := r.ready()
	if err != nil {
		return row, false, err
	}
	if t, tailed := s.Source.(Tailed); tailed {
		if row, ok, err = r.other(t, member); ok || err != nil {
			return row, ok, err
		}
	}
	l, err := r.lookAt(s)
	if err != nil {
		return row, false, err
	}
	row, _, ok, err = l.Find(member)
	t := l.tailed()
	if l.done(); t == nil || ok || err != nil {
		return row, ok, err
	}
	return r.beyond(t, member)
}

// Score implements Ranking.
func (r *reader) Score(member string) (score rules.Score, ok bool, err error) {
	l, err := r.look()
	if err != nil {
		return score, false, err
	}
	score, ok = l.score(member)
	t := l.tailed()
	if l.done(); t == nil || ok {
		return score, ok, nil
	}
	row, ok, err := r.bare().beyond(t, member)
	return row.Score, ok, err
}

// Card implements Ranking.
func (r *reader) Card(member string, top, each int) (Card, error) {
	if err := r.checkCounts(top, each); err != nil {
		return Card{}, err
	}
	l, err := r.look()
	if err != nil {
		return Card{}, err
	}
	card, err := l.card(member, top, each)
	t := l.tailed()
	if l.done(); t == nil || card.Ranked || err != nil {
		return card, err
	}
	card.Own, card.Ranked, err = r.beyond(t, member)
	return card, err
}
