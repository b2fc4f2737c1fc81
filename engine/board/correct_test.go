package board

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestCorrect: a result of a closed day counts there by the rules of the board and nowhere else, is in the audit log, is seen by Resettle, and can be reverted.
func TestCorrect(t *testing.T) {
	forBoth(t, func(t *testing.T, g *game) {
		ctx := context.Background()
		spec := daily(AwardPlan{Tiers: medals}, 0)
		spec.Op, spec.Journal = Sum, 20
		b := g.define(spec)
		g.play(b, 50, 40, 30)
		g.settle()
		_, err := b.Ban(ctx, "m0", keepRanks)
		require.NoError(t, err)
		late := ClosedSubmission{Window: "day", Period: "2026-11-20", Score: Ints(15)}
		did, err := b.Correct(ctx, "m2", late, Action{By: "ops", Reason: "an outage"})
		require.NoError(t, err)
		require.Equal(t, []Place{{Window: "day", Period: "2026-11-20", Closed: true, Rank: 3, Members: 2, Score: Ints(30), NewRank: 2, NewScore: Ints(45), Moved: 1}}, did.Places)
		require.Equal(t, "m2 45, m1 40", g.period(b, "day", "2026-11-20"))
		require.Equal(t, "m1 40, m2 30", g.live(b, "all"))
		did, err = b.Correct(ctx, "new", ClosedSubmission{Window: "day", Period: "2026-11-20", Score: Ints(60)}, ops)
		require.NoError(t, err)
		require.Equal(t, []Place{{Window: "day", Period: "2026-11-20", Closed: true, Members: 2, NewRank: 1, NewScore: Ints(60), Moved: 2}}, did.Places)
		e := g.lastEntry(b)
		require.Equal(t, AuditKind("correct"), e.Kind)
		require.True(t, e.Done)
		_, err = b.Resettle(ctx, "day", "2026-11-20", Resettlement{})
		require.NoError(t, err)
		require.Contains(t, g.awards(b, "2026-11-20"), "new 1 gold waiting")
		m, err := b.Member("m2")
		require.NoError(t, err)
		require.Equal(t, 3, m.Windows[0].Places[0].Rank)
		taken, err := b.Revert(ctx, "m2", Reversion{Row: 6}, ops)
		require.NoError(t, err)
		require.Len(t, taken.Places, 1)
		_, err = b.Revert(ctx, "new", Reversion{}, ops)
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
	b := g.define(daily(AwardPlan{Tiers: medals}, 0))
	g.play(b, 50, 40)
	g.settle()
	g.play(b, 7)
	_, err := b.Ban(ctx, "eve", ops)
	require.NoError(t, err)
	_, err = b.Hide(ctx, "m1", ops)
	require.NoError(t, err)
	day := time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC)
	at := func(window, period string, score Score, at time.Time) ClosedSubmission {
		return ClosedSubmission{Window: window, Period: period, Score: score, At: at}
	}
	for _, c := range []struct {
		member string
		sub    ClosedSubmission
		want   error
	}{
		{"", at("day", "2026-11-20", Ints(1), day), ErrMember},
		{"m0", at("year", "2026-11-20", Ints(1), day), ErrNoWindow},
		{"m0", at("day", "2026-11-21", Ints(1), time.Time{}), ErrPeriodOpen},
		{"m0", at("day", "2026-11-19", Ints(1), time.Time{}), ErrNoPeriod},
		{"m0", at("day", "yesterday", Ints(1), time.Time{}), ErrNoPeriod},
		{"m0", at("day", "2026-11-20", Ints(1), day.Add(24*time.Hour)), ErrTime},
		{"m0", at("day", "2026-11-20", Ints(1, 2), day), ErrColumns},
		{"eve", at("day", "2026-11-20", Ints(1), day), ErrBanned},
		{"m1", at("day", "2026-11-20", Ints(1), day), ErrHidden},
	} {
		_, err := b.Correct(ctx, c.member, c.sub, ops)
		require.ErrorIs(t, err, c.want, "%v", c.sub)
	}
	_, err = b.Correct(ctx, "m0", at("day", "2026-11-20", Ints(1), day), Action{})
	require.ErrorIs(t, err, ErrAction)
	ended, cancel := context.WithCancelCause(ctx)
	cancel(errors.New("over"))
	_, err = b.Correct(ended, "m0", at("day", "2026-11-20", Ints(99), day), ops)
	require.Error(t, err)
	require.Equal(t, "m0 50", g.period(b, "day", "2026-11-20"))
	require.Equal(t, AuditKind("hide"), g.lastEntry(b).Kind)
}
