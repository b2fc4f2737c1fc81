package local

import (
	"context"
	"math"
	"math/big"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/rules"
)

// histograms checks that the bins cover the values of the first column, have equal width, and contain every member once.
func (a *readChecker) histograms() {
	for _, bins := range []int{1, 2, 3, 7, 100} {
		list, err := a.r.Histogram(context.Background(), bins)
		if len(a.want) == 0 {
			a.expect(list == nil, err, "Histogram", bins)
			continue
		}
		a.expect(len(list) == bins, err, "Histogram", bins, list)
		best, worst := a.want[0].Score.At(0), a.want[len(a.want)-1].Score.At(0)
		a.expect(list[0].Best == best && list[bins-1].Worst == worst, nil, "ends", bins, list)
		sum := 0
		for i, bin := range list {
			a.expect(i == 0 || bin.Best == list[i-1].Worst, nil, "edges", bins, i, list)
			a.expect(bin.Worst == a.edge(best, worst, i+1, bins) || best.IsFloat() && near(bin.Worst, best, worst, i+1, bins), nil, "width", bins, i, list)
			members := 0
			for _, row := range a.want {
				v := row.Score.At(0)
				if a.compareValues(0, v, bin.Worst) <= 0 && (a.compareValues(0, bin.Best, v) < 0 || i == 0 && bin.Best == v) {
					members++
				}
			}
			a.expect(bin.Members == members, nil, "members", bins, i, list)
			sum += bin.Members
		}
		a.expect(sum == len(a.want), nil, "sum", bins, list)
	}
}

// edge returns the worst value of bin i-1, computed with big integers. It returns the zero Value for float64 columns.
func (a *readChecker) edge(best, worst board.Value, i, bins int) board.Value {
	if best.IsFloat() {
		return board.Value{}
	}
	from, to := big.NewInt(whole(best.Units())), big.NewInt(whole(worst.Units()))
	width := new(big.Int).Sub(to, from)
	sign := width.Sign()
	offset := width.Abs(width).Mul(width, big.NewInt(int64(i)))
	offset.Div(offset, big.NewInt(int64(bins))) // towards the best
	if sign < 0 {
		offset.Neg(offset)
	}
	return rules.Decimal(from.Add(from, offset).Int64(), best.Decimals())
}

// near reports whether an edge differs from the exact one only by the rounding of float64.
func near(edge, best, worst board.Value, i, bins int) bool {
	part := float64(i) / float64(bins)
	want := best.Float()*(1-part) + worst.Float()*part
	size := math.Abs(best.Float())/2 + math.Abs(worst.Float())/2
	return math.Abs(edge.Float()/2-want/2) <= size*1e-12+math.SmallestNonzeroFloat64
}
