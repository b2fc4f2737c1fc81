package zset

import (
	"fmt"
	"testing"
)

// BenchmarkSmall measures small sets: a single set, which stays in the processor's caches, and so many sets that each access misses them.
func BenchmarkSmall(b *testing.B) {
	for _, size := range []struct{ sets, n int }{{1, 20}, {1, 100}, {200_000, 20}} {
		sets := make([]*Set, size.sets)
		var names [][]byte
		for i := range sets {
			sets[i], names = filled(size.n)
		}
		var i int
		next := func() (*Set, []byte) {
			i += 7919
			return sets[i%size.sets], names[i%size.n]
		}
		for _, op := range []struct {
			name string
			do   func(s *Set, member []byte)
		}{
			{"score", func(s *Set, member []byte) { s.Score(member) }},
			{"rank", func(s *Set, member []byte) { s.Rank(member) }},
			{"update", func(s *Set, member []byte) { _, _ = s.Add(member, float64(i%100_003)) }},
			{"remove+add", func(s *Set, member []byte) { s.Remove(member); _, _ = s.Add(member, float64(i%100_003)) }},
		} {
			b.Run(fmt.Sprintf("op=%s/sets=%d/len=%d", op.name, size.sets, size.n), func(b *testing.B) {
				for b.Loop() {
					op.do(next())
				}
			})
		}
	}
	_, names := filled(20)
	b.Run("op=fill/sets=1/len=20", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			s, _ := New(Options{})
			for j, name := range names {
				_, _ = s.Add(name, float64(j*7919%100_003))
			}
		}
	})
}
