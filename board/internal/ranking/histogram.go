package ranking

import (
	"context"
	"fmt"
	"math/bits"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/rules"
)

// Histogram implements Ranking.
func (r *reader) Histogram(ctx context.Context, bins int) (list []board.Bin, err error) {
	if bins < 1 || bins > board.MaxBins {
		return nil, r.fault(fmt.Errorf("%w: %d bins, want 1 to %d", board.ErrCount, bins, board.MaxBins))
	}
	l, err := r.look(ctx)
	if err != nil {
		return nil, err
	}
	defer l.done(&err)
	return l.histogram(bins), nil
}

// histogram returns the bins. The members of a bin are those up to its worst value, less those up to the worst value of the bin before, so
// that each member is counted once, however the edges are rounded. Members without a value in the first column have a bin of their own. O(bins log n).
func (l *Look) histogram(bins int) (list []board.Bin) {
	lo, hi := 0, l.n
	if lo < hi && l.value(l.codeAt(0)).IsAbsent() {
		lo = l.upTo(l.codeAt(0))
		list = append(list, board.Bin{Best: rules.Absent, Worst: rules.Absent, Members: lo})
	}
	if lo < hi && l.value(l.codeAt(hi-1)).IsAbsent() {
		hi = l.upTo(l.codeAt(hi-1) - 1)
	}
	if lo < hi {
		list = append(list, l.binsOf(bins, lo, hi)...)
	}
	if hi < l.n {
		list = append(list, board.Bin{Best: rules.Absent, Worst: rules.Absent, Members: l.n - hi})
	}
	return list
}

// binsOf returns the bins of the entries with the places [lo, hi), which have values in the first column.
func (l *Look) binsOf(bins, lo, hi int) []board.Bin {
	edge := l.edges(bins, l.codeAt(lo), l.codeAt(hi-1))
	list := make([]board.Bin, bins)
	best, before := edge(0), lo // before: the members up to the bin
	for i := range list {
		worst := edge(i + 1)
		upTo := l.upTo(worst)
		list[i] = board.Bin{Best: l.value(best), Worst: l.value(worst), Members: upTo - before}
		best, before = worst, upTo
	}
	return list
}

// upTo returns the number of entries whose code of the first column is at most that. O(log n).
func (l *Look) upTo(code uint64) int {
	last := (code+1)<<(64-l.rules.FirstBits()) - 1 // the last score of the set with that value in the first column
	return min(l.v.SeekAfter(int64(last^signBit), nil), l.n)
}

// signBit is inverted in a score of the set, which is signed.
const signBit = 1 << 63

// edges returns a function that returns edge i, 0 to bins, of bins of equal width from best to worst, as a code of the first column: the highest bits of a score
// of the set. The edges ascend from the best value to the worst. The function is called in the order of i.
func (l *Look) edges(bins int, best, worst uint64) func(i int) uint64 {
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
