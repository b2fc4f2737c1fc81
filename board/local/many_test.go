package local

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/closing"
	"github.com/zrankdb/zrank/board/window"
	"github.com/zrankdb/zrank/engine"
)

// TestManyBoards opens thousands of boards, calls CloseDue while nothing is due, and then closes a period of each. It logs the times.
func TestManyBoards(t *testing.T) {
	n := howMany(10_000)
	g := newGame(t, true, func(g *game) { g.o.Durability = engine.Interval })
	began := time.Now()
	for i := range n {
		b := g.define(counting(fmt.Sprintf("board%05d", i), board.All, board.Window{Kind: window.Day, TimeZone: "Europe/Berlin"}, board.Week))
		g.score(b, "ada", 1)
	}
	require.NoError(t, g.e.Snapshot())
	require.NoError(t, g.bs.Close())
	defined := time.Since(began)
	began = time.Now()
	bs, err := Open(g.e, Options{Logger: slog.New(g.logged)})
	require.NoError(t, err)
	opened := time.Since(began)
	g.bs = bs
	began = time.Now()
	for range 10 {
		g.closeDue(0)
		closing.NextDue(g.bs.catalog)
	}
	idle := time.Since(began) / 10
	g.jump(24 * time.Hour)
	began = time.Now()
	_, err = g.bs.CloseDue(t.Context())
	require.NoError(t, err)
	require.Equal(t, n, strings.Count(strings.Join(g.logged.take(), "\n"), "period closed"), "by CloseDue or by the scheduler")
	t.Logf("%d boards of 3 windows: defined and scored in %v, open %v, CloseDue with nothing due %v, closing %d periods %v", n, defined, opened, idle, n, time.Since(began))
	require.Equal(t, n, len(g.bs.All()))
	require.Equal(t, "board00000", g.bs.All()[0].Name())
}

// TestManyPeriods: a skipped submission opens no period. Thousands of periods with an endless grace stay open until CloseNow closes them in
// order; then all but the last 10 are dropped.
func TestManyPeriods(t *testing.T) {
	n := howMany(4000)
	g := newGame(t, false)
	b := g.define(counting("arena", board.Window{Kind: window.Hour, Grace: window.Forever, Keep: 10}))
	at := func(i int) time.Time { return g.clock.Now().Add(-time.Duration(i) * time.Hour) }
	timeline := coreOf(b).State().Timelines[0]
	for i := range n {
		c, err := b.Submit(t.Context(), board.Submission{Member: "ada", Score: board.Ints(1), At: at(i), If: board.IfRanked})
		require.NoError(t, err)
		require.True(t, c.Skipped)
	}
	require.Empty(t, timeline.OpenSlots())
	for i := range n {
		_, err := b.Submit(t.Context(), board.Submission{Member: "ada", Score: board.Ints(1), At: at(i)})
		require.NoError(t, err)
	}
	require.Len(t, timeline.OpenSlots(), n)
	removed, err := b.Remove(t.Context(), "ada")
	require.NoError(t, err)
	require.Len(t, removed, n)
	for i := range n {
		_, err := b.Submit(t.Context(), board.Submission{Member: "ada", Score: board.Ints(1), At: at(i)})
		require.NoError(t, err)
	}
	info, err := b.CloseNow(t.Context(), "hour")
	require.NoError(t, err)
	require.True(t, info.Closed)
	require.Empty(t, timeline.OpenSlots())
	require.Len(t, g.sets(), 10)
	lines := g.logged.take()
	require.Len(t, lines, 2*n-10)
	for i := range n {
		require.Equal(t, "period closed arena hour "+at(n-1-i).Format("2006-01-02T15")+" 1", lines[i])
	}
}

// TestTooManyPeriods: Remove returns ErrTooManyKeys if more periods are open than a transaction may name.
func TestTooManyPeriods(t *testing.T) {
	g := newGame(t, false)
	b := g.define(counting("arena", board.Window{Kind: window.Every, Every: window.Duration(time.Second), Grace: window.Forever}))
	timeline := coreOf(b).State().Timelines[0]
	for i := range engine.MaxKeys + 1 {
		slot, err := timeline.SlotAt(g.clock.Now().Add(-time.Duration(i) * time.Second))
		require.NoError(t, err)
		timeline.NoteOpen(slot)
	}
	_, err := b.Remove(t.Context(), "ada")
	require.ErrorIs(t, err, engine.ErrTooManyKeys)
}

// TestRaces: 8 goroutines make random calls on one board and on several. At the end two windows with the same periods agree.
func TestRaces(t *testing.T) {
	for _, boards := range []int{1, 5} {
		g := newGame(t, true, func(g *game) {
			g.o = engine.Options{MemoryLimit: 1, SnapshotBytes: 1 << 16, Durability: engine.Interval}
		})
		for i := range boards {
			g.define(counting(fmt.Sprint("b", i), board.Window{Kind: window.Hour, Grace: window.Forever}, board.All, board.Window{Name: "hour2", Kind: window.Hour, Grace: window.Forever}))
		}
		var wg sync.WaitGroup
		for who := range 8 {
			wg.Go(func() {
				rng := rand.New(rand.NewPCG(uint64(who), 9))
				for range howMany(400) {
					if err := randomCall(g, g.board(fmt.Sprint("b", rng.IntN(boards))), rng); err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
		wg.Wait()
		for _, b := range g.bs.All() {
			first, err := b.Periods(t.Context(), "hour")
			require.NoError(t, err)
			second, err := b.Periods(t.Context(), "hour2")
			require.NoError(t, err)
			require.Len(t, second, len(first))
			for _, u := range first {
				require.Equal(t, g.period(b, "hour", u.Period), g.period(b, "hour2", u.Period))
			}
		}
		require.NoError(t, nothingLeft(g.bs))
	}
}

// randomCall makes one random call on a board.
func randomCall(g *game, b board.Board, rng *rand.Rand) (err error) {
	ctx := context.Background()
	member := fmt.Sprint("m", rng.IntN(20))
	switch rng.IntN(12) {
	case 0:
		_, err = b.Remove(ctx, member)
	case 1:
		g.jump(7 * time.Minute)
		_, err = g.bs.CloseDue(ctx)
	case 2:
		_, err = b.SubmitAll(ctx, []board.Submission{{Member: member, Score: board.Ints(1)}, {Member: "x", Score: board.Ints(1), Once: member}})
	case 3:
		err = b.SaveBaseline(g.t.Context(), "hour", "x")
	case 4:
		_, err = usageOf(b)
	case 5:
		var r board.Ranking
		if r, err = b.Live(ctx, "hour"); err == nil {
			_, err = r.Card(ctx, member, 3, 2)
		}
	case 6:
		_, err = g.bs.Define(ctx, b.Spec())
	default:
		_, err = b.Submit(ctx, board.Submission{Member: member, Score: board.Ints(rng.Int64N(9)), At: g.clock.Now().Add(-time.Duration(rng.IntN(300)) * time.Minute)})
	}
	return err
}
