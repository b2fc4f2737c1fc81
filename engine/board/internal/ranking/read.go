package ranking

import (
	"fmt"

	"github.com/zrankdb/zrank/engine/board/internal/errs"
	"github.com/zrankdb/zrank/engine/board/rules"
)

// checkCounts returns ErrCount if a number of rows is negative.
func (r *reader) checkCounts(numbers ...int) error {
	for _, n := range numbers {
		if n < 0 {
			return r.fault(fmt.Errorf("%w: %d rows", errs.ErrCount, n))
		}
	}
	return nil
}

// check returns a score as rules.Check does.
func (r *reader) check(s rules.Score) (rules.Score, error) {
	s, err := r.rules.Check(s)
	if err != nil {
		err = r.fault(err)
	}
	return s, err
}

// Len implements Ranking.
func (r *reader) Len() (n int, err error) {
	err = r.look(func(l *Look) error {
		n = l.v.Len()
		return nil
	})
	return n, err
}

// Rank implements Ranking.
func (r *reader) Rank(member string) (row Row, ok bool, err error) {
	err = r.look(func(l *Look) (err error) {
		row, _, ok, err = l.Find(member)
		return err
	})
	return row, ok, err
}

// Score implements Ranking.
func (r *reader) Score(member string) (score rules.Score, ok bool, err error) {
	err = r.look(func(l *Look) error {
		score, ok = l.score(member)
		return nil
	})
	return score, ok, err
}

// At implements Ranking.
func (r *reader) At(place int) (row Row, ok bool, err error) {
	err = r.look(func(l *Look) (err error) {
		row, ok, err = l.at(index(place, l.v.Len()))
		return err
	})
	return row, ok, err
}

// index converts a place from 1, or a negative place from the end, to a place from 0 in a ranking of n. The result is negative for a place
// before the first.
func index(place, n int) int {
	if place < 0 {
		return n + place
	}
	return place - 1
}

// Top implements Ranking.
func (r *reader) Top(rows int) (list []Row, err error) {
	if err := r.checkCounts(rows); err != nil {
		return nil, err
	}
	err = r.look(func(l *Look) (err error) {
		list, err = l.Rows(0, rows)
		return err
	})
	return list, err
}

// Places implements Ranking.
func (r *reader) Places(first, last int) (rows []Row, err error) {
	err = r.look(func(l *Look) (err error) {
		n := l.v.Len()
		rows, err = l.Rows(index(first, n), index(last, n)+1)
		return err
	})
	return rows, err
}

// Around implements Ranking.
func (r *reader) Around(member string, each int) (rows []Row, ok bool, err error) {
	if err := r.checkCounts(each); err != nil {
		return nil, false, err
	}
	err = r.look(func(l *Look) (err error) {
		var place int
		if place, ok = l.v.Rank([]byte(member)); ok {
			rows, err = l.Around(place, each)
		}
		return err
	})
	return rows, ok && err == nil, err
}

// Around returns the row of a place, from 0, with each rows before it and each after. Near an end of the ranking the other side has more.
// O(log n + rows).
func (l *Look) Around(place, each int) ([]Row, error) {
	each = min(each, l.v.Len())
	return l.Rows(l.window(place-each, 2*each+1))
}

// AroundScore implements Ranking.
func (r *reader) AroundScore(score rules.Score, each int) (rows []Row, err error) {
	if err := r.checkCounts(each); err != nil {
		return nil, err
	}
	if score, err = r.check(score); err != nil {
		return nil, err
	}
	err = r.look(func(l *Look) (err error) {
		each := min(each, l.v.Len())
		place := l.newPlace(score)
		rows, err = l.Rows(l.window(place-each, 2*each))
		return err
	})
	return rows, err
}

// Card implements Ranking.
func (r *reader) Card(member string, top, each int) (card Card, err error) {
	if err := r.checkCounts(top, each); err != nil {
		return card, err
	}
	err = r.look(func(l *Look) (err error) {
		card.Len = l.v.Len()
		if card.Top, err = l.Rows(0, top); err != nil {
			return err
		}
		var place int
		card.Own, place, card.Ranked, err = l.Find(member)
		if card.Ranked {
			card.Around, err = l.Around(place, each)
		}
		return err
	})
	if err != nil {
		return Card{}, err
	}
	return card, nil
}
