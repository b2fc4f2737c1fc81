package local

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/audit"
	"github.com/zrankdb/zrank/board/awards"
)

// TestCorrect: a result of a closed day counts there by the rules of the board and nowhere else, is in the audit log, is seen by Resettle, and can be reverted.
func TestCorrect(t *testing.T) {
	forBoth(t, func(t *testing.T, g *game) {
		ctx := context.Background()
		spec := daily(awards.Plan{Tiers: medals}, 0)
		spec.Op, spec.Journal = board.Sum, 20
		b := g.define(spec)
		g.play(b, 50, 40, 30)
		g.settle()
		_, err := b.Ban(ctx, "m0", keepRanks)
		require.NoError(t, err)
		late := board.ClosedSubmission{Window: "day", Period: "2026-11-20", Score: board.Ints(15)}
		did, err := b.Correct(ctx, "m2", late, board.Action{By: "ops", Reason: "an outage"})
		require.NoError(t, err)
		require.Equal(t, []board.Place{{Window: "day", Period: "2026-11-20", Closed: true, Rank: 3, Members: 2, Score: board.Ints(30), NewRank: 2, NewScore: board.Ints(45), Moved: 1}}, did.Places)
		require.Equal(t, "m2 45, m1 40", g.period(b, "day", "2026-11-20"))
		require.Equal(t, "m1 40, m2 30", g.live(b, "all"))
		did, err = b.Correct(ctx, "new", board.ClosedSubmission{Window: "day", Period: "2026-11-20", Score: board.Ints(60)}, ops)
		require.NoError(t, err)
		require.Equal(t, []board.Place{{Window: "day", Period: "2026-11-20", Closed: true, Members: 2, NewRank: 1, NewScore: board.Ints(60), Moved: 2}}, did.Places)
		e := g.lastEntry(b)
		require.Equal(t, audit.Kind("correct"), e.Kind)
		require.True(t, e.Done)
		_, err = b.Resettle(ctx, "day", "2026-11-20", awards.Resettlement{})
		require.NoError(t, err)
		require.Contains(t, g.awards(b, "2026-11-20"), "new 1 gold waiting")
		m, err := b.Member(ctx, "m2")
		require.NoError(t, err)
		require.Equal(t, 3, m.Windows[0].Places[0].Rank)
		taken, err := b.Revert(ctx, "m2", board.Reversion{Row: 6}, ops)
		require.NoError(t, err)
		require.Len(t, taken.Places, 1)
		_, err = b.Revert(ctx, "new", board.Reversion{}, ops)
		require.NoError(t, err)
		require.Equal(t, "m1 40, m2 30", g.period(b, "day", "2026-11-20"))
		if g.mem != nil {
			g.requireSound(1, 0)
			g.reopen()
			require.Equal(t, "m1 40, m2 30", g.period(g.board("arena"), "day", "2026-11-20"))
		}
	})
}

// TestCorrectIsRefused: what cannot be corrected changes nothing.
func TestCorrectIsRefused(t *testing.T) {
	ctx := context.Background()
	g := newGame(t, false)
	b := g.define(daily(awards.Plan{Tiers: medals}, 0))
	g.play(b, 50, 40)
	g.settle()
	g.play(b, 7)
	_, err := b.Ban(ctx, "eve", ops)
	require.NoError(t, err)
	_, err = b.Hide(ctx, "m1", ops)
	require.NoError(t, err)
	day := time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC)
	at := func(window, period string, score board.Score, at time.Time) board.ClosedSubmission {
		return board.ClosedSubmission{Window: window, Period: period, Score: score, At: at}
	}
	for _, c := range []struct {
		member string
		sub    board.ClosedSubmission
		want   error
	}{
		{"", at("day", "2026-11-20", board.Ints(1), day), board.ErrMember},
		{"m0", at("year", "2026-11-20", board.Ints(1), day), board.ErrNoWindow},
		{"m0", at("day", "2026-11-21", board.Ints(1), time.Time{}), board.ErrPeriodOpen},
		{"m0", at("day", "2026-11-19", board.Ints(1), time.Time{}), board.ErrNoPeriod},
		{"m0", at("day", "yesterday", board.Ints(1), time.Time{}), board.ErrNoPeriod},
		{"m0", at("day", "2026-11-20", board.Ints(1), day.Add(24*time.Hour)), board.ErrTime},
		{"m0", at("day", "2026-11-20", board.Ints(1, 2), day), board.ErrColumns},
		{"eve", at("day", "2026-11-20", board.Ints(1), day), board.ErrBanned},
		{"m1", at("day", "2026-11-20", board.Ints(1), day), board.ErrHidden},
	} {
		_, err := b.Correct(ctx, c.member, c.sub, ops)
		require.ErrorIs(t, err, c.want, "%v", c.sub)
	}
	_, err = b.Correct(ctx, "m0", at("day", "2026-11-20", board.Ints(1), day), board.Action{})
	require.ErrorIs(t, err, board.ErrAction)
	ended, cancel := context.WithCancelCause(ctx)
	cancel(errors.New("over"))
	_, err = b.Correct(ended, "m0", at("day", "2026-11-20", board.Ints(99), day), ops)
	require.Error(t, err)
	require.Equal(t, "m0 50", g.period(b, "day", "2026-11-20"))
	require.Equal(t, audit.Kind("hide"), g.lastEntry(b).Kind)
}
