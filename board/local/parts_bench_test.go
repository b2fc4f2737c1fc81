package local

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
)

// BenchmarkParts: submissions by one goroutine and by two, and reads, on a plain board and on one in four parts, in memory. A submission gives a
// player a random score.
func BenchmarkParts(b *testing.B) {
	const players = 300_000
	for _, n := range []int{0, 4} {
		g := newGame(b, false)
		arena := g.define(board.Spec{Name: "arena", Op: board.Last, Parts: n})
		names := make([]string, players)
		for i := range names {
			names[i] = fmt.Sprintf("player:%013d", i)
		}
		rng := rand.New(rand.NewPCG(1, 2))
		for lo := 0; lo < players; lo += 1000 {
			subs := make([]board.Submission, 1000)
			for i := range subs {
				subs[i] = board.Submission{Member: names[lo+i], Score: board.Ints(rng.Int64N(1 << 30))}
			}
			_, err := arena.SubmitAll(b.Context(), subs)
			require.NoError(b, err)
		}
		live, err := arena.Live(b.Context(), "all")
		require.NoError(b, err)
		submit := func(rng *rand.Rand) error {
			return errorOf(arena.Submit(b.Context(), board.Submission{Member: names[rng.IntN(players)], Score: board.Ints(rng.Int64N(1 << 30))}))
		}
		for op, call := range map[string]func(rng *rand.Rand) error{
			"submit": submit,
			"apply": func(rng *rand.Rand) error {
				return errorOf(arena.Apply(b.Context(), board.Submission{Member: names[rng.IntN(players)], Score: board.Ints(rng.Int64N(1 << 30))}))
			},
			"rank":  func(rng *rand.Rand) error { return errorOf2(live.Rank(b.Context(), names[rng.IntN(players)])) },
			"top10": func(*rand.Rand) error { return errorOf(live.Top(b.Context(), 10)) },
		} {
			for _, goroutines := range []int{1, 2} {
				b.Run(fmt.Sprintf("parts=%d/op=%s/goroutines=%d", n, op, goroutines), func(b *testing.B) {
					var wait sync.WaitGroup
					for i := range goroutines {
						wait.Go(func() {
							rng := rand.New(rand.NewPCG(uint64(i), 3))
							for range b.N / goroutines {
								if err := call(rng); err != nil {
									b.Error(err)
									return
								}
							}
						})
					}
					wait.Wait()
				})
			}
		}
	}
}

// BenchmarkPartsGrow: new players come to a plain board, to one in four parts, and to one whose parts are split whenever there are 5,000 players more: most
// submissions of the last one make a step of a split.
func BenchmarkPartsGrow(b *testing.B) {
	for _, spec := range []board.Spec{{}, {Parts: 4}, {PartMembers: 5000}} {
		b.Run(fmt.Sprintf("parts=%d/partMembers=%d", spec.Parts, spec.PartMembers), func(b *testing.B) {
			g := newGame(b, false)
			spec.Name = "arena"
			arena := g.define(spec)
			rng := rand.New(rand.NewPCG(1, 4))
			for i := range b.N {
				if _, err := arena.Apply(b.Context(), board.Submission{Member: fmt.Sprintf("player:%013d", i), Score: board.Ints(rng.Int64N(1 << 30))}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
