package local

import (
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
)

// guard opens the boards again, with a limit to the jumps of the clock.
func guard(g *game, most time.Duration) {
	g.t.Helper()
	require.NoError(g.t, g.bs.Close())
	bs, err := Open(g.e, Options{Logger: slog.New(g.logged), MaxJump: most})
	require.NoError(g.t, err)
	g.bs = bs
}

// TestMaxJump: a clock that jumps a year ahead for 1.5 s and comes back closes nothing and takes no score into a period of next year: everything is as before.
func TestMaxJump(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGame(t, false)
		b := g.define(counting("arena", board.Day, board.Week, board.All))
		guard(g, 24*time.Hour)
		b = g.board("arena")
		g.score(b, "ada", 1)
		g.logged.take()

		g.jump(365 * 24 * time.Hour)
		time.Sleep(1500 * time.Millisecond)
		synctest.Wait()
		for _, sub := range []board.Submission{{Member: "ada", Score: board.Ints(1)}, {Member: "ada", Score: board.Ints(1), At: g.clock.Now().Add(-time.Hour)}} {
			_, err := b.Submit(t.Context(), sub)
			require.ErrorIs(t, err, board.ErrTime)
			require.ErrorContains(t, err, "the clock has jumped from 2026-11-20T12:00:00Z to 2027-11-20T12:00:00Z")
		}
		_, err := b.CloseNow(t.Context(), "day")
		require.ErrorIs(t, err, board.ErrTime)
		g.jump(-365 * 24 * time.Hour)
		time.Sleep(1500 * time.Millisecond)
		synctest.Wait()

		lines := g.logged.take()
		require.Len(t, lines, 1, "once, and no period closed")
		require.True(t, strings.HasPrefix(lines[0], "no period is closed"), lines[0])
		require.Equal(t, board.Int(2), g.score(b, "ada", 1).After.Score.At(0))
		g.closeDue(0)
	})
}

// TestMaxJumpIsRight: a clock that goes on, however fast, closes periods in time; so does one that has jumped when the program says that it is right, and when
// the boards are opened again. A limit of less than a minute is none.
func TestMaxJumpIsRight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGame(t, false)
		g.define(counting("arena", board.Day, board.All))
		guard(g, 24*time.Hour)
		b := g.board("arena")
		closed := func() int { return strings.Count(strings.Join(g.logged.take(), "\n"), "period closed") }
		for range 3 {
			g.score(b, "ada", 1)
			g.jump(24 * time.Hour)
			time.Sleep(time.Second)
			synctest.Wait()
			require.Equal(t, 1, closed())
		}
		g.score(b, "ada", 1)
		g.jump(48 * time.Hour)
		time.Sleep(time.Minute)
		synctest.Wait()
		require.Zero(t, closed())
		g.closeDue(1)
		g.score(b, "ada", 1)
		g.logged.take()
		g.jump(48 * time.Hour)
		guard(g, 24*time.Hour)
		require.Equal(t, 1, closed())
		g.score(g.board("arena"), "ada", 1)

		require.NoError(t, g.bs.Close())
		_, err := Open(g.e, Options{MaxJump: time.Second})
		require.ErrorContains(t, err, "Options.MaxJump is 1s")
	})
}
