package local

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/closing"
	"github.com/zrankdb/zrank/board/window"
	"github.com/zrankdb/zrank/engine"
)

// keeping returns the spec of a board of days, of which it keeps keep closed ones, with metadata.
func keeping(keep int) board.Spec {
	return board.Spec{Name: "arena", MaxMeta: 10, Windows: []board.Window{{Kind: window.Day, Keep: keep}}}
}

// play submits scores of two members on each of some days, and closes the days.
func play(g *game, b board.Board, days int) {
	g.t.Helper()
	for range days {
		for _, member := range []string{"ada", "bob"} {
			_, err := b.Submit(context.Background(), board.Submission{Member: member, Score: board.Ints(1), Meta: []byte("M")})
			require.NoError(g.t, err)
		}
		g.jump(24 * time.Hour)
		g.closeDue(1)
	}
}

// TestKeep: a window keeps Keep closed periods; older ones leave no set and no private key.
func TestKeep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for keep := range 4 {
			for _, durable := range []bool{false, true} {
				g := newGame(t, durable)
				b := g.define(keeping(keep))
				play(g, b, 6)
				want := 6
				if keep > 0 {
					want = keep
				}
				periods, err := b.Periods(t.Context(), "day")
				require.NoError(t, err)
				require.Len(t, periods, want)
				require.Equal(t, "2026-11-25", periods[want-1].Period)
				g.index()
				require.Len(t, g.sets(), want)
				require.Len(t, g.privates("board."), 2+5*want, "a spec, the end of the last closed period, a record, two places and two entries' metadata each")
				if keep > 0 {
					_, err = b.Period(t.Context(), "day", "2026-11-20")
					require.ErrorIs(t, err, board.ErrNoPeriod)
					require.ErrorContains(t, err, "it is not kept any more")
				}
				g.reopenBoards()
				require.Len(t, g.sets(), want)
				require.NoError(t, g.bs.Close())
			}
		}
	})
}

// TestKeepCrash cuts the power before every write while periods are closed and dropped: no data of dropped periods is left.
func TestKeepCrash(t *testing.T) {
	c := &crasher{}
	g := newGame(t, true, crashing(c))
	b := g.define(keeping(2))
	play(g, b, 2)
	points := 0
	for range 3 {
		play(g, b, 1)
		for _, d := range c.take() {
			_, err := recovered(d.disk, g.clock.Now(), func(bs *Boards) error {
				arena, err := bs.Board(t.Context(), "arena")
				if err != nil {
					return nil
				}
				periods, err := arena.Periods(t.Context(), "day")
				if len(periods) > 2 {
					return fmt.Errorf("%d periods are kept", len(periods))
				}
				return err
			})
			require.NoError(t, err, d.point)
			got, err := recovered(d.disk, g.clock.Now(), nothingLeft)
			require.NoError(t, err, d.point)
			require.LessOrEqual(t, strings.Count(got, "\n"), 3)
			points++
		}
	}
	t.Logf("%d crash points", points)
}

// TestKeepLess: a migration to fewer periods drops the older ones.
func TestKeepLess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGame(t, true)
		b := g.define(keeping(0))
		play(g, b, 5)
		g.migrate(keeping(2))
		g.closeDue(0)
		require.Len(t, g.sets(), 2)
		require.Len(t, g.privates("board.meta"), 4)
		g.migrate(keeping(3))
		play(g, b, 2)
		require.Len(t, g.sets(), 3)
		g.reopen()
		require.Len(t, g.sets(), 3)
	})
}

// loaded reports whether a set is in memory.
func loaded(t *testing.T, e *engine.Engine, key string) bool {
	t.Helper()
	u, ok, err := e.Usage(key)
	require.NoError(t, err)
	require.True(t, ok, key)
	return u.Loaded
}

// TestClosedLeaveMemory: a closed period is evicted with the next snapshot, loaded by a read, and evicted again a minute after the last read.
// A period that is loaded from the log after a crash is evicted too, and so is a baseline.
func TestClosedLeaveMemory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGame(t, true)
		b := g.define(keeping(0))
		play(g, b, 1)
		g.index()
		key := "board/arena/day/2026-11-20/v1"
		require.True(t, loaded(t, g.e, key), "not on the disk yet")
		require.NoError(t, g.e.Snapshot())
		require.False(t, loaded(t, g.e, key))
		usage, err := usageOf(b)
		require.NoError(t, err)
		require.Equal(t, 2, usage[0].Members)
		require.Less(t, usage[0].Memory, int64(1000))
		require.Equal(t, "ada 1 \"M\", bob 1 \"M\"", g.period(b, "day", "2026-11-20"))
		require.True(t, loaded(t, g.e, key))
		for range 3 { // read every 50 seconds
			g.jump(50 * time.Second)
			time.Sleep(2 * closing.MaxSleep)
			synctest.Wait()
			require.True(t, loaded(t, g.e, key))
			g.period(b, "day", "2026-11-20")
		}
		g.jump(catalog.IdleAfter)
		time.Sleep(2 * closing.MaxSleep)
		synctest.Wait()
		require.False(t, loaded(t, g.e, key))

		play(g, b, 1)
		g.powerCut(0, 1) // Open loads the period to apply the log
		g.index()
		key = "board/arena/day/2026-11-21/v1"
		require.NoError(t, g.e.Snapshot())
		require.False(t, loaded(t, g.e, key))

		b = g.board("arena")
		g.score(b, "ada", 1)
		require.NoError(t, b.SaveBaseline(t.Context(), "day", "start"))
		require.NoError(t, g.e.Snapshot())
		require.False(t, loaded(t, g.e, "board/arena/.base.day/start/v1"))
		require.True(t, loaded(t, g.e, "board/arena/day/2026-11-22/v1"))
	})
}

// TestClosingReadsOnce: closing a period on the disk does not load it. It is read once to be indexed, and once more when it is dropped.
func TestClosingReadsOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGame(t, true)
		b := g.define(keeping(1))
		play(g, b, 1)
		g.index() // else the period may be indexed after the reopening, and be read once more
		g.score(b, "ada", 1)
		require.NoError(t, g.e.Snapshot())
		g.reopen()
		before, err := g.e.Stats()
		require.NoError(t, err)
		g.jump(24 * time.Hour)
		g.closeDue(1)
		after, err := g.e.Stats()
		require.NoError(t, err)
		require.LessOrEqual(t, after.Loads, before.Loads+2)
		g.index()
		after, err = g.e.Stats()
		require.NoError(t, err)
		require.Equal(t, before.Loads+2, after.Loads)
		require.Equal(t, []string{"board/arena/day/2026-11-21/v1"}, g.sets())
		require.False(t, loaded(t, g.e, "board/arena/day/2026-11-21/v1"))
	})
}
