package local

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
)

// BenchmarkLeagues puts a million players into cohorts of 50, beside the same board without leagues; then the week turns, and it submits 4,000 results a second
// until the 20,000 cohorts are settled, of random players that are put into cohorts of the new week.
func BenchmarkLeagues(b *testing.B) {
	const players = 1_000_000
	week := []board.Window{{Name: "week", Kind: board.Week.Kind}}
	for _, leagues := range []*board.Leagues{nil, {Window: "week", Tiers: []string{"a", "b", "c"}, Size: 50, Up: 5, Down: 5}} {
		b.Run(fmt.Sprintf("leagues=%t", leagues != nil), func(b *testing.B) {
			for b.Loop() {
				g := newGame(b, false)
				arena := g.define(board.Spec{Name: "arena", Op: board.Sum, Windows: week, Leagues: leagues})
				submit := func(i int) time.Duration {
					begin := time.Now()
					_, err := arena.Submit(b.Context(), board.Submission{Member: fmt.Sprintf("player-%013d", i), Score: board.Ints(int64(i * 7919 % players))})
					require.NoError(b, err)
					return time.Since(begin)
				}
				took := make([]time.Duration, 0, players)
				begin := time.Now()
				for i := range players {
					took = append(took, submit(i))
				}
				b.ReportMetric(time.Since(begin).Seconds(), "s/placed")
				b.ReportMetric(p999(took), "ms-p99.9/placed")
				g.clock.Add(7 * 24 * time.Hour)
				turn(b, g, leagues != nil, submit)
				require.NoError(b, g.bs.Close())
				require.NoError(b, g.e.Close())
			}
		})
	}
}

// turn submits while the cohorts of the week before are settled, or for five seconds.
func turn(b *testing.B, g *game, leagues bool, submit func(i int) time.Duration) {
	rng := rand.New(rand.NewPCG(1, 2))
	var took []time.Duration
	begin := time.Now()
	t := coreOf(g.board("arena")).State().Timelines[0]
	ticker := time.NewTicker(250 * time.Microsecond)
	defer ticker.Stop()
	for n := 0; ; n++ {
		<-ticker.C
		took = append(took, submit(rng.IntN(1_000_000)))
		if since := time.Since(begin); leagues && n > 1000 && len(t.Promoting()) == 0 || !leagues && since > 5*time.Second {
			b.ReportMetric(since.Seconds(), "s/settled")
			break
		}
	}
	b.ReportMetric(p999(took), "ms-p99.9/settled")
}

// p999 returns the 99.9th percentile in milliseconds.
func p999(took []time.Duration) float64 {
	slices.Sort(took)
	return float64(took[len(took)*999/1000]) / 1e6
}
