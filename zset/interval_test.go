package zset

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/invariants"
)

// letters returns the members with ranks in an interval as one string.
func letters(s *Set, lo, hi int) string {
	got := ""
	for m := range s.Range(lo, hi) {
		got += string(m)
	}
	return got
}

// alphabet returns a set of the members a to g with scores 1 to 7, except that e has d's score.
func alphabet(v variant) *Set {
	s := v.fresh(0)
	for i, m := range "abcdefg" {
		s.Add([]byte(string(m)), float64(i+1))
	}
	s.Add([]byte("e"), 4)
	return s
}

// TestRankInterval converts Redis's rank ranges: negative from the end, clamped.
func TestRankInterval(t *testing.T) {
	rows := []struct {
		start, stop int
		want        string
	}{
		{0, -1, "abcdefg"}, {0, 0, "a"}, {-1, -1, "g"}, {-3, -2, "ef"}, {2, 4, "cde"}, {-100, 100, "abcdefg"}, {5, 2, ""}, {7, 9, ""},
		{6, 6, "g"}, {-100, -8, ""}, {-7, -7, "a"}, {0, -8, ""}, {math.MinInt, math.MaxInt, "abcdefg"}, {math.MaxInt, math.MaxInt, ""},
		{math.MinInt, math.MinInt, ""}, {math.MaxInt, math.MinInt, ""},
	}
	for _, v := range plain {
		s := alphabet(v)
		for _, row := range rows {
			lo, hi := s.RankInterval(row.start, row.stop)
			require.Equal(t, row.want, letters(s, lo, hi), "%s: %d %d", v.name, row.start, row.stop)
			require.True(t, 0 <= lo && lo <= hi && hi <= 7)
		}
		lo, hi := v.fresh(0).RankInterval(0, -1)
		require.Equal(t, 0, lo+hi)
	}
}

// TestScoreInterval takes Redis's score ranges (1.4, score ranges).
func TestScoreInterval(t *testing.T) {
	inf := math.Inf(1)
	rows := []struct {
		low, high Bound
		want      string
	}{
		{Bound{-inf, false}, Bound{inf, false}, "abcdefg"}, {Bound{-inf, true}, Bound{inf, true}, "abcdefg"}, {Bound{4, false}, Bound{4, false}, "de"},
		{Bound{4, true}, Bound{4, false}, ""}, {Bound{4, false}, Bound{4, true}, ""}, {Bound{4, true}, Bound{4, true}, ""},
		{Bound{6, false}, Bound{2, false}, ""}, {Bound{3, true}, Bound{6, true}, "de"}, {Bound{4.5, false}, Bound{5.5, false}, ""},
		{Bound{7, true}, Bound{inf, false}, ""}, {Bound{inf, false}, Bound{-inf, false}, ""}, {Bound{math.Copysign(0, -1), true}, Bound{1, false}, "a"},
	}
	for _, v := range plain {
		s := alphabet(v)
		for _, row := range rows {
			lo, hi := s.ScoreInterval(row.low, row.high)
			require.Equal(t, row.want, letters(s, lo, hi), "%s: %v %v", v.name, row.low, row.high)
		}
		s.Add([]byte("h"), inf)
		s.Add([]byte("A"), -inf)
		lo, hi := s.ScoreInterval(Bound{-inf, true}, Bound{inf, true})
		require.Equal(t, "abcdefg", letters(s, lo, hi), "infinities are scores: %s", v.name)
		lo, hi = s.ScoreInterval(Bound{inf, false}, Bound{inf, false})
		require.Equal(t, "h", letters(s, lo, hi))
	}
}

// TestLimit checks Redis's LIMIT (1.4, LIMIT): a negative count is unlimited, a count of 0 is empty, a negative offset is empty.
func TestLimit(t *testing.T) {
	rows := []struct {
		lo, hi, offset, count, from, to int
	}{
		{2, 9, 0, -1, 2, 9}, {2, 9, 0, 3, 2, 5}, {2, 9, 3, 3, 5, 8}, {2, 9, 5, 3, 7, 9}, {2, 9, 7, 3, 9, 9}, {2, 9, 8, 3, 2, 2},
		{2, 9, 0, 0, 2, 2}, {2, 9, 4, 0, 6, 6}, {2, 9, -1, 5, 2, 2}, {2, 9, -1, -1, 2, 2}, {2, 9, 3, -5, 5, 9}, {2, 2, 0, 5, 2, 2},
		{2, 9, math.MaxInt, math.MaxInt, 2, 2}, {2, 9, 1, math.MaxInt, 3, 9}, {2, 9, 1, math.MinInt, 3, 9}, {2, 9, math.MinInt, 1, 2, 2},
	}
	for _, row := range rows {
		lo, hi := Limit(row.lo, row.hi, row.offset, row.count)
		require.Equal(t, [2]int{row.from, row.to}, [2]int{lo, hi}, "%+v", row)
	}
	for offset := -2; offset < 9; offset++ {
		for count := -2; count < 9; count++ {
			want := ""
			for i, m := range "bcdef" {
				if offset >= 0 && i >= offset && (count < 0 || i < offset+count) {
					want += string(m)
				}
			}
			s := alphabet(plain[0])
			lo, hi := Limit(1, 6, offset, count)
			require.Equal(t, want, letters(s, lo, hi), "%d %d", offset, count)
		}
	}
}

