package commitlog

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestMeter compares the meter with a list of all groups. Some are kept though they are covered.
func TestMeter(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	var m Meter
	sizes := map[uint64]int64{}
	next, start, kept := uint64(1), uint64(1), uint64(1)
	after := func(seq uint64) (total int64) {
		for first, n := range sizes {
			if first >= seq {
				total += n
			}
		}
		return total
	}
	for range 2000 {
		n := 50 + rng.IntN(5000)
		m.Add(next, n)
		sizes[next] = int64(n)
		next += 1 + uint64(rng.IntN(3))
		if rng.IntN(100) == 0 {
			start += rng.Uint64N(next - start + 1)
			if rng.IntN(2) == 0 {
				kept += rng.Uint64N(start - kept + 1)
			}
			m.Cut(kept, start)
		}
		require.InDelta(t, after(start), m.Size(), markEvery+5050)
		if n := rng.Int64N(200 << 10); after(kept) >= n+markEvery+5050 {
			from := m.Keep(n)
			require.GreaterOrEqual(t, from, kept)
			require.GreaterOrEqual(t, after(from), n)
			require.LessOrEqual(t, after(from), n+markEvery+2*5050)
		}
	}
	m.Cut(next, next)
	require.Zero(t, m.Size())
}
