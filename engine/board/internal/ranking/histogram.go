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
	if l.n == 0 {
		return nil
	}
	edge, shift := l.edges(bins), 64-l.rules.FirstBits()
	list := make([]Bin, bins)
	best, before := edge(0), 0 // before: the members in the bins so far
	for i := range list {
		worst := edge(i + 1)
		last := (worst+1)<<shift - 1 // the last score of the set with that value in the first column
		upTo := min(l.v.SeekAfter(int64(last^signBit), nil), l.n)
		list[i] = Bin{Best: l.value(best), Worst: l.value(worst), Members: upTo - before}
		best, before = worst, upTo
	}
	return list
}

// signBit is inverted in a score of the set, which is signed.
const signBit = 1 << 63

// edges returns a function that returns edge i, 0 to bins, of bins of equal width, as a code of the first column: the highest bits of a score
// of the set. The edges ascend from the best value to the worst. The function is called in the order of i.
func (l *Look) edges(bins int) func(i int) uint64 {
	best, worst := l.codeAt(0), l.codeAt(l.n-1)
	if l.value(best).IsFloat() {
		from, to, last := l.value(best).Float(), l.value(worst).Float(), best
		return func(i int) uint64 {
			part := float64(i) / float64(bins)
			exact := rules.Float(from*(1-part) + to*part)          // from + (to-from)*part could overflow
			last = min(max(l.rules.FirstCode(exact), last), worst) // rounding must not reverse the order of the edges
			return last
		}
	}
	width := worst - best
	return func(i int) uint64 {
		high, low := bits.Mul64(width, uint64(i))
		offset, _ := bits.Div64(high, low, uint64(bins))
		return best + offset
	}
}

// codeAt returns the code of the first column of the entry at a place of the ranking.
func (l *Look) codeAt(place int) uint64 {
	e, _ := l.v.entry(place)
	return (uint64(e.Score) ^ signBit) >> (64 - l.rules.FirstBits())
}

// value returns the value of the first column with a code.
func (l *Look) value(code uint64) rules.Value {
	return l.rules.FirstColumn(int64(code<<(64-l.rules.FirstBits()) ^ signBit))
}
