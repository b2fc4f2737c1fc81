package zset

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// filled returns a set of n members of 20 bytes with random scores.
func filled(n int) (*Set, [][]byte) {
	rng := rand.New(rand.NewPCG(1, uint64(n)))
	s, _ := New(Options{})
	names := make([][]byte, n)
	for i := range names {
		names[i] = fmt.Appendf(nil, "member:%013d", i)
	}
	for _, i := range rng.Perm(n) {
		s.Add(names[i], float64(rng.IntN(1e9)))
	}
	return s, names
}

// BenchmarkSet measures the most frequent operations of a board, on a listpack and on skiplists of several sizes.
func BenchmarkSet(b *testing.B) {
	for _, n := range []int{100, 1_000, 100_000, 1_000_000} {
		s, names := filled(n)
		rng := rand.New(rand.NewPCG(2, uint64(n)))
		page := make([]Entry, 0, 100)
		for _, op := range []struct {
			name string
			do   func()
		}{
			{"score", func() { s.Score(names[rng.IntN(n)]) }},
			{"update", func() { s.Add(names[rng.IntN(n)], float64(rng.IntN(1e9))) }},
			{"rank", func() { s.Rank(names[rng.IntN(n)]) }},
			{"page", func() { lo := rng.IntN(n); page = s.Append(page[:0], lo, lo+100) }},
			{"walk", func() {
				lo := rng.IntN(n)
				for range s.Range(lo, lo+100) {
				}
			}},
		} {
			b.Run(fmt.Sprintf("op=%s/len=%d", op.name, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					op.do()
				}
			})
		}
	}
}
