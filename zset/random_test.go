package zset

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/matrix"
)

// chiSquare returns the chi-square statistic of counts against equal counts.
func chiSquare(counts []int) (sum float64) {
	total := 0
	for _, n := range counts {
		total += n
	}
	expected := float64(total) / float64(len(counts))
	for _, n := range counts {
		sum += (float64(n) - expected) * (float64(n) - expected) / expected
	}
	return sum
}

// likely returns the chi-square that roughly one fair experiment in 100,000 exceeds: the mean plus 4.9 standard deviations. For 9 degrees
// of freedom it is 30; Redis's own test allows 40.
func likely(counts []int) float64 {
	free := float64(len(counts) - 1)
	return free + 4.9*math.Sqrt(2*free)
}

// numbered returns a set of n members, each of which is its number, with few scores.
func numbered(v variant, n int) *Set {
	s := v.fresh(8)
	for i := range n {
		_, _ = s.AddTied(fmt.Append(nil, i), make([]byte, 8), float64(i%3))
	}
	return s
}

// number returns the number that an entry's member is.
func number(t *testing.T, e Entry) (i int) {
	_, err := fmt.Sscan(string(e.Member), &i)
	require.NoError(t, err)
	require.Equal(t, float64(i%3), e.Score)
	require.Len(t, e.Tie, 8)
	return i
}

// TestRandomIsUniform counts how often AppendRandom returns each member, for counts that cover all its algorithms: a few, more than a
// quarter, all but one, and with repetition. The counts must pass a chi-square test.
func TestRandomIsUniform(t *testing.T) {
	const seed = 11
	for _, v := range plain {
		for _, n := range []int{10, 101} {
			s := numbered(v, n)
			for _, count := range []int{1, 2, n / 4, n/4 + 1, n / 2, n - 1, -1, -7, -3 * n} {
				rng := rand.New(rand.NewPCG(seed, uint64(n)))
				counts, entries := make([]int, n), []Entry(nil)
				for drawn := 0; drawn < matrix.Pick(30, 100)*n; drawn += max(count, -count) {
					entries = s.AppendRandom(entries[:0], rng, count)
					require.Len(t, entries, max(count, -count))
					for _, e := range entries {
						counts[number(t, e)]++
					}
				}
				require.Less(t, chiSquare(counts), likely(counts), "%s: %d of %d, seed %d: %v", v.name, count, n, seed, counts)
			}
		}
	}
}

// TestRandomPairs counts how often each pair of members comes together. Neither algorithm may prefer some pairs.
func TestRandomPairs(t *testing.T) {
	const seed, n = 12, 9
	s := numbered(plain[1], n)
	for _, count := range []int{2, 3} { // 2 is at most a quarter of 9, 3 is more
		rng := rand.New(rand.NewPCG(seed, 0))
		counts := make([]int, n*(n-1)/2)
		for range 20_000 {
			entries := s.AppendRandom(nil, rng, count)
			for i, a := range entries {
				for _, b := range entries[:i] {
					high, low := max(number(t, a), number(t, b)), min(number(t, a), number(t, b))
					counts[high*(high-1)/2+low]++
				}
			}
		}
		require.Less(t, chiSquare(counts), likely(counts), "%d of %d, seed %d: %v", count, n, seed, counts)
	}
}

// TestRandomMember counts what Random returns.
func TestRandomMember(t *testing.T) {
	const seed, n = 13, 40
	for _, v := range plain {
		s, rng, counts := numbered(v, n), rand.New(rand.NewPCG(seed, 0)), make([]int, n)
		for range 200 * n {
			member, score, ok := s.Random(rng)
			require.True(t, ok)
			counts[number(t, Entry{Member: member, Score: score, Tie: make([]byte, 8)})]++
		}
		require.Less(t, chiSquare(counts), likely(counts), "%s: seed %d: %v", v.name, seed, counts)
	}
}

// TestRandomCounts checks the number of entries for each count: different ones, at most as many as the set has, or -count with repetition.
// AppendRandom must keep the entries of dst.
func TestRandomCounts(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 0))
	for _, v := range plain {
		s := numbered(v, 60)
		for count := -70; count <= 70; count++ {
			dst := s.AppendRandom([]Entry{{Member: []byte("kept")}}, rng, count)
			require.Equal(t, "kept", string(dst[0].Member))
			seen := map[int]bool{}
			for _, e := range dst[1:] {
				seen[number(t, e)] = true
			}
			if count < 0 {
				require.Len(t, dst[1:], -count)
			} else {
				require.Len(t, dst[1:], min(count, 60))
				require.Len(t, seen, min(count, 60), "%s: %d came twice", v.name, count)
			}
		}
		require.Len(t, s.AppendRandom(nil, rng, math.MaxInt), 60)
		require.Empty(t, v.fresh(0).AppendRandom(nil, rng, 5))
		require.Empty(t, v.fresh(0).AppendRandom(nil, rng, -5))
	}
}
