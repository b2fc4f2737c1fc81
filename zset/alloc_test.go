package zset

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/invariants"
)

// TestNothingAllocates calls all methods that must not allocate, in both encodings and for both kinds of scores.
func TestNothingAllocates(t *testing.T) {
	if invariants.Enabled {
		t.Skip("checks allocate")
	}
	for _, n := range []int{100, 5000} {
		for _, tieWidth := range []int{0, 8} {
			testAllocations[float64](t, n, Options{TieWidth: tieWidth})
			testAllocations[int64](t, n, Options{TieWidth: tieWidth})
			testAllocations[float64](t, n, Options{TieWidth: tieWidth, Cap: n, DenseRanks: true})
		}
	}
}

// testAllocations measures the allocations of each call on a set of n members.
func testAllocations[S Score](t *testing.T, n int, o Options) {
	s, err := newOf[S](o)
	require.NoError(t, err)
	for i := range n {
		_, _ = s.Add(fmt.Appendf(nil, "member:%05d", i), S(i/3))
	}
	member, tie, absent := []byte("member:00050"), make([]byte, s.TieWidth()), []byte("nobody")
	dense := o.DenseRanks && s.Encoding() == "skiplist"
	var step S
	calls := map[string]func(){
		"Add":     func() { step++; _, _ = s.Add(member, step) },
		"AddTied": func() { step++; _, _ = s.AddTied(member, tie, step) },
		"AddIf":   func() { step++; _, _ = s.AddIf(member, step, XX|GT) },
		"AddIf, condition does not hold": func() {
			_, _ = s.AddIf(member, 1, NX)
			_, _ = s.AddIf(absent, 1, XX)
		},
		"IncrBy":        func() { _, _ = s.IncrBy(member, 7) },
		"IncrByIf":      func() { _, _, _ = s.IncrByIf(member, -7, XX|LT) },
		"Remove absent": func() { s.Remove(absent) },
		"Score, Get":    func() { s.Score(member); s.Get(member); s.Score(absent) },
		"Rank":          func() { s.Rank(member); s.RevRank(member); s.RankScore(member); s.RankGet(member); s.SeekAfter(7, nil) },
		"RankBy": func() {
			for how := Ordinal; how <= Modified || dense && how == Dense; how++ {
				s.RankBy(how, member)
				s.RevRankBy(how, member)
				s.ScoreRank(how, 20)
				s.RevScoreRank(how, 20)
			}
		},
		"Below, Above": func() { s.Below(20); s.Above(20) },
		"Gap":          func() { s.Gap(member, 1); s.Gap(member, -1) },
		"Percentile":   func() { s.Percentile(member); s.AtPercentile(50) },
		"intervals": func() {
			lo, hi := s.ScoreInterval(BoundOf[S]{Score: 3}, BoundOf[S]{Score: 50, Exclusive: true})
			lo, hi = s.Reverse(lo, hi)
			lo, hi = Limit(lo, hi, 5, 10)
			_, _ = lo, hi
			s.RankInterval(0, -1)
			s.Best()
		},
		"walks": func() {
			for m, score := range s.Range(10, 60) {
				step += score*0 + S(len(m))*0
			}
			for m, score := range s.RevRange(10, 60) {
				step += score*0 + S(len(m))*0
			}
		},
	}
	for name, call := range calls {
		require.Zero(t, testing.AllocsPerRun(100, call), "%s: %s of %d, %+v", name, s.Encoding(), n, o)
	}
}
