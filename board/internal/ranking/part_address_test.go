package ranking

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestOf: stored boards depend on the part of a member.
func TestOf(t *testing.T) {
	require.Equal(t, []int{0, 0, 0, 0, 16}, []int{PartOf([]byte("ada"), 1), PartOf([]byte("ada"), 2), PartOf([]byte("ada"), 4), PartOf([]byte("ada"), 5), PartOf([]byte("ada"), MaxParts)})
}

// TestAddress: with one more part, about half of the members of one part go to it, and no other member moves. Parts have equal shares of their level.
func TestAddress(t *testing.T) {
	const members = 10_000
	for n := 1; n < MaxParts; n++ {
		sizes, from := make([]int, n+1), map[int]int{}
		for i := range members {
			member := fmt.Appendf(nil, "player %d", i)
			was, is := PartOf(member, n), PartOf(member, n+1)
			require.Less(t, is, n+1)
			if sizes[is]++; was != is {
				require.Equal(t, n, is)
				from[was]++
			}
		}
		require.Len(t, from, 1)
		require.InDelta(t, members/(n+1), sizes[n], float64(members/(n+1))/1.2)
	}
}
