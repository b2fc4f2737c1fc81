package members

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/invariants"
)

// TestScan scans a table that does not change, in calls of several sizes. Each member must come exactly once.
func TestScan(t *testing.T) {
	for _, count := range []int{0, 1, 100, 179, 180, 181, 5000} {
		o := newOwner(0)
		for i := range count {
			o.add(mixed(i))
		}
		for _, n := range []int{-1, 0, 1, 10, 1000, 1 << 30} {
			seen, cursor, calls := map[string]bool{}, uint64(0), 0
			for {
				before := len(seen)
				cursor = o.Scan(cursor, n, func(ref uint32) {
					require.False(t, seen[o.refs[ref]])
					seen[o.refs[ref]] = true
				})
				if calls++; cursor == 0 {
					break
				}
				require.GreaterOrEqual(t, len(seen)-before, max(n, 1))
			}
			require.Len(t, seen, count)
			require.LessOrEqual(t, calls, 1+count/max(n, 1))
		}
	}
}

// TestScanWhileChanging adds, removes and moves many records between calls of Scan. Each member that stays in the table must come at least
// once.
func TestScanWhileChanging(t *testing.T) {
	seeds, mass := 60, 6_000
	if invariants.Enabled {
		seeds, mass = 20, 300
	}
	for seed := range seeds {
		rng := rand.New(rand.NewPCG(uint64(seed), 3))
		o := newOwner(0)
		next := 0
		add := func(n int) {
			for range n {
				o.add(mixed(next))
				next++
			}
		}
		add(rng.IntN(mass))
		stays := map[string]bool{} // in the table since the first call, and not seen yet
		for m := range o.text {
			stays[m] = true
		}
		calls := 0
		for cursor := uint64(0); calls == 0 || cursor != 0; calls++ {
			require.Less(t, calls, 1_000_000)
			cursor = o.Scan(cursor, 1+rng.IntN(200), func(ref uint32) {
				m, ok := o.refs[ref]
				require.True(t, ok)
				delete(stays, m)
			})
			switch rng.IntN(8) {
			case 0:
				if calls < 100 {
					add(rng.IntN(mass))
				}
			case 1, 2:
				keep := rng.IntN(101)
				for m := range o.text {
					if rng.IntN(100) >= keep {
						delete(stays, m)
						o.remove(t, m)
					}
				}
			case 3:
				if calls < 100 {
					add(rng.IntN(50))
				}
			case 4:
				o.shrink(t, rng.IntN(5000))
			}
		}
		require.Empty(t, stays, "seed %d", seed)
	}
}

// TestStart compares a bucket's first hash with the hashes beside it.
func TestStart(t *testing.T) {
	for _, n := range []int{16, 32, 64, 96} {
		for depth := range uint8(40) {
			q := table{buckets: make([]bucket, n), depth: depth}
			for g := range n {
				h := q.start(g)
				require.Less(t, h>>1, uint64(1)<<(63-depth))
				require.Equal(t, g, q.home(h), "bucket %d of %d at depth %d", g, n, depth)
				if g > 0 {
					require.Equal(t, g-1, q.home(h-1), "bucket %d of %d at depth %d", g, n, depth)
				}
			}
		}
	}
}
