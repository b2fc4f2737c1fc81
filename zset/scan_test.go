package zset

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/invariants"
)

// TestScanOfStill scans a set that does not change. Every member must come once, with its score and tie.
func TestScanOfStill(t *testing.T) {
	for _, n := range []int{0, 1, 100, 128, 129, 3000} {
		for _, count := range []int{-1, 1, 10, 5000} {
			s, err := New(Options{TieWidth: 8})
			require.NoError(t, err)
			for i := range n {
				_, err := s.AddTied(fmt.Appendf(nil, "m%d", i), fmt.Appendf(nil, "%08d", i), float64(i))
				require.NoError(t, err)
			}
			seen := map[string]bool{}
			for cursor, first := uint64(0), true; first || cursor != 0; first = false {
				var entries []Entry
				entries, cursor = s.AppendScan(nil, cursor, count)
				for _, e := range entries {
					require.False(t, seen[string(e.Member)])
					seen[string(e.Member)] = true
					score, tie, ok := s.Get(e.Member)
					require.True(t, ok)
					require.Equal(t, score, e.Score)
					require.Equal(t, tie, e.Tie)
				}
			}
			require.Len(t, seen, n)
		}
	}
}

// TestScanOfChanging changes a set between the calls of a scan, so that it becomes a skiplist, grows, shrinks and becomes empty. Each
// member that stays must be returned.
func TestScanOfChanging(t *testing.T) {
	seeds, most := 60, 4000
	if invariants.Enabled {
		seeds, most = 6, 600
	}
	for seed := range seeds {
		rng := rand.New(rand.NewPCG(uint64(seed), 7))
		s, err := New(Options{})
		require.NoError(t, err)
		stay := rng.IntN(200)
		for i := range stay {
			s.Add(fmt.Appendf(nil, "stay%d", i), rng.Float64())
		}
		change := func() {
			if rng.IntN(3) == 0 {
				for range rng.IntN(most) {
					s.Add(fmt.Appendf(nil, "other%d", rng.Uint64()), 1+rng.Float64())
				}
			} else {
				s.RemoveRange(stay+rng.IntN(1+s.Len()-stay), s.Len())
			}
			if stay == 0 && rng.IntN(3) == 0 {
				s.RemoveRange(0, s.Len())
			}
		}
		change()
		seen := map[string]bool{}
		for cursor, calls := uint64(0), 0; calls == 0 || cursor != 0; calls++ {
			var entries []Entry
			entries, cursor = s.AppendScan(nil, cursor, 1+rng.IntN(1+s.Len()/10))
			for _, e := range entries {
				seen[string(e.Member)] = true
			}
			require.Less(t, calls, 5000, "seed %d", seed)
			change()
		}
		for i := range stay {
			require.True(t, seen[fmt.Sprint("stay", i)], "seed %d: member %d of %d", seed, i, stay)
		}
	}
}
