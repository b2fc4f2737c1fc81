package ranking

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/rules"
)

// TestFirstOfAMillion: the first is in the top 1 percent, not the top 0 (tahrir #328), and the last is ahead of nobody. rules.InBest is the inverse.
func TestFirstOfAMillion(t *testing.T) {
	const n = 1_000_000
	require.Equal(t, board.Percentile{Ahead: 100, Top: 1}, percentileOf(0, 1, n))
	require.Equal(t, board.Percentile{Ahead: 0, Top: 100}, percentileOf(n-1, n, n))
	require.Equal(t, board.Percentile{Ahead: 100, Top: 100}, percentileOf(0, 1, 1))
	require.Equal(t, board.Percentile{Ahead: 0, Top: 1}, percentileOf(0, n, n), "all are equal: nobody is ahead, and all are among the best")
	require.Equal(t, 1, percentileOf(9999, 10000, n).Top)
	require.Equal(t, 2, percentileOf(10000, 10001, n).Top)
	for place := range 1000 {
		p := percentileOf(place, place+1, 1000)
		require.GreaterOrEqual(t, rules.InBest(float64(p.Top), 1000), place+1)
		require.Less(t, rules.InBest(float64(p.Top-1), 1000), place+1)
	}
}
