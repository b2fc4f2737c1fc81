package workload

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// drawn is a load of a workload by its name.
func drawn(t *testing.T, name string, n, ops int) *Load {
	w, err := Find(name)
	require.NoError(t, err)
	return w.Draw(n, ops, 1)
}

// share is that of the operations of a stream whose member is among the most frequent ones, as many as top.
func share(s *Stream, top int) float64 {
	counts := map[string]int{}
	for i := range s.Len() {
		counts[s.Key(i).Name]++
	}
	var all []int
	for _, c := range counts {
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b int) int { return b - a })
	sum := 0
	for _, c := range all[:min(top, len(all))] {
		sum += c
	}
	return float64(sum) / float64(s.Len())
}

func TestEveryWorkloadHoldsWhatALoadPromises(t *testing.T) {
	for _, w := range All {
		for _, n := range []int{100, 523} {
			l := w.Draw(n, 500, 3)
			assert.Equal(t, l, w.Draw(n, 500, 3), "%s: the same seed draws the same load", w.Name)
			members := map[string]int{}
			for i := range l.Build.Len() {
				members[l.Build.Key(i).Name] = l.Build.Board(i)
			}
			assert.Len(t, members, n)
			sizes := map[int]int{}
			for _, b := range members {
				sizes[b]++
			}
			assert.Len(t, sizes, l.Boards)
			for _, s := range []*Stream{&l.Lookup, &l.Rank, &l.Update, &l.Incr, &l.Churn, &l.FractionUpdate} {
				assert.Equal(t, 500, s.Len())
				for i := range s.Len() {
					if b, there := members[s.Key(i).Name]; !there || b != s.Board(i) {
						t.Fatalf("%s: %q is not on its board", w.Name, s.Key(i).Name)
					}
				}
			}
			for _, p := range l.Pages {
				if p.Lo >= p.Hi || int(p.Hi) > sizes[int(p.Board)] {
					t.Fatalf("%s: page %v of %d", w.Name, p, sizes[int(p.Board)])
				}
			}
			for i := range n {
				if score := l.FractionBuild.Score(i); score < 0 || score >= 1 {
					t.Fatalf("%s: fraction %v", w.Name, score)
				}
			}
		}
		assert.NotEmpty(t, w.What)
		assert.Greater(t, len(w.Provenance), 200)
	}
}

func TestZipfIsOfAllOperations(t *testing.T) {
	even, skewed := drawn(t, Uniform, 10_000, 20_000), drawn(t, "zipf", 10_000, 20_000)
	assert.Less(t, share(&even.Update, 1), 0.01)
	for _, s := range []*Stream{&skewed.Lookup, &skewed.Rank, &skewed.Update, &skewed.Incr, &skewed.Churn, &even.Incr} {
		assert.InDelta(t, 0.15, share(s, 1), 0.02)
		assert.InDelta(t, 0.63, share(s, 100), 0.04)
	}
	t.Logf("the hottest of 10,000 takes %.3f, the first hundred %.3f", share(&skewed.Update, 1), share(&skewed.Update, 100))
}

func TestHotTailStandsAtTheLowEnd(t *testing.T) {
	l := drawn(t, "hottail", 20_000, 20_000)
	for _, s := range []*Stream{&l.Build, &l.Update} {
		counts := map[float64]float64{}
		for i := range s.Len() {
			counts[s.Score(i)] += 1 / float64(s.Len())
		}
		assert.InDelta(t, 0.53, counts[1], 0.015)
		assert.InDelta(t, 0.15, counts[2], 0.015)
		assert.Zero(t, counts[0])
		t.Logf("%.3f have 1, %.3f have 2", counts[1], counts[2])
	}
	for i := range l.Incr.Len() {
		assert.Equal(t, 1.0, l.Incr.Score(i))
	}
	assert.Less(t, share(&l.Incr, 1), 0.01, "members are uniform")
}

func TestAppendGoesOnAndOn(t *testing.T) {
	l := drawn(t, "append", 2000, 3000)
	last := 0.0
	for _, s := range []*Stream{&l.Build, &l.Update, &l.Churn} {
		for i := range s.Len() {
			if step := s.Score(i) - max(last, started); step <= 0 || step > maxGap {
				t.Fatalf("%v after %v", s.Score(i), last)
			}
			last = s.Score(i)
		}
	}
	for i := range 2000 {
		assert.Equal(t, l.Build.Key(i), l.Churn.Key(i), "the oldest goes first")
	}
}

func TestSmallBoardsStayListpacks(t *testing.T) {
	l := drawn(t, "small", 10_000, 100)
	sizes := make([]int, l.Boards)
	for i := range l.Build.Len() {
		sizes[l.Build.Board(i)]++
	}
	for _, n := range sizes[:len(sizes)-1] {
		assert.True(t, n >= minSmall && n <= maxSmall, "%d members", n)
	}
	assert.LessOrEqual(t, sizes[len(sizes)-1], maxSmall)
	for _, p := range l.Pages {
		assert.Equal(t, Page{Board: p.Board, Hi: uint32(sizes[p.Board])}, p, "a page is the whole board")
	}
	t.Logf("%d boards of 10,000 members", l.Boards)
}

func TestFind(t *testing.T) {
	_, err := Find("rush")
	assert.EqualError(t, err, `no workload "rush"; there are uniform, zipf, hottail, append, small, and FILE.csv or FILE.csv.gz`)
}
