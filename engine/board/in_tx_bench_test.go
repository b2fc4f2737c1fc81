package board

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
)

// BenchmarkRankIn: one member's row, outside a transaction; in a View of its own with one or ten of them; and with the ranking at hand in a View.
func BenchmarkRankIn(b *testing.B) {
	const n = 100_000
	g := newGame(b, false)
	arena := g.define(Spec{Name: "arena", Windows: []Window{All}})
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("player:%013d", i)
		_, err := arena.Apply(Submission{Member: names[i], Score: Ints(int64(i * 7919 % n))})
		require.NoError(b, err)
	}
	at := 0
	rank := func(r Ranking) error {
		at++
		_, ok, err := r.Rank(names[at*7907%n])
		require.True(b, ok)
		return err
	}
	measure := func(name string, do func() error) {
		b.Run("len=100k/"+name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				require.NoError(b, do())
			}
		})
	}
	live, err := arena.Live("all")
	require.NoError(b, err)
	measure("impl=outside/ranks=1", func() error { return rank(live) })
	for _, ranks := range []int{1, 10} {
		measure(fmt.Sprintf("impl=view/ranks=%d", ranks), func() error {
			keys, err := arena.ReadKeys(nil, "all")
			require.NoError(b, err)
			return g.e.View(keys, func(tx *engine.Tx) error {
				live, err := arena.In(tx).Live("all")
				for range ranks {
					if err == nil {
						err = rank(live)
					}
				}
				return err
			})
		})
	}
	require.NoError(b, g.inView(arena, must(arena.ReadKeys(nil, "all")), func(in InTx) error {
		live := must(in.Live("all"))
		measure("impl=open/ranks=1", func() error { return rank(live) })
		return nil
	}))
}
