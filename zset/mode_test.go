package zset

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestModes checks the ranks of players with scores 50, 40, 40 and 30 under each Mode, in both directions, and the
// ranks of scores that no member has.
func TestModes(t *testing.T) {
	shown := [4][4]int{Ordinal: {1, 2, 3, 4}, Competition: {1, 2, 2, 4}, Modified: {1, 3, 3, 4}, Dense: {1, 2, 2, 3}}
	vacant := []struct {
		score            float64
		forward, reverse [4]int
	}{
		{60, [4]int{4, 4, 4, 3}, [4]int{0, 0, 0, 0}}, {45, [4]int{3, 3, 3, 2}, [4]int{1, 1, 1, 1}},
		{35, [4]int{1, 1, 1, 1}, [4]int{3, 3, 3, 2}}, {20, [4]int{0, 0, 0, 0}, [4]int{4, 4, 4, 3}},
		{40, [4]int{1, 1, 2, 1}, [4]int{1, 1, 2, 1}}, {math.Inf(1), [4]int{4, 4, 4, 3}, [4]int{0, 0, 0, 0}},
		{math.Inf(-1), [4]int{0, 0, 0, 0}, [4]int{4, 4, 4, 3}}, {math.NaN(), [4]int{0, 0, 0, 0}, [4]int{0, 0, 0, 0}},
	}
	for _, v := range plain {
		s, up := v.fresh(0), v.fresh(0)
		for i, score := range []float64{50, 40, 40, 30} {
			s.Add([]byte{"acbd"[i]}, score) // b and c are equal: the higher member comes first from above
			up.Add([]byte{"abcd"[i]}, 80-score)
		}
		for how, ranks := range shown {
			for i, m := range "acbd" {
				got, _ := s.RevRankBy(Mode(how), []byte(string(m)))
				require.Equal(t, ranks[i]-1, got, "%s: %d of %c", v.name, how, m)
			}
			for i, m := range "abcd" {
				got, _ := up.RankBy(Mode(how), []byte(string(m)))
				require.Equal(t, ranks[i]-1, got, "%s: %d of %c", v.name, how, m)
			}
			for _, row := range vacant {
				require.Equal(t, row.forward[how], s.ScoreRank(Mode(how), row.score), "%s: %d of %v", v.name, how, row.score)
				require.Equal(t, row.reverse[how], s.RevScoreRank(Mode(how), row.score), "%s: %d of %v", v.name, how, row.score)
			}
		}
	}
}

// TestGap checks gaps up to the ends of the set and beyond them, with infinite scores and with extreme integers.
func TestGap(t *testing.T) {
	rows := []struct {
		member string
		n      int
		gap    float64
		other  string
	}{
		{"a", 0, 0, "a"}, {"a", 1, 1, "b"}, {"a", 3, 3, "d"}, {"d", 1, 0, "e"}, {"e", -1, 0, "d"}, {"g", -6, -6, "a"}, {"g", 0, 0, "g"},
		{"g", 1, 0, ""}, {"a", -1, 0, ""}, {"a", 7, 0, ""}, {"d", math.MaxInt, 0, ""}, {"d", math.MinInt, 0, ""}, {"nobody", 0, 0, ""},
	}
	inf := math.Inf(1)
	for _, v := range plain {
		s := alphabet(v)
		for _, row := range rows {
			gap, other, ok := s.Gap([]byte(row.member), row.n)
			require.Equal(t, row.other != "", ok, "%s: %v", v.name, row)
			require.Equal(t, row.gap, gap, "%s: %v", v.name, row)
			require.Equal(t, row.other, string(other), "%s: %v", v.name, row)
		}
		for m, score := range map[string]float64{"h": inf, "i": inf, "A": -inf, "B": -inf} {
			s.Add([]byte(m), score)
		}
		for _, row := range []struct {
			member string
			n      int
			gap    float64
		}{{"h", 1, 0}, {"A", 1, 0}, {"A", 10, inf}, {"i", -10, -inf}, {"g", 1, inf}, {"a", -1, -inf}} {
			gap, _, ok := s.Gap([]byte(row.member), row.n)
			require.True(t, ok)
			require.Equal(t, row.gap, gap, "%s: %v", v.name, row)
		}
		ints := freshOf[int64](v, 0)
		ints.Add([]byte("low"), math.MinInt64)
		ints.Add([]byte("high"), math.MaxInt64)
		gap, _, _ := ints.Gap([]byte("low"), 1)
		require.Equal(t, int64(math.MaxInt64), gap)
		gap, _, _ = ints.Gap([]byte("high"), -1)
		require.Equal(t, int64(math.MinInt64), gap)
	}
}

