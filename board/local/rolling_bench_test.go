package local

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/window"
	"github.com/zrankdb/zrank/engine"
)

// BenchmarkRolling submits to, and reads, a plain board and rolling ones of as many results as members. The clock moves on by a microsecond with each
// submission: with kind=full nothing leaves, with kind=steady a result leaves for each that comes.
// The boards of kind=plain-guilds and kind=steady-guilds are followed by one of 1,000 guilds.
func BenchmarkRolling(b *testing.B) {
	for _, n := range []int{100_000, 1_000_000} {
		for _, kind := range []string{"plain", "full", "steady", "bucket", "plain-guilds", "steady-guilds"} {
			for _, op := range []board.Op{board.Sum, board.Best} {
				b.Run(fmt.Sprintf("n=%d/kind=%s/op=%s", n, kind, op), func(b *testing.B) { benchRolling(b, n, kind, op) })
			}
		}
	}
}

func benchRolling(b *testing.B, n int, kind string, op board.Op) {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	e, err := engine.New(engine.Options{Clock: func() time.Time { return now }})
	require.NoError(b, err)
	defer e.Close()
	bs, err := Open(e, Options{})
	require.NoError(b, err)
	defer bs.Close()
	kind, guilds := strings.CutSuffix(kind, "-guilds")
	w := map[string]board.Window{"plain": {Kind: window.All, Name: "w"}, "full": board.Rolling("w", time.Hour),
		"steady": board.Rolling("w", time.Duration(n)*time.Microsecond),
		"bucket": {Kind: window.Rolling, Name: "w", Span: window.Duration(n) * window.Duration(time.Microsecond), Bucket: window.Duration(n/100) * window.Duration(time.Microsecond)}}[kind]
	arena, err := bs.Define(b.Context(), board.Spec{Name: "arena", Op: op, Windows: []board.Window{w}})
	require.NoError(b, err)
	rng := rand.New(rand.NewPCG(1, 2))
	names := make([]string, n)
	for i, k := range rng.Perm(n) {
		names[i] = fmt.Sprintf("player-%013d", k)
	}
	if guilds {
		benchGuilds(b, bs, names)
	}
	submit := func(i int) {
		now = now.Add(time.Microsecond)
		if _, err := arena.Submit(b.Context(), board.Submission{Member: names[i], Score: board.Ints(rng.Int64N(1 << 20))}); err != nil {
			b.Fatal(err)
		}
	}
	for i := range n {
		submit(i)
	}
	u, err := usageOf(arena)
	require.NoError(b, err)
	b.Run("call=submit", func(b *testing.B) {
		b.ReportAllocs()
		b.ReportMetric(float64(u[0].Memory)/float64(u[0].Members), "B/member")
		for b.Loop() {
			submit(rng.IntN(n))
		}
	})
	live, err := arena.Live(b.Context(), "w")
	require.NoError(b, err)
	b.Run("call=rank", func(b *testing.B) {
		for b.Loop() {
			_, _, err = live.Rank(b.Context(), names[rng.IntN(n)])
		}
	})
	var rows []board.Row
	b.Run("call=top", func(b *testing.B) {
		for b.Loop() {
			rows, err = live.AppendTop(b.Context(), rows[:0], 10)
		}
	})
	require.NoError(b, err)
}

// benchGuilds puts the members of the board arena into 1,000 guilds, which a board follows.
func benchGuilds(b *testing.B, bs *Boards, members []string) {
	kind, err := bs.DefineGroups(b.Context(), "guild")
	require.NoError(b, err)
	for i := range 1000 {
		require.NoError(b, kind.Create(b.Context(), fmt.Sprint("guild-", i), nil))
	}
	for i, name := range members {
		require.NoError(b, kind.Join(b.Context(), name, fmt.Sprint("guild-", i%1000)))
	}
	_, err = bs.Define(b.Context(), board.Spec{Name: "guilds", Derived: &board.Derived{From: "arena", Groups: "guild"}})
	require.NoError(b, err)
}
