package local

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/board/window"
)

// TestLeaguesAtTheTurn: 16 goroutines submit while a week turns, so that submissions and the worker
// settle the cohorts of the week before at the same time. Every member is promoted or relegated
// once: its tier follows from the outcome of its one cohort, and it is in one cohort of that tier
// in the new week. With a grace, half of the members are in the queue of the new week when the late
// results of the old one are in, and the others come then.
func TestLeaguesAtTheTurn(t *testing.T) {
	turnWeeks(t, 0)
	turnWeeks(t, time.Hour)
}

// turnWeeks is TestLeaguesAtTheTurn.
func turnWeeks(t testing.TB, grace time.Duration) {
	const submitters, members, turns = 16, 160, 3
	g := newGame(t, true)
	l := board.Leagues{Window: "week", Tiers: []string{"a", "b", "c", "d"}, Size: 7, Up: 2, Down: 2}
	b := g.define(board.Spec{Name: "arena", Op: board.Sum, Windows: []board.Window{{Name: "week", Kind: board.Week.Kind, Grace: window.Duration(grace)}}, Leagues: &l})
	tiers := make(map[string]int)
	name := func(i int) string { return fmt.Sprint("m", i) }
	submit := func(members int) {
		var wg sync.WaitGroup
		for id := range submitters {
			wg.Go(func() {
				for i := id; i < 2*members; i += submitters {
					m := i % members
					if _, err := b.Submit(t.Context(), board.Submission{Member: name(m), Score: board.Ints(int64(m*7919%101 + 1))}); err != nil {
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
	}
	submit(members)
	for range turns {
		week, err := b.League(t.Context(), name(0))
		require.NoError(t, err)
		g.clock.Set(week.Ends)
		if grace > 0 {
			submit(members / 2)
			g.clock.Add(grace)
		}
		submit(members)
		_, err = g.bs.SettleDue(t.Context())
		require.NoError(t, err)
		for i := range members {
			old, err := b.LeagueOf(t.Context(), week.Period, name(i))
			require.NoError(t, err)
			require.True(t, old.Settled)
			require.Equal(t, l.Tiers[tiers[name(i)]], old.Tier)
			for _, row := range old.Rows {
				if row.Member != name(i) {
					continue
				}
				switch row.Zone {
				case board.ZoneUp:
					tiers[name(i)]++
				case board.ZoneDown:
					tiers[name(i)]--
				}
			}
			now, err := b.League(t.Context(), name(i))
			require.NoError(t, err)
			require.Equal(t, l.Tiers[tiers[name(i)]], now.Tier, "placed before it was settled")
			tier, err := b.Tier(t.Context(), name(i))
			require.NoError(t, err)
			require.Equal(t, now.Tier, tier, "settled twice")
		}
	}
	g.requireSound(turns, 0)
}

// TestSettledBeforeTheRecord: a worker that settles the cohorts of a period as soon as it is closed, before the window knows its record, leaves them for those who read them.
func TestSettledBeforeTheRecord(t *testing.T) {
	g := newGame(t, true)
	b := g.define(board.Spec{Name: "arena", Windows: []board.Window{board.Day}, Leagues: &board.Leagues{Window: "day", Tiers: []string{"a", "b"}, Size: 4, Up: 1}})
	for i := range 4 {
		g.score(b, fmt.Sprint("m", i), int64(i))
	}
	day := g.liveName(b, "day")
	g.clock.Add(24 * time.Hour)
	g.closeDue(1)
	must(g.bs.SettleDue(t.Context()))
	line := must(coreOf(b).State().Timeline("day"))
	record := line.RecordOf(day)
	line.RemoveRecord(record)
	line.AddPromoting(&state.Promoting{Period: day, Promotion: state.Promotion{End: record.End.UnixMicro(), Up: 1, Tiers: 2}})
	must(g.bs.SettleDue(t.Context()))
	line.AddRecord(record)
	l := must(b.LeagueOf(t.Context(), day, "m3"))
	require.True(t, l.Settled)
	require.Equal(t, board.ZoneUp, l.Rows[0].Zone)
}