// TestPercentiles checks percentiles in sets of few and of many members: the first of many is not at 0.0 %.
func TestPercentiles(t *testing.T) {
	for _, v := range plain {
		for n, want := range map[int]func(i int) float64{
			1: func(int) float64 { return 100 }, 2: func(i int) float64 { return float64(100 * i) },
			3: func(i int) float64 { return float64(50 * i) }, 101: func(i int) float64 { return float64(i) },
		} {
			s, same := v.fresh(0), v.fresh(0)
			for i := range n {
				s.Add(fmt.Appendf(nil, "%03d", i), float64(i*i))
				same.Add(fmt.Appendf(nil, "%03d", i), 7)
			}
			for i := range n {
				m := fmt.Appendf(nil, "%03d", i)
				percent, ok := s.Percentile(m)
				require.True(t, ok)
				require.Equal(t, want(i), percent, "%s: %d of %d", v.name, i, n)
				if rank, ok := s.AtPercentile(percent); n > 1 {
					require.True(t, ok)
					require.Equal(t, i, rank, "%s: %v", v.name, percent)
				}
				if percent, _ := same.Percentile(m); n > 1 {
					require.Zero(t, percent, "all are equal: nobody is lower")
				}
			}
		}
	}
}

// TestAtPercentile compares AtPercentile with a search through all ranks.
func TestAtPercentile(t *testing.T) {
	s := plain[0].fresh(0)
	_, ok := s.AtPercentile(50)
	require.False(t, ok, "empty")
	for n := 1; n < 130; n++ {
		s.Add(fmt.Append(nil, n), 1)
		for percent := 0; percent <= 100; percent++ {
			want := 0
			for 100*want < percent*(n-1) {
				want++
			}
			rank, ok := s.AtPercentile(float64(percent))
			require.True(t, ok)
			require.Equal(t, want, rank, "%d %% of %d", percent, n)
		}
	}
	for _, percent := range []float64{-1, -5e-324, 100.0001, math.NaN(), math.Inf(1), math.Inf(-1)} {
		_, ok := s.AtPercentile(percent)
		require.False(t, ok, "%v", percent)
	}
	rank, ok := s.AtPercentile(math.Copysign(0, -1))
	require.True(t, ok)
	require.Zero(t, rank)
}

// TestCap adds more entries of equal score than the set's Cap. The tie, then the member, must decide which entries the set drops.
func TestCap(t *testing.T) {
	names := func(s *Set) (list string) {
		for m := range s.Range(0, s.Len()) {
			list += string(m)
		}
		return list
	}
	for _, entries := range []int{0, -1} {
		for _, order := range []string{"abcdef", "fedcba", "cfadbe"} {
			high, _ := New(Options{Cap: 3, MaxListpackEntries: entries, DenseRanks: entries < 0})
			low, _ := New(Options{Cap: 2, Reserve: 1, CapLowest: true, MaxListpackEntries: entries})
			tied, _ := New(Options{Cap: 3, TieWidth: 8, MaxListpackEntries: entries})
			for _, m := range order {
				high.Add([]byte(string(m)), 5)
				low.Add([]byte(string(m)), 5)
				tied.AddTied([]byte(string(m)), fmt.Appendf(nil, "%08d", 'z'-m), 5)
			}
			require.Equal(t, "def", names(high), order)
			require.Equal(t, "abc", names(low), order)
			require.Equal(t, "cba", names(tied), "the highest ties stay, the lowest of them first")

			for c := range conditionRows {
				outcome, err := high.AddIf([]byte("a"), 5, c)
				require.NoError(t, err)
				require.Equal(t, Unchanged, outcome, "no better than the worst")
			}
			added, err := high.Add([]byte("A"), 6)
			require.NoError(t, err)
			require.True(t, added)
			require.Equal(t, "efA", names(high))
			high.Add([]byte("A"), -100)
			require.Equal(t, "Aef", names(high), "an entry that was let in may become the worst")
			require.NoError(t, high.Copy().verifyError())

			lo, hi := low.Best()
			require.Equal(t, [2]int{0, 2}, [2]int{lo, hi})
			low.Remove([]byte("a"))
			lo, hi = low.Best()
			require.Equal(t, "bc", letters(low, lo, hi), "the reserve steps up")
		}
	}
	b, _ := NewBuilder(Options{Cap: 3, Reserve: 1, MaxListpackEntries: -1})
	for i := range 9 {
		_ = b.Add([]byte{byte('a' + i)}, float64(i%2))
	}
	require.Equal(t, "bdfh", names(b.Set()), "a builder keeps the best too")
}

// verifyError returns the result of verify as an error.
func (c *core) verifyError() error {
	if number, found := c.verify(); number != "" {
		return fmt.Errorf("violates %s: %s", number, found)
	}
	return nil
}
