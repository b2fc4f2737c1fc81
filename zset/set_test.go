package zset

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/invariants"
)

// TestMembersOfEveryLength adds members of lengths from 0 to 1 MiB.
func TestMembersOfEveryLength(t *testing.T) {
	for _, v := range plain {
		t.Run(v.name, func(t *testing.T) {
			p := newPair(v.fresh(0))
			for _, n := range []int{0, 1, 20, 63, 64, 65, 127, 128, 8191, 8192, 8193, 65535, 65536, 1 << 20} {
				require.NoError(t, p.add(strings.Repeat("\xff", n), nil, 7))
				require.NoError(t, p.add(strings.Repeat("\x00", n), nil, 7))
			}
			require.NoError(t, p.compare())
			require.NoError(t, p.rebuild())
			require.NoError(t, p.compare())
			require.NoError(t, p.reload())
			require.NoError(t, p.compare())
		})
	}
}

// TestMembersOfAnyBytes adds every member of one byte and many of four, in no order.
func TestMembersOfAnyBytes(t *testing.T) {
	for _, v := range plain {
		p := newPair(v.fresh(0))
		for i := range 256 {
			b := byte(i * 171)
			require.NoError(t, p.add(string([]byte{b}), nil, 1))
			require.NoError(t, p.add(string([]byte{0, b, 0, 255}), nil, 1))
		}
		require.NoError(t, p.compare(), v.name)
		require.NoError(t, p.rebuild())
		require.NoError(t, p.compare(), v.name)
		require.NoError(t, p.reload())
		require.NoError(t, p.compare(), v.name)
	}
}

// TestZeroView calls the methods of the zero value of View.
func TestZeroView(t *testing.T) {
	require.NoError(t, (&pair[float64]{&Set{}, newPair(plain[0].fresh(0)).want}).compare())
	var v IntView
	require.Equal(t, "listpack", v.Encoding())
	require.Zero(t, v.Copy().Len())
	lo, hi := v.MemberInterval(nil, &MemberBound{})
	require.Zero(t, lo+hi)
	member, _, ok := v.Random(nil)
	require.False(t, ok)
	require.Nil(t, member)
}

// TestEmptyStartsSmall empties a skiplist in every way. The empty set must be a listpack, as a new set is: in Redis the key would not exist
// any more.
func TestEmptyStartsSmall(t *testing.T) {
	for name, empty := range map[string]func(s *Set){
		"Remove": func(s *Set) {
			for i := range 200 {
				s.Remove(fmt.Append(nil, i))
			}
		},
		"RemoveRange":          func(s *Set) { s.RemoveRange(0, 200) },
		"RemoveRange in parts": func(s *Set) { s.RemoveRange(50, 200); s.RemoveRange(0, 50) },
		"PopMin":               func(s *Set) { s.PopMin(nil, 1<<30) },
		"PopMax":               func(s *Set) { s.PopMax(nil, 199); s.PopMax(nil, 1) },
	} {
		for _, dense := range []bool{false, true} {
			s, _ := New(Options{DenseRanks: dense})
			p := newPair(s)
			for range 2 {
				for i := range 200 {
					require.NoError(t, p.add(fmt.Sprint(i), nil, float64(i%9)))
				}
				require.Equal(t, "skiplist", s.Encoding())
				require.NoError(t, p.compare())
				empty(s)
				require.Equal(t, "listpack", s.Encoding(), name)
				p.want = newPair(s).want
				require.NoError(t, p.compare(), name)
			}
		}
	}
}

// TestPopNothing pops no entries, or fewer than none.
func TestPopNothing(t *testing.T) {
	for _, v := range plain {
		s := v.fresh(0)
		s.Add([]byte("m"), 1)
		for _, n := range []int{0, -1, math.MinInt} {
			require.Empty(t, s.PopMin(nil, n), v.name)
			require.Empty(t, s.PopMax(nil, n), v.name)
			require.Equal(t, 1, s.Len(), "%s: %d", v.name, n)
		}
	}
}

// TestEncoding: a set must become a skiplist at the 129th entry or at a member of 65 bytes, and stay one, as in Redis.
func TestEncoding(t *testing.T) {
	s, err := New(Options{})
	require.NoError(t, err)
	for i := range 128 {
		s.Add(fmt.Append(nil, i), 0)
	}
	require.Equal(t, "listpack", s.Encoding())
	s.Add([]byte("one more"), 0)
	require.Equal(t, "skiplist", s.Encoding())
	s.PopMin(nil, 120)
	require.Equal(t, "skiplist", s.Encoding())

	s, _ = New(Options{})
	s.Add(make([]byte, 64), 0)
	require.Equal(t, "listpack", s.Encoding())
	s.Add(make([]byte, 65), 0)
	require.Equal(t, "skiplist", s.Encoding())
	require.Equal(t, 2, s.Len())
}

