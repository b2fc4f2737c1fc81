package ranking

import (
	"context"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/rules"
)

// Percentile implements Ranking.
func (r *reader) Percentile(ctx context.Context, member string) (p board.Percentile, ok bool, err error) {
	l, err := r.look(ctx)
	if err != nil {
		return p, false, err
	}
	defer l.done(&err)
	score, ok := l.score(member)
	if ok = ok && l.has(member); ok {
		p = percentileOf(l.first(score), l.end(score), l.n)
	}
	return p, ok, nil
}

// percentileOf returns the percentile of equals at the places [first, end) of n.
func percentileOf(first, end, n int) board.Percentile {
	p := board.Percentile{Ahead: 100, Top: (100*(first+1) + n - 1) / n}
	if n > 1 {
		p.Ahead = 100 * float64(n-end) / float64(n-1)
	}
	return p
}

// AtPercentile implements Ranking.
func (r *reader) AtPercentile(ctx context.Context, percent float64) (row board.Row, ok bool, err error) {
	if !(percent >= 0 && percent <= 100) { // false for NaN
		return row, false, nil
	}
	l, err := r.look(ctx)
	if err != nil {
		return row, false, err
	}
	defer l.done(&err)
	return l.at(max(rules.InBest(percent, l.n), 1) - 1)
}
