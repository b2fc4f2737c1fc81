package members

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/invariants"
)

// TestScanOfStill visits every member exactly once if nothing changes, whatever the size of the calls.
func TestScanOfStill(t *testing.T) {
	for _, n := range []int{0, 1, 10, 168, 169, 2000} {
		for _, count := range []int{1, 7, 100, 1 << 30} {
			o := newOwner()
			for i := range n {
				o.add(mixed(i))
			}
			seen, calls := map[string]int{}, 0
			for cursor, done := uint64(0), false; !done; done = cursor == 0 {
				before := len(seen)
				cursor = o.table.Scan(cursor, count, func(ref uint32) { seen[string(o.table.Member(ref))]++ })
				calls++
				require.True(t, cursor == 0 || len(seen)-before >= count)
			}
			require.Len(t, seen, n)
			for member, times := range seen {
				require.Equal(t, 1, times, member)
			}
			require.LessOrEqual(t, calls, n/count+1)
		}
	}
}

// TestScanOfMoving changes the table between calls, a little or beyond recognition: members that stay are all visited.
func TestScanOfMoving(t *testing.T) {
	seeds, most := 40, 12_000
	if invariants.Enabled {
		seeds, most = 4, 1000
	}
	for seed := range seeds {
		rng := rand.New(rand.NewPCG(uint64(seed), 9))
		o := newOwner()
		stay := 1 + rng.IntN(most/4)
		for i := range stay {
			o.add(fmt.Sprint("stay", i))
		}
		var others []string
		turn := func() {
			switch rng.IntN(3) {
			case 0:
				for range rng.IntN(most) {
					others = append(others, fmt.Sprint("other", rng.Uint64()))
					o.add(others[len(others)-1])
				}
			case 1:
				keep := rng.IntN(len(others) + 1)
				for _, member := range others[keep:] {
					o.remove(t, member)
				}
				others = others[:keep]
			}
		}
		turn()
		seen := map[string]bool{}
		for cursor, calls := uint64(0), 0; calls == 0 || cursor != 0; calls++ {
			cursor = o.table.Scan(cursor, 1+rng.IntN(1+o.table.Len()/20), func(ref uint32) {
				seen[string(o.table.Member(ref))] = true
			})
			require.Less(t, calls, 2000, "seed %d", seed)
			turn()
		}
		for i := range stay {
			require.True(t, seen[fmt.Sprint("stay", i)], "seed %d: %d of %d", seed, i, stay)
		}
	}
}

// TestScanOfAnyCursor gives Scan cursors that it has not made.
func TestScanOfAnyCursor(t *testing.T) {
	o := newOwner()
	n := 20_000
	if invariants.Enabled {
		n = 2000
	}
	for i := range n {
		o.add(mixed(i))
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for range 1000 {
		cursor := rng.Uint64() >> rng.IntN(64)
		for calls := 0; cursor != 0 && calls < 5; calls++ {
			cursor = o.table.Scan(cursor, 10, func(uint32) {})
		}
	}
}
