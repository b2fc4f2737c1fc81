package ranking

import (
	"context"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/zset"
)

// other returns the row of a member that is not among the best, with one look at the set that it is in. ok is false if it was not there: the member
// may be among the best, or come there meanwhile, or have no entry.
func (r *reader) other(ctx context.Context, t Tailed, member string) (row board.Row, ok bool, err error) {
	l := looks.Get().(*Look)
	defer l.free()
	l.opened.Brief = true
	if ok, err = t.OpenOther(ctx, member, &l.opened); !ok || err != nil {
		return row, false, err
	}
	l.rules, l.source = r.rules, t.(Source)
	if l.meta = l.opened.Meta; r.plain {
		l.meta = nil
	}
	score, tie, ok := l.opened.Set.Get([]byte(member))
	if ok {
		err = l.fill(&row, member, score, tie)
		vacancies := l.opened.Vacancies.Before(score, tie)
		if SetBeyond(&row, l.opened.Top+vacancies); t.HasPlaces() {
			l.key = append(l.key[:0], member...)
			a, known := t.Ahead(Place{Score: score, Tie: tie, Member: l.key})
			SetBetween(&row, vacancies+a.Head+a.Least+1, vacancies+a.Head+a.Most+1, known)
		}
	}
	l.source.Close(&l.opened)
	return row, ok, err
}

// tailed returns the source of the look if it knows more members than the look shows, else nil.
func (l *Look) tailed() Tailed {
	t, _ := l.source.(Tailed)
	return t
}

// beyond returns the row of a member that a look has not found among the best. The member may have come there since.
func (r *reader) beyond(ctx context.Context, t Tailed, member string) (row board.Row, ok bool, err error) {
	err = t.Beyond(ctx, member, func(o Opened, other *zset.IntView) (err error) {
		l := &Look{ctx: ctx, v: o.view(), n: min(o.Top, o.Set.Len()), meta: o.Meta, vacancies: o.Vacancies, rules: r.rules, mode: r.mode}
		if r.plain {
			l.meta = nil
		}
		place, inHead := l.v.Rank([]byte(member))
		if inHead && (place < l.n || !t.HasPlaces()) {
			row, _, ok, err = l.Find(member)
			return err
		}
		set := other
		if inHead {
			set = o.Set
		}
		score, tie, has := set.Get([]byte(member))
		if ok = has; !ok {
			return nil
		}
		err = l.fill(&row, member, score, tie)
		if SetBeyond(&row, l.n+l.vacancies.Before(score, tie)); t.HasPlaces() {
			l.rankBetween(&row, t, Place{Score: score, Tie: tie, Member: []byte(member)}, place, inHead)
		}
		return err
	})
	if err != nil {
		return board.Row{}, false, err
	}
	return row, ok, nil
}

// rankBetween sets the rank of a member that is beyond the best n, in the look's mode. own is its place, which is also place in the look's set if
// inHead. O(log n), and O(log n) for each different score of the head with Dense.
func (l *Look) rankBetween(row *board.Row, t Tailed, own Place, place int, inHead bool) {
	least, most, known := l.bounds(t, own, place, inHead)
	vacantLeast, vacantMost := l.vacant().beyond(own)
	SetBetween(row, least+vacantLeast, most+vacantMost, known)
}

// bounds returns the least and the highest rank that the member may have, without vacancies. With Modified they are not known for an equal of members among the best n, whose rank
// ends there: that of the last of all equals would be another one.
func (l *Look) bounds(t Tailed, own Place, place int, inHead bool) (least, most int, known bool) {
	ordinal, known := Ahead{Head: place}, true
	if !inHead {
		ordinal, known = t.Ahead(own)
	}
	columns := Place{Score: own.Score, Tie: own.Tie[:l.rules.ScoreTie()], Side: Before}
	size, first := l.v.Len(), l.v.seek(columns.Score, columns.Tie)
	switch {
	case l.mode == rules.Ordinal:
		return ordinal.Head + ordinal.Least + 1, ordinal.Head + ordinal.Most + 1, known
	case l.mode == rules.Modified && first < l.n:
		return 0, 0, false
	case l.mode == rules.Modified:
		end := l.v.SeekAfter(columns.Score, columns.Tie)
		if end < size {
			return end, end, true
		}
		columns.Side = Behind
		a, known := t.Ahead(columns)
		return max(size+a.Least, ordinal.Head+ordinal.Least+1), size + a.Most, known
	default:
		a := Ahead{}
		if known = true; first == size {
			a, known = t.Ahead(columns)
			a.Most = min(a.Most, ordinal.Most)
		}
		if l.mode == rules.Dense { // the others before the member have as many scores as members, or one
			first, a.Least = l.v.Distinct(first, l.rules.ScoreTie()), 0
		}
		return first + a.Least + 1, first + a.Most + 1, known
	}
}

// Rank implements Ranking.
func (r *reader) Rank(ctx context.Context, member string) (row board.Row, ok bool, err error) {
	s, err := r.ready()
	if err != nil {
		return row, false, err
	}
	t, tailed := s.Source.(Tailed)
	if tailed && (r.mode == rules.Ordinal || !t.HasPlaces()) {
		if row, ok, err = r.other(ctx, t, member); ok || err != nil {
			return row, ok, err
		}
	}
	l, err := r.lookAt(ctx, s)
	if err != nil {
		return row, false, err
	}
	row, _, ok, err = l.Find(member)
	l.done(&err)
	return r.orBeyond(ctx, t, member, row, ok, err)
}

// orBeyond returns a row that a look has found, or that of a member beyond the best n if it has not, or does not know its rank. t is nil if all members are
// ranked.
func (r *reader) orBeyond(ctx context.Context, t Tailed, member string, row board.Row, ok bool, err error) (board.Row, bool, error) {
	if t == nil || err != nil || ok && !(row.Beyond && t.HasPlaces()) {
		return row, ok, err
	}
	return r.beyond(ctx, t, member)
}

// Score implements Ranking.
func (r *reader) Score(ctx context.Context, member string) (score rules.Score, ok bool, err error) {
	l, err := r.look(ctx)
	if err != nil {
		return score, false, err
	}
	score, ok = l.score(member)
	t := l.tailed()
	if l.done(&err); t == nil || ok || err != nil {
		return score, ok, err
	}
	row, ok, err := r.bare().beyond(ctx, t, member)
	return row.Score, ok, err
}

// Card implements Ranking.
func (r *reader) Card(ctx context.Context, member string, top, each int) (board.Card, error) {
	if err := r.checkCounts(top, each); err != nil {
		return board.Card{}, err
	}
	l, err := r.look(ctx)
	if err != nil {
		return board.Card{}, err
	}
	card, err := l.card(member, top, each)
	t := l.tailed()
	l.done(&err)
	card.Own, card.Ranked, err = r.orBeyond(ctx, t, member, card.Own, card.Ranked, err)
	return card, err
}