// TestRefused passes invalid scores, ties, members and options. Each must be refused, and the set must not change.
func TestRefused(t *testing.T) {
	for _, v := range plain {
		t.Run(v.name, func(t *testing.T) {
			s := v.fresh(8)
			s.Add([]byte("inf"), math.Inf(1))
			_, err := s.Add([]byte("m"), math.NaN())
			require.ErrorIs(t, err, ErrNaN)
			_, err = s.IncrBy([]byte("inf"), math.Inf(-1)) // as Redis does
			require.ErrorIs(t, err, ErrNaN)
			_, err = s.AddTied([]byte("m"), make([]byte, 7), 1)
			require.ErrorIs(t, err, ErrTieWidth)
			_, err = s.Add(make([]byte, MaxMember+1), 1)
			require.ErrorIs(t, err, ErrMemberTooLong)
			require.Equal(t, 1, s.Len())
			score, ok := s.Score([]byte("inf"))
			require.True(t, ok)
			require.True(t, math.IsInf(score, 1))
		})
	}
	for o, want := range map[Options]string{
		{TieWidth: 48}: "TieWidth is 48, want 0, 8, 16, 24, 32 or 40", {TieWidth: 8, ScoreTie: 16}: "ScoreTie is 16, want a multiple of 8 from 0 to the TieWidth of 8",
		{TieWidth: 8, ScoreTie: 4}: "ScoreTie is 4", {TieWidth: -8, ScoreTie: -8}: "ScoreTie is -8", {ScoreTie: 256}: "ScoreTie is 256",
	} {
		_, err := New(o)
		require.ErrorContains(t, err, want)
	}
	_, err := New(Options{TieWidth: 5, MaxListpackEntries: 1 << 20, MaxListpackMember: MaxMember + 1})
	require.ErrorContains(t, err, "TieWidth is 5")
	require.ErrorContains(t, err, "MaxListpackEntries is 1048576")
	require.ErrorContains(t, err, "MaxListpackMember is 16777217")
}

// TestZero: -0 must be stored, ordered and returned as 0.
func TestZero(t *testing.T) {
	for _, v := range plain {
		t.Run(v.name, func(t *testing.T) {
			s := v.fresh(0)
			s.Add([]byte("b"), math.Copysign(0, -1))
			s.Add([]byte("a"), 0)
			for m, score := range s.Range(0, 2) {
				require.False(t, math.Signbit(score), "%s", m)
			}
			rank, _ := s.Rank([]byte("a"))
			require.Zero(t, rank)
			score, err := s.IncrBy([]byte("b"), math.Copysign(0, -1))
			require.NoError(t, err)
			require.False(t, math.Signbit(score))
		})
	}
}

// TestTieAllocations changes the widest tie of the longest member that a listpack would hold.
func TestTieAllocations(t *testing.T) {
	if invariants.Enabled {
		t.Skip("checks allocate")
	}
	s, _ := New(Options{TieWidth: MaxTieWidth, MaxListpackEntries: -1})
	member, tie := make([]byte, 64), make([]byte, MaxTieWidth)
	for i := range 200 {
		member[0] = byte(i)
		s.AddTied(member, tie, 7)
	}
	require.Zero(t, testing.AllocsPerRun(100, func() {
		tie[0]++
		s.AddTied(member, tie, 7)
	}))
}

// TestPageAllocations copies a page of 100 in a few blocks.
func TestPageAllocations(t *testing.T) {
	for _, n := range []int{128, 5000} {
		s, _ := New(Options{})
		for i := range n {
			s.Add(fmt.Appendf(nil, "member:%013d", i), float64(i))
		}
		page := make([]Entry, 0, 100)
		require.LessOrEqual(t, testing.AllocsPerRun(100, func() { page = s.Append(page[:0], 20, 120) }), 2.0, "%s", s.Encoding())
	}
}

// TestKeys orders keys as scores, both ways.
func TestKeys(t *testing.T) {
	ordered := []float64{math.Inf(-1), -math.MaxFloat64, -1.5, -1, -math.SmallestNonzeroFloat64, 0,
		math.SmallestNonzeroFloat64, 1, math.Nextafter(1, 2), 1 << 53, math.MaxFloat64, math.Inf(1)}
	for i, score := range ordered {
		require.Equal(t, score, scoreOf[float64](keyOf(score)))
		if i > 0 {
			require.Less(t, keyOf(ordered[i-1]), keyOf(score))
		}
	}
	require.Equal(t, keyOf(0.0), keyOf(math.Copysign(0, -1)))
}
