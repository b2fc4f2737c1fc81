package zset

import (
	"fmt"
	"iter"
	"math/bits"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// players returns a set of n members of 12 bytes. how says how it is made: by Add, by a builder, from a page, or as a copy.
func players(t *testing.T, n int, how string) *Set {
	s, err := New(Options{})
	require.NoError(t, err)
	b, err := NewBuilder(Options{})
	require.NoError(t, err)
	for i := range n {
		member := fmt.Appendf(nil, "player:%05d", i*7919%100_000)
		_, err := s.Add(member, float64(i*104729%1000))
		require.NoError(t, err)
		require.NoError(t, b.Add(member, float64(i*104729%1000)))
	}
	switch how {
	case "built":
		return b.Set()
	case "loaded":
		page := s.AppendPage(nil, 0)
		require.NoError(t, b.LoadPages(1, 1, func(int, int) iter.Seq2[[]byte, error] {
			return func(yield func([]byte, error) bool) { yield(page, nil) }
		}))
		return b.Set()
	case "copied":
		return s.Copy()
	case "held":
		s.HoldPages()
		s.ReleasePages()
	}
	return s
}

// TestOverhead measures the memory of a small set without its entries: the Set, and the unused bytes of its listpack's block.
func TestOverhead(t *testing.T) {
	const perEntry = 8 + 12 + 1 // key, member, length
	if bits.UintSize != 64 {
		t.Skip("skipped: the sizes are those of 64 bits")
	}
	require.EqualValues(t, 32, unsafe.Sizeof(Set{}), "a block of the allocator has 32 bytes, the next one 48")
	for _, how := range []string{"added", "built", "loaded", "copied", "held"} {
		sumSlack, sumUsed, sets := 0, 0, 0
		for n := 5; n*perEntry < 2000; n++ {
			s := players(t, n, how)
			used := n * perEntry
			slack := s.Size() - int(unsafe.Sizeof(*s)) - used
			require.LessOrEqual(t, slack, used/6+16, "%d entries", n)
			sumSlack, sumUsed, sets = sumSlack+slack, sumUsed+used, sets+1
			if n == 20 {
				t.Logf("%s: 20 entries of %d bytes take %d, the Set %d and unused %d", how, used, s.Size(), unsafe.Sizeof(*s), slack)
				require.LessOrEqual(t, slack, used/8)
			}
		}
		t.Logf("%s: %d sets leave %.1f %% of their listpacks unused", how, sets, 100*float64(sumSlack)/float64(sumUsed))
		require.LessOrEqual(t, 8*sumSlack, sumUsed)
	}
}

// TestRestIsGivenUp brings a set into each state that needs its own rest, and then empties it. The set must then use the shared rest
// again.
func TestRestIsGivenUp(t *testing.T) {
	for name, more := range map[string]func(s *Set){
		"pages held":       func(s *Set) { s.HoldPages() },
		"a large listpack": func(s *Set) { addPlayers(s, 5, 128) },
		"a skiplist":       func(s *Set) { addPlayers(s, 5, 300) },
	} {
		for _, o := range []Options{{}, {TieWidth: 16}, {MaxListpackMember: 100}, {Cap: 1000}, {Cap: 1000, DenseRanks: true},
			{TieWidth: 40, ScoreTie: 24, DenseRanks: true}} {
			s, err := New(o)
			require.NoError(t, err)
			addPlayers(s, 0, 5)
			size, shared := s.Size(), s.rest
			more(s)
			require.NotSame(t, shared, s.rest, name)
			require.Greater(t, s.Size(), size, name)
			again := s.emptyLike()
			require.Same(t, shared, again.rest, name)
			s.ReleasePages()
			s.RemoveRange(0, s.Len())
			require.Same(t, shared, s.rest, name)
			require.Equal(t, "listpack", s.Encoding())
			addPlayers(s, 0, 5)
			require.Equal(t, size, s.Size(), name)
			require.NoError(t, s.Check())
		}
	}
}

func addPlayers(s *Set, from, to int) {
	for i := from; i < to; i++ {
		_, _ = s.Add(fmt.Appendf(nil, "player:%05d", i), float64(i))
	}
}
