package ranking

import "math"

// Percentile implements Ranking.
func (r *reader) Percentile(member string) (p Percentile, ok bool, err error) {
	l, err := r.look()
	if err != nil {
		return p, false, err
	}
	defer l.done()
	score, ok := l.score(member)
	if ok = ok && l.has(member); ok {
		p = percentileOf(l.first(score), l.end(score), l.n)
	}
	return p, ok, nil
}

// percentileOf returns the percentile of equals at the places [first, end) of n.
func percentileOf(first, end, n int) Percentile {
	p := Percentile{Ahead: 100, Top: (100*(first+1) + n - 1) / n}
	if n > 1 {
		p.Ahead = 100 * float64(n-end) / float64(n-1)
	}
	return p
}

// AtPercentile implements Ranking.
func (r *reader) AtPercentile(percent float64) (row Row, ok bool, err error) {
	if !(percent >= 0 && percent <= 100) { // false for NaN
		return row, false, nil
	}
	l, err := r.look()
	if err != nil {
		return row, false, err
	}
	defer l.done()
	return l.at(max(within(percent, l.n), 1) - 1)
}

// within returns how many of n members are in the best percent. It rounds down. A product that differs from an integer only by the rounding of
// float64 counts as that integer, so that 100*place/n percent includes the place.
func within(percent float64, n int) int {
	exact := percent * float64(n) / 100
	if near := math.Round(exact); math.Abs(exact-near) <= near*1e-12 {
		return int(near)
	}
	return int(exact)
}
