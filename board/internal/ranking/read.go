package ranking

import (
	"context"
	"fmt"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/rules"
)

// checkCounts returns ErrCount if a number of rows is negative.
func (r *reader) checkCounts(numbers ...int) error {
	for _, n := range numbers {
		if n < 0 {
			return r.fault(fmt.Errorf("%w: %d rows", board.ErrCount, n))
		}
	}
	return nil
}

// check returns a score as rules.CheckRanked does.
func (r *reader) check(s rules.Score) (rules.Score, error) {
	s, err := r.rules.CheckRanked(s)
	if err != nil {
		err = r.fault(err)
	}
	return s, err
}

// Len implements Ranking.
func (r *reader) Len(ctx context.Context) (n int, err error) {
	l, err := r.look(ctx)
	if err != nil {
		return 0, err
	}
	defer l.done(&err)
	return l.n, nil
}

// At implements Ranking.
func (r *reader) At(ctx context.Context, place int) (row board.Row, ok bool, err error) {
	l, err := r.look(ctx)
	if err != nil {
		return row, false, err
	}
	defer l.done(&err)
	return l.at(index(place, l.n))
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
func (r *reader) Top(ctx context.Context, rows int) ([]board.Row, error) {
	return r.AppendTop(ctx, nil, rows)
}

// AppendTop implements Ranking.
func (r *reader) AppendTop(ctx context.Context, dst []board.Row, rows int) (all []board.Row, err error) {
	if err := r.checkCounts(rows); err != nil {
		return dst, err
	}
	l, err := r.look(ctx)
	if err != nil {
		return dst, err
	}
	defer l.done(&err)
	return l.AppendRows(dst, 0, rows)
}

// Places implements Ranking.
func (r *reader) Places(ctx context.Context, first, last int) ([]board.Row, error) {
	return r.AppendPlaces(ctx, nil, first, last)
}

// AppendPlaces implements Ranking.
func (r *reader) AppendPlaces(ctx context.Context, dst []board.Row, first, last int) (rows []board.Row, err error) {
	l, err := r.look(ctx)
	if err != nil {
		return dst, err
	}
	defer l.done(&err)
	n := l.n
	return l.AppendRows(dst, index(first, n), index(last, n)+1)
}

// Around implements Ranking.
func (r *reader) Around(ctx context.Context, member string, each int) (rows []board.Row, ok bool, err error) {
	return r.AppendAround(ctx, nil, member, each)
}

// AppendAround implements Ranking.
func (r *reader) AppendAround(ctx context.Context, dst []board.Row, member string, each int) (rows []board.Row, ok bool, err error) {
	if err := r.checkCounts(each); err != nil {
		return dst, false, err
	}
	l, err := r.look(ctx)
	if err != nil {
		return dst, false, err
	}
	defer l.done(&err)
	place, ok := l.place(member)
	if !ok {
		return dst, false, nil
	}
	rows, err = l.AppendAround(dst, place, each)
	return rows, err == nil, err
}

// AppendAround appends the row of a place, from 0, with each rows before it and each after. Near an end of the ranking the other side has
// more. O(log n + rows).
func (l *Look) AppendAround(dst []board.Row, place, each int) ([]board.Row, error) {
	each = min(each, l.n)
	lo, hi := l.window(place-each, 2*each+1)
	return l.AppendRows(dst, lo, hi)
}

// AroundScore implements Ranking.
func (r *reader) AroundScore(ctx context.Context, score rules.Score, each int) (rows []board.Row, err error) {
	if err := r.checkCounts(each); err != nil {
		return nil, err
	}
	if score, err = r.check(score); err != nil {
		return nil, err
	}
	l, err := r.look(ctx)
	if err != nil {
		return nil, err
	}
	defer l.done(&err)
	each = min(each, l.n)
	lo, hi := l.window(l.newPlace(score)-each, 2*each)
	return l.AppendRows(nil, lo, hi)
}

// card returns the Card of a member. Its rows share one slice. O(log n + rows).
func (l *Look) card(member string, top, each int) (card board.Card, err error) {
	card.Len = l.n
	var place int
	if card.Own, place, card.Ranked, err = l.Find(member); err != nil {
		return board.Card{}, err
	}
	top = min(top, card.Len)
	around := 0
	inside := card.Ranked && !card.Own.Beyond
	if inside {
		around = min(2*min(each, card.Len)+1, card.Len)
	}
	rows := make([]board.Row, 0, top+around)
	l.more = around
	if rows, err = l.AppendRows(rows, 0, top); err != nil {
		return board.Card{}, err
	}
	if top = len(rows); top > 0 {
		card.Top = rows[:top:top]
	}
	if inside {
		if rows, err = l.AppendAround(rows, place, each); err != nil {
			return board.Card{}, err
		}
		card.Around = rows[top:]
	}
	return card, nil
}
