package local

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
)

// BenchmarkAsOf measures a ranking of members as it was an hour ago, with 10,000 submissions since, beside a copy of the ranking alone.
func BenchmarkAsOf(b *testing.B) {
	const members, since = 1_000_000, 10_000
	g := newGame(b, false)
	arena := g.define(board.Spec{Name: "arena", Op: board.Sum, Journal: 2 * since})
	submit := func(n, step int) {
		for i := 0; i < n; i += 100 {
			subs := make([]board.Submission, 100)
			for k := range subs {
				m := (i + k) * step % members
				subs[k] = board.Submission{Member: fmt.Sprintf("player-%013d", m), Score: board.Ints(int64(m*7919%members) + 1)}
			}
			_, err := arena.SubmitAll(b.Context(), subs)
			require.NoError(b, err)
		}
	}
	submit(members, 1)
	then := g.clock.Now()
	g.clock.Add(time.Hour)
	submit(since, 97)
	live, err := arena.Live(b.Context(), "all")
	require.NoError(b, err)
	b.Run("op=pin", func(b *testing.B) {
		for b.Loop() {
			_, err := live.Pin(b.Context())
			require.NoError(b, err)
		}
	})
	b.Run("op=asof", func(b *testing.B) {
		for b.Loop() {
			_, err := arena.AsOf(b.Context(), "all", then)
			require.NoError(b, err)
		}
	})
}
