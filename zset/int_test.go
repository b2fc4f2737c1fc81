package zset

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestEndsOfInt64 puts the lowest and the highest integers into one set. Their keys are 0 and 2^64-1, so arithmetic with them may
// overflow.
func TestEndsOfInt64(t *testing.T) {
	ends := []int64{math.MaxInt64, math.MinInt64, math.MaxInt64 - 1, math.MinInt64 + 1, 0}
	for _, v := range plain {
		for _, first := range ends {
			for _, second := range ends {
				p := newPair(freshOf[int64](v, 0))
				require.NoError(t, p.add("a", nil, first))
				require.NoError(t, p.compare(), "%s: %d", v.name, first)
				require.NoError(t, p.add("b", nil, second))
				require.NoError(t, p.compare(), "%s: %d, %d", v.name, first, second)
				require.NoError(t, p.remove("a"))
				require.NoError(t, p.compare(), "%s: %d", v.name, second)
			}
		}
	}
}