// TestReverse walks the same entries from the other end, a page at a time, as ZREVRANGEBYSCORE with LIMIT.
func TestReverse(t *testing.T) {
	for _, v := range plain {
		s := alphabet(v)
		lo, hi := s.Reverse(s.ScoreInterval(Bound{Score: 2}, Bound{Score: 6}))
		got := ""
		for page := 0; lo+2*page < hi; page++ {
			for m := range s.RevRange(Limit(lo, hi, 2*page, 2)) {
				got += string(m)
			}
			got += "|"
		}
		require.Equal(t, "fe|dc|b|", got, v.name)
		for lo := range 8 {
			a, b := s.Reverse(s.Reverse(lo, 7))
			require.Equal(t, [2]int{lo, 7}, [2]int{a, b})
		}
	}
}

// manyEntries are the variants that are tested with thousands of entries.
var manyEntries = []variant{plain[1], plain[6], plain[9]}

// TestRemoveRange removes parts of sets until nothing is left. The sizes of sets and parts are around removeChunk.
func TestRemoveRange(t *testing.T) {
	sizes, parts := []int{5, 1150}, []int{removeChunk + 1}
	if !invariants.Enabled { // each removal is checked, in a time that grows with the set
		sizes, parts = append(sizes, removeChunk-1, removeChunk, removeChunk+1, 3000), append(parts, removeChunk-1, removeChunk, 2000)
	}
	for _, v := range manyEntries {
		for _, n := range sizes {
			for _, part := range parts {
				about := fmt.Sprintf("%s: %d of %d", v.name, part, n)
				p := filledPair(v, n)
				lo := n / 10
				require.NoError(t, p.removeRange(lo, lo+part), about)
				require.NoError(t, p.compareEntries(), about)
				for i := 0; p.set.Len() > 0; i++ {
					require.NoError(t, p.removeRange(p.set.Len()-part*(i%2+1), p.set.Len()), about)
				}
				require.NoError(t, p.add("again", nil, 1), about)
				require.NoError(t, p.compare(), about)
			}
		}
		p := filledPair(v, 10)
		for _, r := range [][2]int{{3, 3}, {5, 2}, {-9, 0}, {10, 20}, {math.MaxInt, math.MinInt}} {
			require.Zero(t, p.set.RemoveRange(r[0], r[1]), "%s: %v", v.name, r)
		}
		require.Equal(t, 10, p.set.RemoveRange(math.MinInt, math.MaxInt))
	}
}

// TestRemoveParts empties a set in many small parts, as a caller does that bounds the time of a call.
func TestRemoveParts(t *testing.T) {
	for _, v := range manyEntries {
		p := filledPair(v, 400)
		for i := 0; p.set.Len() > 0; i++ {
			lo := i * 31 % p.set.Len()
			require.NoError(t, p.removeRange(lo, lo+97))
			require.NoError(t, p.compareEntries(), "%s: part %d", v.name, i)
		}
		require.Equal(t, v.fresh(0).Encoding(), p.set.Encoding())
	}
}

// compareEntries compares the entries and their order, without the methods that take a member.
func (p *pair[S]) compareEntries() error {
	if number, found := p.set.verify(); number != "" {
		return fmt.Errorf("violates %s: %s", number, found)
	}
	return sameEntries(p.set.Append(nil, 0, p.set.Len()), p.want.All())
}

// filledPair returns a set of n members with few scores, made by a builder.
func filledPair(v variant, n int) *pair[float64] {
	p := newPair(v.fresh(0))
	b := builderLike(p.set.View())
	for i := range n {
		e, _ := p.entry(fmt.Sprintf("m%d", i*7919%n))
		e.Score = float64(i % 40)
		p.put(e)
		_ = b.Add([]byte(e.Member), e.Score)
	}
	p.set = b.Set()
	return p
}
