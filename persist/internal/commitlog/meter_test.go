package commitlog

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestMeter compares the meter with a list of all groups.
func TestMeter(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	var m Meter
	sizes := map[uint64]int64{}
	next, start := uint64(1), uint64(1)
	for range 2000 {
		n := 50 + rng.IntN(5000)
		m.Add(next, n)
		sizes[next] = int64(n)
		next += 1 + uint64(rng.IntN(3))
		if rng.IntN(100) == 0 {
			start += rng.Uint64N(next - start + 1)
			m.Cut(start)
		}
		var want int64
		for first, n := range sizes {
			if first >= start {
				want += n
			}
		}
		require.InDelta(t, want, m.Size(), markEvery+5050)
	}
	m.Cut(next)
	require.Zero(t, m.Size())
}
