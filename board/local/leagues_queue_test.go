package local

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/window"
)

// TestQueue: with a grace, members of the next day queue for cohorts in the order in which they
// came, also one that comes when the day before is closed and nobody has settled it; behind a day
// without members too; and also if their own day is over before anything runs.
func TestQueue(t *testing.T) { playQueue(t) }

// playQueue is TestQueue.
func playQueue(t testing.TB) {
	g := newGame(t, true)
	for _, s := range g.bs.settlers { // submissions and SettleDue settle
		s.Stop()
	}
	day := board.Window{Name: "day", Kind: window.Day, Grace: window.Duration(2 * time.Hour)}
	b := g.define(board.Spec{Name: "arena", Windows: []board.Window{day}, Leagues: &board.Leagues{Window: "day", Tiers: []string{"low", "high"}, Size: 2, Up: 1}})
	ctx := context.Background()
	at := func(day, hour int) { g.clock.Set(time.Date(2026, 11, day, hour, 0, 0, 0, time.UTC)) }
	submit := func(members ...string) {
		for _, m := range members {
			require.NoError(t, errorOf(b.Submit(ctx, board.Submission{Member: m, Score: board.Ints(1)})))
		}
	}
	requireIn := func(member, want string) {
		l, err := b.League(ctx, member)
		require.NoError(t, err)
		require.Equal(t, want, fmt.Sprint(l.Tier, " ", l.Cohort))
	}
	requireQueue := func(members ...string) {
		for _, m := range members {
			require.ErrorIs(t, errorOf(b.League(ctx, m)), board.ErrNoCohort, m)
		}
	}
	at(21, 12)
	submit("pia", "ada")
	at(22, 1)
	submit("ada", "bea", "cyd")
	requireQueue("ada", "bea", "cyd")
	at(22, 2)
	submit("new", "pia")
	requireQueue("ada", "bea", "cyd", "new", "pia")
	g.settleDue()
	requireIn("ada", "low 1")
	requireIn("bea", "low 1")
	requireIn("cyd", "low 2")
	requireIn("new", "low 2")
	requireIn("pia", "high 1")
	at(23, 2) // nobody queues: a submission settles the cohort of its member
	submit("cyd", "dot")
	requireIn("cyd", "high 1")
	requireIn("dot", "low 1")
	at(24, 1)
	submit("eve")
	at(27, 1)
	g.settleDue()
	tier, err := b.Tier(ctx, "eve")
	require.NoError(t, err)
	require.Equal(t, "high", tier)
	submit("eve")
	requireQueue("eve")
	at(27, 2)
	g.settleDue()
	requireIn("eve", "high 1")
	require.NoError(t, problemsError(g.bs.Check(ctx, nil)))
}

// TestPowerCutInQueue: three days with a grace have members, and two of them are over when anything
// runs. After a power cut before any operation on the disk while they are closed and settled, and
// the queues of the second and the third day are emptied, every member has the tier and the cohort
// that it has without.
func TestPowerCutInQueue(t *testing.T) {
	c := &crasher{}
	g := &payroll{newGame(t, true, crashing(c)), 150, c}
	day := board.Window{Name: "day", Kind: window.Day, Grace: window.Duration(2 * time.Hour)}
	b := g.define(board.Spec{Name: "arena", Op: board.Sum, Windows: []board.Window{day},
		Leagues: &board.Leagues{Window: "day", Tiers: []string{"low", "mid", "high"}, Size: 4, Up: 1, Down: 1, Bands: []int64{1}}})
	for i := range 3 {
		g.clock.Set(time.Date(2026, 11, 20+i, 1, 0, 0, 0, time.UTC))
		g.playAll(b)
	}
	late := board.Submission{Member: "new", Score: board.Ints(1000), At: g.clock.Now().Add(-2 * time.Hour), Skill: 1}
	require.NoError(t, errorOf(b.Submit(t.Context(), late)))
	require.ErrorIs(t, errorOf(b.League(t.Context(), "m0")), board.ErrNoCohort)
	want := ""
	g.cut(func() {
		g.clock.Add(time.Hour)
		g.settleDue()
		want = leaguesText(t, b)
	}, func(after *game) error {
		after.settleDue()
		if got := leaguesText(t, after.board("arena")); got != want {
			return fmt.Errorf("cohorts are\n%s\nwant\n%s", got, want)
		}
		return nil
	})
	require.Contains(t, want, "m0 high: high 1 of 2026-11-22, 4 rows")
}

// leaguesText writes the tiers and cohorts of the members.
func leaguesText(t testing.TB, b board.Board) string {
	var text strings.Builder
	for i := range 150 {
		member := fmt.Sprint("m", i)
		tier, err := b.Tier(context.Background(), member)
		require.NoError(t, err)
		l, err := b.League(context.Background(), member)
		require.NoError(t, err)
		fmt.Fprintf(&text, "%s %s: %s %d of %s, %d rows\n", member, tier, l.Tier, l.Cohort, l.Period, len(l.Rows))
	}
	return text.String()
}
