package local

import (
	"cmp"
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/board/window"
	"github.com/zrankdb/zrank/engine"
)

// TestClaims: a member collects its award once, with its own data, until it expires.
func TestClaims(t *testing.T) {
	forBoth(t, func(t *testing.T, g *game) {
		b := g.define(daily(awards.Plan{Tiers: medals, Claim: true, Expires: window.Duration(36 * time.Hour)}, 1))
		g.play(b, 30, 20, 10)
		g.settle()
		list, err := b.Claimable(t.Context(), "m0")
		require.NoError(t, err)
		require.Len(t, list, 1)
		id := list[0].ID
		_, err = b.Claim(t.Context(), "m1", id)
		require.ErrorIs(t, err, awards.ErrNotYours)
		for _, bad := range []string{"", "x", "arena/day/2026-11-20/1/nobody", "arena/day/2026-11-20/x/m0", "arena/day/2026-01-01/1/m0", "other/day/2026-11-20/1/m0", id + "/"} {
			_, err = b.Claim(t.Context(), "m0", bad)
			if bad == "arena/day/2026-11-20/1/nobody" {
				_, err = b.Claim(t.Context(), "nobody", bad)
			}
			require.ErrorIs(t, err, awards.ErrNoAward, bad)
		}
		keys, err := hintsOf(b).Claim(nil, id)
		require.NoError(t, err)
		claim := func(fail error) error {
			return g.e.Update(t.Context(), func(tx *engine.Tx) error {
				a, err := in(b, tx).Claim("m0", id)
				if err == nil {
					err = pay(context.Background(), tx, a)
				}
				return errors.Join(err, fail)
			}, keys...)
		}
		require.Error(t, claim(errors.New("no")))
		require.Equal(t, 3, waiting(t, b))
		require.NoError(t, claim(nil))
		require.ErrorIs(t, claim(nil), awards.ErrGranted)
		require.Equal(t, []int{100, 0}, g.coins(2))
		require.Equal(t, 2, waiting(t, b))
		rollback := errors.New("no")
		require.Equal(t, rollback, g.e.Update(t.Context(), func(tx *engine.Tx) error {
			_, err := in(b, tx).Claim("m1", "arena/day/2026-11-20/1/m1")
			return cmp.Or(err, rollback)
		}), "without naming keys")
		if g.mem != nil {
			g.powerCut(0, 1)
		}
		g.claimsExpire()
	})
}

// claimsExpire plays on after TestClaims: claims outlive the ranking, and expire.
func (g *game) claimsExpire() {
	t, b := g.t, g.board("arena")
	require.ErrorIs(t, g.bs.Deliver(b.Name(), "day", Delivery{Grant: pay}), awards.ErrPlan)
	g.play(b, 1)
	g.settle() // the window keeps one period: the ranking goes, and the award can still be claimed
	_, err := b.Period(t.Context(), "day", "2026-11-20")
	require.ErrorIs(t, err, board.ErrNoPeriod)
	_, err = b.Claim(t.Context(), "m1", "arena/day/2026-11-20/1/m1")
	require.NoError(t, err)
	g.clock.Add(12 * time.Hour)
	list, err := b.Claimable(t.Context(), "m2")
	require.NoError(t, err)
	require.Empty(t, list)
	_, err = b.Claim(t.Context(), "m2", "arena/day/2026-11-20/1/m2")
	require.ErrorIs(t, err, awards.ErrExpired)
	require.Equal(t, [3]int{0, 0, 1}, backlog(t, b))
	g.play(b, 1)
	g.settle()
	_, err = b.Claim(t.Context(), "m2", "arena/day/2026-11-20/1/m2")
	require.ErrorIs(t, err, awards.ErrNoAward, "expired awards go with the next period")
}

// backlog returns how many awards of the first period wait, have failed and have expired.
func backlog(t testing.TB, b board.Board) [3]int {
	t.Helper()
	list, err := b.Settlements(t.Context(), "day")
	require.NoError(t, err)
	return [3]int{list[0].Waiting, list[0].Failed, list[0].Expired}
}
