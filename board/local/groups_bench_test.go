package local

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/engine"
)

// BenchmarkSubmitGroups submits to a board of 100,000 members that nobody follows, and to one that guilds of 50 follow, and 200 countries too.
func BenchmarkSubmitGroups(b *testing.B) {
	for _, kinds := range [][]string{nil, {"guild"}, {"guild", "country"}} {
		b.Run(fmt.Sprint(len(kinds), " kinds"), func(b *testing.B) {
			const n = 100_000
			g := newGame(b, false)
			arena := g.define(board.Spec{Name: "arena", Op: board.Sum})
			name := func(i int) string { return fmt.Sprintf("player%07d", i) }
			for i := range n {
				_, err := arena.Apply(b.Context(), board.Submission{Member: name(i), Score: board.Ints(int64(i * 7919 % 100_003))})
				require.NoError(b, err)
			}
			for _, kind := range kinds {
				groups, err := g.bs.DefineGroups(b.Context(), kind)
				require.NoError(b, err)
				of := map[string]int{"guild": n / 50, "country": 200}[kind]
				var list []board.Joining
				for i := range of {
					require.NoError(b, groups.Create(b.Context(), fmt.Sprint(kind, i), nil))
				}
				for i := range n {
					list = append(list, board.Joining{Member: name(i), Group: fmt.Sprint(kind, i%of)})
				}
				require.NoError(b, groups.JoinAll(context.Background(), list, nil))
				g.define(board.Spec{Name: kind + "s", Derived: &board.Derived{From: "arena", Groups: kind}})
			}
			rng := rand.New(rand.NewPCG(1, 1))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := arena.Submit(b.Context(), board.Submission{Member: name(rng.IntN(n)), Score: board.Ints(int64(rng.IntN(1000)))}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkDissolve dissolves a guild of 100,000 members while 4,000 submissions a second arrive, half of them of its members, and measures those of the second around it
// and those of a second with nothing going on.
func BenchmarkDissolve(b *testing.B) {
	const n = 100_000
	for b.Loop() {
		e, err := engine.Open(filepath.Join(b.TempDir(), "db"), engine.Options{})
		require.NoError(b, err)
		bs, err := Open(e, Options{})
		require.NoError(b, err)
		arena, err := bs.Define(b.Context(), board.Spec{Name: "arena", Op: board.Sum})
		require.NoError(b, err)
		guilds, err := bs.DefineGroups(b.Context(), "guild")
		require.NoError(b, err)
		for _, group := range []string{"big", "other"} {
			require.NoError(b, guilds.Create(b.Context(), group, nil))
		}
		var list []board.Joining
		for i := range 2 * n {
			list = append(list, board.Joining{Member: fmt.Sprintf("player%07d", i), Group: []string{"big", "other"}[i%2]})
		}
		require.NoError(b, guilds.JoinAll(context.Background(), list, nil))
		_, err = bs.Define(b.Context(), board.Spec{Name: "guilds", Derived: &board.Derived{From: "arena", Groups: "guild"}})
		require.NoError(b, err)
		second := func() float64 {
			var took []time.Duration
			ticker := time.NewTicker(250 * time.Microsecond)
			defer ticker.Stop()
			for i := range 4000 {
				<-ticker.C
				begin := time.Now()
				_, err := arena.Submit(b.Context(), board.Submission{Member: list[i*47%(2*n)].Member, Score: board.Ints(1)})
				require.NoError(b, err)
				took = append(took, time.Since(begin))
			}
			return p999(took)
		}
		b.ReportMetric(second(), "ms-p99.9/nothing")
		done := make(chan time.Duration)
		go func() {
			begin := time.Now()
			if err := guilds.Dissolve(context.Background(), "big"); err != nil {
				b.Error(err)
			}
			done <- time.Since(begin)
		}()
		b.ReportMetric(second(), "ms-p99.9/dissolved")
		b.ReportMetric((<-done).Seconds(), "s/dissolved")
		require.NoError(b, bs.Close())
		require.NoError(b, e.Close())
	}
}
