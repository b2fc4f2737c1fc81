package ranking

import (
	"fmt"
	"math/bits"

	"github.com/zrankdb/zrank/engine/board/internal/errs"
	"github.com/zrankdb/zrank/engine/board/rules"
)

// Histogram implements Ranking.
func (r *reader) Histogram(bins int) (list []Bin, err error) {
	if bins < 1 || bins > MaxBins {
		return nil, r.fault(fmt.Errorf("%w: %d bins, want 1 to %d", errs.ErrCount, bins, MaxBins))
	}
	l, err := r.look()
	if err != nil {
		return nil, err
	}
	defer l.done()
	return l.histogram(bins), nil
}

// histogram returns the bins. The members of a bin are those up to its worst value, less those up to the worst value of the bin before, so
// that each member is counted once, however the edges are rounded. O(bins log n).
func (l *Look) histogram(bins int) []Bin {
	if l.v.Len() == 0 {
		return nil
	}
	edge := l.edges(bins)
	list := make([]Bin, bins)
	best, before := edge(0), 0 // before: the members in the bins so far
	for i := range list {
		worst := edge(i + 1)
		upTo := l.v.SeekAfter(worst, nil)
		list[i] = Bin{Best: l.value(best), Worst: l.value(worst), Members: upTo - before}
		best, before = worst, upTo
	}
	return list
}

// edges returns a function that returns edge i, 0 to bins, of bins of equal width, as a score of the set. The edges ascend from the best value
// of the first column to the worst. The function is called in the order of i.
func (l *Look) edges(bins int) func(i int) int64 {
	best, worst := l.codeAt(0), l.codeAt(l.v.Len()-1)
	if l.value(best).IsFloat() {
		from, to, last := l.value(best).Float(), l.value(worst).Float(), best
		return func(i int) int64 {
			part := float64(i) / float64(bins)
			exact := rules.Float(from*(1-part) + to*part) // from + (to-from)*part could overflow
			code, _ := l.rules.Prefix(nil, rules.Values(exact))
			last = min(max(code, last), worst) // rounding must not reverse the order of the edges
			return last
		}
	}
	width := uint64(worst) - uint64(best)
	return func(i int) int64 {
		high, low := bits.Mul64(width, uint64(i))
		offset, _ := bits.Div64(high, low, uint64(bins))
		return int64(uint64(best) + offset)
	}
}

// codeAt returns the set's score of the entry at a place of the ranking: the code of its first column.
func (l *Look) codeAt(place int) int64 {
	for _, score := range l.v.Range(place, place+1) {
		return score
	}
	return 0
}

// value returns the value of the first column that a score of the set encodes.
func (l *Look) value(score int64) rules.Value {
	var tie [rules.MaxTie]byte
	return l.rules.Decode(score, tie[:l.rules.TieWidth()]).Score.At(0)
}
