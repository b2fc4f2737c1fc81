package local

import (
	"context"
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

// answers returns the results of all kinds of reads of a ranking, as text.
func answers(r board.Ranking) string {
	ctx := context.Background()
	var out strings.Builder
	note := func(call string, results ...any) { fmt.Fprintf(&out, "%s %+v\n", call, results) }
	n, err := r.Len(ctx)
	note("len", n, err)
	top, err := r.Top(ctx, 3)
	note("top", top, err)
	row, ok, err := r.Rank(ctx, "ada")
	note("rank", row, ok, err)
	around, ok, err := r.Around(ctx, "ada", 1)
	note("around", around, ok, err)
	card, err := r.Card(ctx, "ada", 2, 1)
	note("card", card, err)
	page, next, err := r.Page(ctx, board.Cursor{}, 2)
	note("page", page, next, err)
	rank, err := r.RankOf(ctx, board.Ints(5))
	note("rankof", rank, err)
	for row, err := range r.All(ctx) {
		note("all", row, err)
	}
	arrows, err := r.Arrows(ctx, r, "ada", "bea")
	note("arrows", arrows, err)
	_, err = r.Top(ctx, -1)
	note("top -1", err)
	err = r.View(ctx, func(r board.Ranking) error {
		rows, err := r.Places(ctx, 1, -1)
		note("view", infoOf(r), rows)
		return err
	})
	note("view", err)
	note("info", infoOf(r))
	return out.String()
}

// TestKeptLiveAnswersAsThePeriod: whatever the clock does, a handles handle of the live period returns the same results as the ranking of the
// period of that moment, and an OutsideError if there is none.
func TestKeptLiveAnswersAsThePeriod(t *testing.T) {
	g, rng := newGame(t, false), rand.New(rand.NewPCG(1, 8))
	noon := g.clock.Now()
	seasons := []board.Season{{Name: "s1", Start: noon.Add(-48 * time.Hour), End: noon.Add(24 * time.Hour)},
		{Name: "s2", Start: noon.Add(96 * time.Hour), End: noon.Add(200 * time.Hour)}}
	spec := counting("arena", board.All, board.Hour, board.Window{Kind: window.Day, TimeZone: "Asia/Shanghai", Grace: window.Duration(20 * time.Hour)}, board.Week,
		board.Window{Kind: window.Every, Every: window.Duration(7 * time.Hour)}, board.Window{Kind: window.Seasons, Seasons: seasons})
	b := g.define(spec)
	handles := map[string]board.Ranking{}
	for _, w := range b.Spec().Windows {
		r, err := b.Live(t.Context(), w.Name)
		require.NoError(t, err)
		handles[w.Name] = r.By(board.Competition)
	}
	outside, periods := 0, map[string]bool{}
	for range howMany(400) {
		steps := []time.Duration{time.Microsecond, 10 * time.Minute, time.Hour, 5 * time.Hour, 24 * time.Hour, -30 * time.Minute, -20 * time.Hour}
		g.jump(steps[rng.IntN(len(steps))])
		_, _ = b.Submit(t.Context(), board.Submission{Member: []string{"ada", "bea", "cyd", "dan"}[rng.IntN(4)], Score: board.Ints(rng.Int64N(9))})
		for name, r := range handles {
			fresh, err := b.At(t.Context(), name, g.clock.Now())
			if err != nil {
				outside++
				_, bad := r.Top(t.Context(), 3)
				require.Equal(t, err, bad)
				_, bad = r.Info(t.Context())
				require.Equal(t, err, bad)
				continue
			}
			require.Equal(t, answers(fresh.By(board.Competition)), answers(r), "%s at %s", name, g.clock.Now())
			periods[infoOf(r).Period] = true
		}
	}
	t.Logf("%d periods, %d reads where none was live", len(periods), outside)
	require.Greater(t, len(periods), 20)
	require.NotZero(t, outside)
}

// TestKeptPeriodsStay: a ranking of a named period stays with it. A pin, a View and a walk of a live ranking stay with the period that was
// live when they began.
func TestKeptPeriodsStay(t *testing.T) {
	g := newGame(t, false)
	b := g.define(counting("arena", board.Day))
	g.score(b, "ada", 1)
	g.jump(24 * time.Hour)
	g.score(b, "bea", 2)
	g.score(b, "ada", 1)
	g.closeDue(1)
	live, err := b.Live(t.Context(), "day")
	require.NoError(t, err)
	at, err := b.At(t.Context(), "day", g.clock.Now())
	require.NoError(t, err)
	named, err := b.Period(t.Context(), "day", "2026-11-21")
	require.NoError(t, err)
	last, err := b.LastClosed(t.Context(), "day")
	require.NoError(t, err)
	pinned, err := live.Pin(t.Context())
	require.NoError(t, err)
	walk := []string{}
	for row, err := range live.By(board.Dense).All(t.Context()) {
		require.NoError(t, err)
		if walk = append(walk, row.Member); len(walk) > 1 {
			continue
		}
		require.NoError(t, live.View(t.Context(), func(in board.Ranking) error {
			g.jump(24 * time.Hour)
			require.Equal(t, "2026-11-21", infoOf(in).Period)
			require.Equal(t, "bea 2, ada 1", g.show(in, nil))
			return nil
		}))
	}
	require.Equal(t, []string{"bea", "ada"}, walk)
	g.score(b, "cyd", 3)
	g.closeDue(1)
	for _, r := range []board.Ranking{at, named, pinned} {
		require.Equal(t, "bea 2, ada 1", g.show(r, nil))
		require.Equal(t, "2026-11-21", infoOf(r).Period)
	}
	require.Equal(t, "ada 1", g.show(last, nil))
	require.Equal(t, "2026-11-20", infoOf(last).Period)
	require.Equal(t, "cyd 3", g.show(live, nil))
	require.Equal(t, "2026-11-22", infoOf(live).Period)
	require.False(t, infoOf(pinned).Closed, "Info of a pin is that of the time of Pin")
}

// TestCursorOverMidnight: a handle of the live period refuses a cursor of an earlier period with ErrPeriodOver, which names that period. The
// ranking of that period accepts the cursor.
func TestCursorOverMidnight(t *testing.T) {
	g := newGame(t, false)
	b := g.define(counting("arena", board.Hour, board.All))
	for i, member := range []string{"ada", "bea", "cyd"} {
		g.score(b, member, int64(9-i))
	}
	live, err := b.Live(t.Context(), "hour")
	require.NoError(t, err)
	_, cursor, err := live.Page(t.Context(), board.Cursor{}, 2)
	require.NoError(t, err)
	_, end, err := live.Page(t.Context(), cursor, 2)
	require.NoError(t, err)
	require.True(t, end.Done())
	for range 3 {
		g.jump(time.Hour)
		for _, at := range []board.Cursor{cursor, end} {
			rows, next, err := live.Page(t.Context(), at, 2)
			require.ErrorIs(t, err, board.ErrPeriodOver)
			require.ErrorIs(t, err, board.ErrCursor)
			require.ErrorContains(t, err, "2026-11-20T12")
			require.Empty(t, rows)
			require.Equal(t, at, next)
		}
	}
	over, err := b.Period(t.Context(), "hour", "2026-11-20T12")
	require.NoError(t, err)
	rows, next, err := over.Page(t.Context(), cursor, 2)
	require.NoError(t, err)
	require.Len(t, rows, 1)
	require.Equal(t, end, next)
	all, err := b.Live(t.Context(), "all")
	require.NoError(t, err)
	at, err := b.At(t.Context(), "hour", g.clock.Now())
	require.NoError(t, err)
	for _, r := range []board.Ranking{all, at} { // a ranking of another window, and one that Live did not return
		_, _, err = r.Page(t.Context(), cursor, 2)
		require.ErrorIs(t, err, board.ErrCursor)
		require.NotErrorIs(t, err, board.ErrPeriodOver)
	}
	_, _, err = mustPin(t, live).Page(t.Context(), cursor, 2)
	require.ErrorIs(t, err, board.ErrPeriodOver)
	require.ErrorIs(t, live.View(t.Context(), func(r board.Ranking) error { _, _, err := r.Page(t.Context(), cursor, 2); return err }), board.ErrPeriodOver)
	g.jump(1000 * time.Hour) // more than 100 periods ago
	_, _, err = live.Page(t.Context(), cursor, 2)
	require.ErrorIs(t, err, board.ErrCursor)
	g.jump(-1003 * time.Hour)
	rows, _, err = live.Page(t.Context(), cursor, 2)
	require.NoError(t, err)
	require.Len(t, rows, 1)
}

// TestKeptLiveOfAnotherBoard: a kept handle returns ErrMigrating or ErrNoBoard after its board was migrated or dropped, also in a later period
// and in a gap that the new spec has closed. After Boards.Close it still works, and after Engine.Close it returns engine.ErrClosed.
func TestKeptLiveOfAnotherBoard(t *testing.T) {
	g := newGame(t, false)
	noon := g.clock.Now()
	season := board.Window{Kind: window.Seasons, Seasons: []board.Season{{Name: "s1", Start: noon, End: noon.Add(24 * time.Hour)}}}
	spec := counting("arena", board.Day, season)
	b := g.define(spec)
	g.score(b, "ada", 1)
	live := func(b board.Board, name string) board.Ranking {
		r, err := b.Live(t.Context(), name)
		require.NoError(t, err)
		return r
	}
	refuses := func(r board.Ranking, want error) {
		t.Helper()
		for name, call := range calls() {
			some, err := call(r)
			require.ErrorIs(t, err, want, name)
			require.False(t, some, name)
		}
	}
	days, s := live(b, "day"), live(b, "seasons")
	spec.Windows[1].Seasons = append(spec.Windows[1].Seasons, board.Season{Name: "s2", Start: noon.Add(24 * time.Hour), End: noon.Add(72 * time.Hour)})
	g.migrate(spec)
	refuses(days, board.ErrMigrating)
	g.jump(25 * time.Hour)
	refuses(days, board.ErrMigrating)
	refuses(s, board.ErrMigrating)
	_, err := s.Info(t.Context())
	require.ErrorIs(t, err, board.ErrMigrating)
	s = live(b, "seasons")
	g.score(b, "bea", 2)
	require.Equal(t, "bea 2", g.show(s, nil))

	other := g.define(counting("other", board.Day))
	g.score(other, "ada", 1)
	days = live(other, "day")
	require.NoError(t, g.bs.Drop(t.Context(), "other"))
	refuses(days, board.ErrNoBoard)
	g.jump(24 * time.Hour)
	refuses(days, board.ErrNoBoard)
	g.define(counting("other", board.Day))
	refuses(days, board.ErrNoBoard)

	days = live(b, "day")
	g.score(b, "cyd", 3)
	require.NoError(t, g.bs.Close())
	require.Equal(t, "cyd 3", g.show(days, nil))
	g.jump(24 * time.Hour)
	require.Equal(t, "", g.show(days, nil))
	require.NoError(t, g.e.Close())
	refuses(days, engine.ErrClosed)
	g.jump(24 * time.Hour)
	refuses(days, engine.ErrClosed)
}
