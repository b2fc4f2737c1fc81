package rules

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSums: Subtract is the inverse of Add where both are in range, and Total is the sum in numbers of any size, limited to int64.
func TestSums(t *testing.T) {
	r, err := New([]Column{{}, {Decimals: 2, Order: Asc}}, Sum, FirstToReach)
	require.NoError(t, err)
	rng := rand.New(rand.NewPCG(1, 2))
	some := []int64{0, 1, -1, 7, math.MaxInt64, math.MinInt64, math.MaxInt64 - 1, math.MinInt64 + 1, 1 << 62, -1 << 62}
	for range 20_000 {
		var scores []Score
		var sums [2]big.Int
		for range 1 + rng.IntN(4) {
			x, y := some[rng.IntN(len(some))], some[rng.IntN(len(some))]
			scores = append(scores, Values(Int(x), Decimal(y, 2)))
			sums[0].Add(&sums[0], big.NewInt(x))
			sums[1].Add(&sums[1], big.NewInt(y))
		}
		limited := func(i int) int64 {
			switch {
			case sums[i].IsInt64():
				return sums[i].Int64()
			case sums[i].Sign() < 0:
				return math.MinInt64
			default:
				return math.MaxInt64
			}
		}
		want := Values(Int(limited(0)), Decimal(limited(1), 2))
		require.Equal(t, want, r.Total(slices.Values(scores)))
		total := r.Total(slices.Values(scores[1:]))
		if sum, ok := r.Add(total, scores[0]); ok && !r.AtEnd(total) {
			left, ok := r.Subtract(sum, scores[0])
			require.Equal(t, !r.AtEnd(sum), ok)
			if ok {
				require.Equal(t, total, left)
			}
		}
	}
	require.True(t, r.Sums())
}
