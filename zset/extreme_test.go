package zset

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/invariants"
)

// TestExtremeNumbers passes the greatest and least integers as counts, ranks and limits.
func TestExtremeNumbers(t *testing.T) {
	s, err := New(Options{MaxListpackEntries: -1})
	require.NoError(t, err)
	for i := range 1000 {
		s.Add(fmt.Appendf(nil, "m%05d", i), float64(i))
	}
	entries, next := s.AppendScan(nil, 0, math.MaxInt)
	require.Len(t, entries, 1000)
	require.Zero(t, next)

	n := 0
	for range s.RevRange(s.Reverse(math.MinInt, math.MaxInt)) {
		n++
	}
	require.Equal(t, 1000, n)
	require.Len(t, s.AppendRandom(nil, rand.New(rand.NewPCG(1, 2)), math.MaxInt), 1000)

	capped := Options{Cap: 100, Reserve: math.MaxInt}
	s, err = New(capped)
	require.NoError(t, err)
	added, err := s.Add([]byte("a"), 1)
	require.True(t, added)
	require.NoError(t, err)
	b, err := NewBuilder(capped)
	require.NoError(t, err)
	require.NoError(t, b.Add([]byte("a"), 1))
	require.Equal(t, 1, b.Set().Len())
}

// TestUpdatesGiveMemoryBack removes most members between HoldPages and ReleasePages, when no record may move. Later updates must free the
// memory.
func TestUpdatesGiveMemoryBack(t *testing.T) {
	n := 50_000
	if invariants.Enabled {
		n = 5000
	}
	s, err := New(Options{})
	require.NoError(t, err)
	name := func(i int) []byte { return fmt.Appendf(nil, "m%019d", i) }
	for i := range n {
		s.Add(name(i), float64(i))
	}
	s.HoldPages()
	for i := range n {
		if i%10 != 0 {
			s.Remove(name(i))
		}
	}
	held := s.Size()
	s.ReleasePages()
	for i := range n {
		s.Add(name(i/10*10), float64(i))
	}
	if !invariants.Enabled { // with invariant checks the set has too few slabs to free one
		require.Less(t, s.Size(), held/2)
	}
}
