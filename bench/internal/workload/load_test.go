package workload

import (
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

// share is that of the most frequent member of a stream.
func share(s *Stream) float64 {
	counts, most := map[string]int{}, 0
	for i := range s.Len() {
		counts[s.Key(i).Name]++
		most = max(most, counts[s.Key(i).Name])
	}
	return float64(most) / float64(s.Len())
}

func TestEveryWorkloadHoldsWhatALoadPromises(t *testing.T) {
	for _, w := range All {
		for _, n := range []int{100, 523} {
			l := w.Draw(n, 500, 3)
			assert.Equal(t, l, w.Draw(n, 500, 3), "%s: the same seed draws the same load", w.Name)
			members, sizes := map[string]int{}, map[int]int{}
			for i := range l.Build.Len() {
				k := l.Build.Key(i)
				assert.Equal(t, k.Name, string(k.Raw))
				assert.Len(t, k.Raw, MemberLen)
				members[k.Name] = l.Build.Board(i)
				sizes[l.Build.Board(i)]++
			}
			assert.Len(t, members, n)
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
			assert.Len(t, l.Gone, n/10*9)
			assert.Len(t, l.Rest, n-n/10*9)
		}
		assert.NotEmpty(t, w.What)
		assert.Greater(t, len(w.Provenance), 200)
	}
}

func TestWorkloadsAreWhatTheirNamesSay(t *testing.T) {
	even, skewed := drawn(t, Uniform, 10_000, 20_000), drawn(t, "zipf", 10_000, 20_000)
	assert.Less(t, share(&even.Update), 0.01)
	assert.InDelta(t, 0.15, share(&skewed.Update), 0.02)
	assert.InDelta(t, 0.15, share(&even.Incr), 0.02)

	tail, ones := drawn(t, "hottail", 20_000, 20_000), 0.0
	for i := range tail.Build.Len() {
		if tail.Build.Score(i) == 1 {
			ones++
		}
	}
	assert.InDelta(t, 0.53, ones/20_000, 0.015)

	last := 0.0
	newest := drawn(t, "append", 2000, 3000)
	for _, s := range []*Stream{&newest.Build, &newest.Update, &newest.Churn} {
		for i := range s.Len() {
			require.Greater(t, s.Score(i), last)
			last = s.Score(i)
		}
	}
	for _, p := range drawn(t, "small", 10_000, 100).Pages {
		assert.LessOrEqual(t, int(p.Hi), maxSmall)
		assert.Zero(t, p.Lo, "a page is the whole board")
	}
}
