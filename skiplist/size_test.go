package skiplist

import (
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/invariants"
)

// sizes returns the list lengths of the tests below. The environment variable ZRANK_BIG adds a tenfold length.
func sizes(t *testing.T) []int {
	if invariants.Enabled {
		t.Skip("each change of a long list is checked in O(n)")
	}
	if os.Getenv("ZRANK_BIG") != "" {
		return []int{200_000, 10_000_000}
	}
	return []int{200_000}
}

// built returns a list of the refs in order of their keys, made by Build.
func built(r bare, l *List) *List {
	refs := make([]uint32, 0, l.Len())
	for c := l.At(0); c.Valid(); {
		var some [maxLeaf]uint32
		refs = append(refs, some[:c.Collect(some[:])]...)
	}
	fresh := New(r, Options{})
	fresh.Build(refs)
	return fresh
}

// fill returns how full the leaves are.
func (l *List) fill() float64 { return float64(l.n) / float64(int(l.nLeaves)*l.leafSize) }

// TestMemoryFollows removes nine tenths of a list, in several orders. The rest must take at most half more memory than a new list of the
// same entries.
func TestMemoryFollows(t *testing.T) {
	for _, n := range sizes(t) {
		for name, random := range map[string]bool{"random": true, "order": false, "sparse": false} {
			t.Run(fmt.Sprintf("len=%d/%s", n, name), func(t *testing.T) {
				r := make(bare, n)
				l := filled(r)
				full := l.Size()
				order := rand.New(rand.NewPCG(3, 3)).Perm(n)
				if !random {
					for i, c := 0, l.At(0); c.Valid(); c.Next() {
						order[i] = int(c.Ref())
						i++
					}
				}
				for i, ref := range order {
					if name != "sparse" && i < n/10*9 || name == "sparse" && i%10 != 0 {
						_, ok := l.Delete(r[ref], uint32(ref))
						require.True(t, ok)
					}
				}
				fresh := built(r, l)
				t.Logf("%d B for all, %d B for a tenth left (leaves %.2f full), %d B for a tenth built: %.2f", full, l.Size(), l.fill(),
					fresh.Size(), float64(l.Size())/float64(fresh.Size()))
				require.Less(t, float64(l.Size()), 1.5*float64(fresh.Size()))
			})
		}
	}
}

// TestFillStays makes random updates, and then random removals and inserts. The average fill of leaves must stay above 71 %. Without
// sharing it would be at most 69 %.
func TestFillStays(t *testing.T) {
	for _, n := range sizes(t) {
		r := make(bare, n)
		l := filled(r)
		rng := rand.New(rand.NewPCG(4, 4))
		inserted := l.fill()
		for range 5 * n {
			ref := rng.Uint32N(uint32(n))
			key := rng.Uint64()
			l.Update(r[ref], key, ref, nil, func() { r[ref] = key })
		}
		updated := l.fill()
		for range 3 * n {
			ref := rng.Uint32N(uint32(n))
			l.Delete(r[ref], ref)
			r[ref] = rng.Uint64()
			l.Insert(r[ref], ref)
		}
		t.Logf("len=%d: leaves %.3f full after inserts, %.3f after updates, %.3f after removing and adding; %.2f B an entry", n,
			inserted, updated, l.fill(), float64(l.Size())/float64(n))
		require.Greater(t, inserted, 0.78)
		require.Greater(t, min(updated, l.fill()), 0.71)
	}
}

// TestGroupsTakeNoMemory compares the sizes of two lists with the same history, with and without groups.
func TestGroupsTakeNoMemory(t *testing.T) {
	n := sizes(t)[0]
	var lists [2]*List
	for i := range lists {
		r := make(bare, n)
		rng := rand.New(rand.NewPCG(6, 6))
		lists[i] = New(r, Options{Groups: i == 1})
		for ref := range r {
			r[ref] = rng.Uint64()
			lists[i].Insert(r[ref], uint32(ref))
		}
		for range n {
			ref, key := rng.Uint32N(uint32(n)), rng.Uint64()
			lists[i].Update(r[ref], key, ref, nil, func() { r[ref] = key })
		}
		lists[i].DeleteRange(n/3, n/2)
	}
	t.Logf("%d entries, %d groups, %d B and %d B", lists[1].Len(), lists[1].Groups(n), lists[0].Size(), lists[1].Size())
	require.Equal(t, lists[0].Size(), lists[1].Size())
	require.Equal(t, lists[1].Len(), lists[1].Groups(n))
}

// TestSize compares Size with the heap, for lists of every length.
func TestSize(t *testing.T) {
	if invariants.Enabled {
		t.Skip("checks allocate")
	}
	for _, n := range []int{129, 200, 500, 1000, 3000, 20_000, 300_000} {
		r := make(bare, n)
		var before, after runtime.MemStats
		copies := max(1, 100_000/n)
		lists := make([]*List, copies)
		runtime.GC()
		runtime.GC() // what the first one finalizes
		runtime.ReadMemStats(&before)
		for i := range lists {
			lists[i] = filled(r)
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		held := float64(after.HeapAlloc-before.HeapAlloc) / float64(copies)
		t.Logf("len=%d: %d B by its own count, %.0f B of heap, %.1f an entry", n, lists[0].Size(), held, held/float64(n))
		require.InEpsilon(t, held, lists[0].Size(), 0.05)
		runtime.KeepAlive(lists)
	}
}
