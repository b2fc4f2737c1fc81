package zset

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/invariants"
	"github.com/zrankdb/zrank/internal/matrix"
)

// heap returns the bytes of the heap that are in use after garbage collection.
func heap(t *testing.T) int {
	if invariants.Enabled {
		t.Skip("checks keep memory of their own, and take too long for sets as big")
	}
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

// sized returns a set of n members of 20 bytes, added in random order or made by a builder.
func sized(o Options, n int, built bool) *Set {
	rng := rand.New(rand.NewPCG(21, uint64(n)))
	s, _ := New(o)
	b, _ := NewBuilder(o)
	var member []byte
	for _, i := range rng.Perm(n) {
		member = fmt.Appendf(member[:0], "member:%013d", i)
		if score := float64(rng.IntN(1e9)); built {
			_ = b.Add(member, score)
		} else {
			_, _ = s.Add(member, score)
		}
	}
	if built {
		return b.Set()
	}
	return s
}

// TestSize compares Size with the growth of the heap, for sets of many sizes and options.
func TestSize(t *testing.T) {
	for _, row := range []struct{ sets, n int }{{1000, 10}, {matrix.Pick(2000, 10_000), 20}, {1000, 70}, {1000, 100}, {1000, 128}, {100, 129}, {10, 1000}, {1, 10_000}, {1, matrix.Pick(50_000, 200_000)}} {
		for _, built := range []bool{false, true} {
			for name, o := range map[string]Options{"": {}, "/tie=16": {TieWidth: 16}, "/dense": {DenseRanks: true}} {
				t.Run(fmt.Sprintf("sets=%d/len=%d/built=%v%s", row.sets, row.n, built, name), func(t *testing.T) {
					sets := make([]*Set, row.sets)
					before := heap(t)
					for i := range sets {
						sets[i] = sized(o, row.n, built)
					}
					held, said := heap(t)-before, 0
					for _, s := range sets {
						said += s.Size()
					}
					t.Logf("%.1f B a member held, Size says %.1f", float64(held)/float64(row.sets*row.n), float64(said)/float64(row.sets*row.n))
					require.InEpsilon(t, held, said, 0.05, "held %d, Size says %d", held, said)
				})
			}
		}
	}
}

// TestSizeAfterRemovals removes nine tenths of the members, one by one or many at a time. The memory must be freed, and Size must still
// agree with the heap.
func TestSizeAfterRemovals(t *testing.T) {
	const n = 100_000
	for name, remove := range map[string]func(s *Set){
		"one by one": func(s *Set) {
			for i := range n {
				if i%10 != 0 {
					s.Remove(fmt.Appendf(nil, "member:%013d", i))
				}
			}
		},
		"many": func(s *Set) {
			for s.Len() > n/10 {
				s.RemoveRange(n/20, n/20+3000)
			}
		},
		"a range": func(s *Set) { s.RemoveRange(n/20, n-n/20) },
	} {
		t.Run(name, func(t *testing.T) {
			before := heap(t)
			s := sized(Options{}, n, false)
			full := s.Size()
			remove(s)
			held, said := heap(t)-before, s.Size()
			t.Logf("%.1f B a member held, Size says %.1f", float64(held)/float64(s.Len()), float64(said)/float64(s.Len()))
			require.InEpsilon(t, held, said, 0.05, "held %d, Size says %d", held, said)
			require.Less(t, said, full/4)
			runtime.KeepAlive(s)
		})
	}
}
