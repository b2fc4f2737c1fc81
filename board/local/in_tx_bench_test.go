package local

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/engine"
)

// BenchmarkRankIn: one member's row, outside a transaction; in a View of its own with one or ten of them; and with the ranking at hand in a View.
func BenchmarkRankIn(b *testing.B) {
	const n = 100_000
	g := newGame(b, false)
	arena := g.define(board.Spec{Name: "arena", Windows: []board.Window{board.All}})
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("player:%013d", i)
		_, err := arena.Apply(b.Context(), board.Submission{Member: names[i], Score: board.Ints(int64(i * 7919 % n))})
		require.NoError(b, err)
	}
	at := 0
	rank := func(r board.Ranking) error {
		at++
		_, ok, err := r.Rank(b.Context(), names[at*7907%n])
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
	live, err := arena.Live(b.Context(), "all")
	require.NoError(b, err)
	measure("impl=outside/ranks=1", func() error { return rank(live) })
	for _, ranks := range []int{1, 10} {
		measure(fmt.Sprintf("impl=view/ranks=%d", ranks), func() error {
			keys, err := hintsOf(arena).Read(b.Context(), nil, "all")
			require.NoError(b, err)
			return g.e.View(b.Context(), func(tx *engine.Tx) error {
				live, err := in(arena, tx).Live("all")
				for range ranks {
					if err == nil {
						err = rank(live)
					}
				}
				return err
			}, keys...)
		})
	}
	require.NoError(b, g.inView(arena, must(hintsOf(arena).Read(b.Context(), nil, "all")), func(in InTx) error {
		live := must(in.Live("all"))
		measure("impl=open/ranks=1", func() error { return rank(live) })
		return nil
	}))
}

// updateBoards makes a submission to boards, and changes two private keys, in a transaction that names its keys or none.
func updateBoards(g *game, name bool, member string, boards ...board.Board) (err error) {
	var keys []string
	sub := board.Submission{Member: member, Score: board.Ints(1), At: g.clock.Now()}
	for _, arena := range boards {
		if name && err == nil {
			keys, err = hintsOf(arena).Submit(context.Background(), keys, sub)
		}
	}
	if err != nil {
		return err
	}
	return g.e.Update(context.Background(), func(tx *engine.Tx) error {
		for _, arena := range boards {
			if _, err := in(arena, tx).Submit(sub); err != nil {
				return err
			}
		}
		if err := tx.Put("coins/"+member, []byte("5")); err != nil {
			return err
		}
		return tx.Put("gems/"+member, []byte("1"))
	}, keys...)
}

// BenchmarkUpdateNames: a submission to three windows and two private keys in one transaction that has named its keys, or none; by one goroutine to one board, and
// by 16 to two of four boards in random order.
func BenchmarkUpdateNames(b *testing.B) {
	const n = 100_000
	g := newGame(b, false)
	var boards []board.Board
	for i := range 4 {
		boards = append(boards, g.define(board.Spec{Name: fmt.Sprint("arena", i), Op: board.Sum, Windows: []board.Window{board.All, board.Day, board.Week}}))
		subs := make([]board.Submission, n/10)
		for lo := 0; lo < n; lo += len(subs) {
			for j := range subs {
				subs[j] = board.Submission{Member: fmt.Sprintf("player:%013d", lo+j), Score: board.Ints(int64(lo + j))}
			}
			require.NoError(b, errorOf(boards[i].SubmitAll(b.Context(), subs)))
		}
	}
	member := func(rng *rand.Rand) string { return fmt.Sprintf("player:%013d", rng.IntN(n)) }
	for _, named := range []bool{true, false} {
		b.Run(fmt.Sprintf("named=%v/goroutines=1", named), func(b *testing.B) {
			b.ReportAllocs()
			rng := rand.New(rand.NewPCG(1, 48))
			for b.Loop() {
				require.NoError(b, updateBoards(g, named, member(rng), boards[0]))
			}
		})
		b.Run(fmt.Sprintf("named=%v/goroutines=16", named), func(b *testing.B) {
			before := must(g.e.Stats()).Restarts
			b.SetParallelism(max(16/runtime.GOMAXPROCS(0), 1))
			var seed atomic.Uint64
			b.RunParallel(func(p *testing.PB) {
				rng := rand.New(rand.NewPCG(seed.Add(1), 48))
				for p.Next() {
					i := rng.IntN(4)
					if err := updateBoards(g, named, member(rng), boards[i], boards[(i+1+rng.IntN(3))%4]); err != nil {
						b.Error(err)
					}
				}
			})
			b.ReportMetric(float64(must(g.e.Stats()).Restarts-before)/float64(b.N), "restarts/op")
		})
	}
}
