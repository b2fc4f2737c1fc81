package local

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/board/internal/closing"
	"github.com/zrankdb/zrank/engine"
)

// TestManual: with Options.Manual nothing is closed, settled or delivered but by SettleDue, and NextDue says when that has something to do.
func TestManual(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGame(t, false)
		require.NoError(t, g.bs.Close())
		bs, err := Open(g.e, Options{Logger: slog.New(g.logged), Manual: true})
		require.NoError(t, err)
		g.bs = bs
		due := func(want string) {
			t.Helper()
			at, ok := bs.NextDue()
			if !ok {
				at = time.Time{}
			}
			require.Equal(t, want, at.UTC().Format("01-02 15:04:05"))
		}
		const never = "01-01 00:00:00"
		due(never)
		spec := counting("arena", board.Day, board.Week, board.All)
		spec.Awards = []awards.Plan{{Window: "day", Tiers: []awards.Tier{{Name: "played", Everyone: true}}}}
		g.define(spec)
		granted, fails := 0, true
		require.NoError(t, g.bs.Deliver("arena", "day", Delivery{Grant: func(context.Context, *engine.Tx, awards.Award) error {
			due("11-23 00:00:00") // nothing waits for the delivery that calls
			if fails {
				return errors.New("not now")
			}
			granted++
			return nil
		}}))
		due(never)
		g.score(g.board("arena"), "ada", 1)
		due("11-21 00:00:00")

		g.clock.Set(time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC))
		settleAlone(t, g, board.Settled{Closed: 1, Settled: 1, Failed: 1})
		due("11-21 00:00:01")
		g.clock.Add(time.Second)
		due("11-23 00:00:00") // what is due now is not next
		settleAlone(t, g, board.Settled{Failed: 1})
		due("11-21 00:00:03")
		fails = false
		g.clock.Add(2 * time.Second)
		settleAlone(t, g, board.Settled{Granted: 1})
		require.Equal(t, 1, granted)
		due("11-23 00:00:00")
		g.clock.Set(time.Date(2026, 11, 23, 0, 0, 0, 0, time.UTC))
		settleAlone(t, g, board.Settled{Closed: 1})
		due(never)
		require.NoError(t, g.e.Close()) // ends what is there of goroutines
	})
}

// settleAlone calls SettleDue when goroutines that did what is due would long have done it.
func settleAlone(t *testing.T, g *game, want board.Settled) {
	t.Helper()
	time.Sleep(10 * closing.MaxSleep)
	synctest.Wait()
	require.Empty(t, g.logged.take(), "no goroutine has done anything")
	did, err := g.bs.SettleDue(t.Context())
	require.NoError(t, err)
	require.Equal(t, want, did)
	g.logged.take()
}
