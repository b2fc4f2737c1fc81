package ranking

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLayoutMoves: between two layouts exactly those members have two parts that Move names, and all others have the same part in both.
func TestLayoutMoves(t *testing.T) {
	for n := 1; n < MaxParts; n++ {
		for _, l := range []Layout{{n, n + 1}, {n + 1, n}} {
			from, to := l.Move()
			require.Equal(t, n+1, l.Sets())
			moving := 0
			for i := range 1000 {
				member := fmt.Append(nil, "player ", i)
				home, old := l.Homes(member)
				require.Equal(t, PartOf(member, l.To), home)
				require.Equal(t, PartOf(member, l.From), old)
				if home != old {
					moving++
					require.Equal(t, []int{from, to}, []int{old, home})
				}
			}
			require.Positive(t, moving)
			require.Equal(t, Steady(l.To), l.Done())
		}
	}
}

// TestLayoutNext: from any size to any other, the layouts follow until the limit is met, and then stay. No size makes a part that was split be merged at once.
func TestLayoutNext(t *testing.T) {
	for _, limit := range []int{1, 2, 3, 10, 1000} {
		l := Steady(1)
		for _, members := range []int{0, 1, 5 * limit, 2*limit + 1, 2 * limit, 70 * limit, limit, 0} {
			for next, ok := l.Next(members, limit); ok; next, ok = l.Next(members, limit) {
				require.False(t, next.IsSteady())
				done := next.Done()
				again, more := done.Next(members, limit)
				require.False(t, more && again.To == l.To, "%d members, limit %d: %v, %v", members, limit, l, next)
				l = done
			}
			require.True(t, members <= l.To*limit || l.To == MaxParts)
			require.True(t, l.To == 1 || 2*members >= (l.To-1)*limit)
		}
		require.Equal(t, Steady(1), l)
		require.Equal(t, Steady(3), LayoutFor(2*limit+1, limit))
	}
	require.Equal(t, Steady(1), LayoutFor(0, 5))
	require.Equal(t, Steady(MaxParts), LayoutFor(1<<30, 5))
}

// TestLayoutIsFull: of a ranking that should be split some part is full, if its members are spread evenly, and of a smaller one none is.
func TestLayoutIsFull(t *testing.T) {
	const limit = 64
	for n := 1; n < MaxParts; n++ {
		for _, total := range []int{n*limit - 2*MaxParts, n*limit + 2*MaxParts} {
			full := 0
			for part := range n {
				share := 0
				for address := range uint64(MaxParts) {
					if PartAddress(address, n) == part {
						share++
					}
				}
				if Steady(n).IsFull(part, total*share/MaxParts, limit) {
					full++
				}
			}
			require.Equal(t, total > n*limit, full > 0, "%d parts, %d members", n, total)
		}
	}
	require.False(t, Steady(MaxParts).IsFull(0, 1<<20, limit))
}

// TestLayoutText: a layout has one stored form, and nothing else is one.
func TestLayoutText(t *testing.T) {
	for _, l := range []Layout{{1, 1}, {1, 2}, {64, 63}, {64, 64}} {
		got, err := ParseLayout(l.String())
		require.NoError(t, err)
		require.Equal(t, l, got)
	}
	require.Equal(t, "4 5", Layout{4, 5}.String())
	for _, text := range []string{"", "4", "4 6", "0 1", "64 65", "4  5", "04 5", "a b", "4 5 ", "-1 0"} {
		_, err := ParseLayout(text)
		require.Error(t, err, text)
	}
}
