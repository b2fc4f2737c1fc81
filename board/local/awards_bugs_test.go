package local

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/board/window"
	"github.com/zrankdb/zrank/engine"
)

// TestResettleForgetsFailures: an award that has failed and is not due any more leaves no note behind, and another revision has the same id for Withhold
// and Release too.
func TestResettleForgetsFailures(t *testing.T) {
	g := newGame(t, true)
	b := g.define(daily(awards.Plan{Tiers: medals[:2]}, 0))
	no := Delivery{Grant: func(context.Context, *engine.Tx, awards.Award) error { return errors.New("no") }}
	require.NoError(t, g.bs.Deliver(b.Name(), "day", no))
	g.play(b, 50, 40, 30, 20)
	g.settle()
	require.Len(t, g.privates("board.note"), 3)
	_, err := b.Resettle(context.Background(), "day", "2026-11-20", awards.Resettlement{Without: []string{"m0"}})
	require.NoError(t, err)
	notes, of := g.privates("board.note"), "board.note\x00arena\x00day\x002026-11-20\x00"
	require.NotContains(t, notes, of+"m0", "m0 gets nothing")
	require.Subset(t, notes, []string{of + "m1", of + "m2"}, "they still have failed; m3 may have by now")
	require.NoError(t, b.Withhold(t.Context(), "arena/day/2026-11-20/1/m1", "m1 gets gold now"))
	require.ErrorIs(t, b.Withhold(t.Context(), "arena/day/2026-11-20/2/m1", "an id of an earlier version"), awards.ErrWithheld)
	g.reopen()
	require.NoError(t, g.bs.Deliver("arena", "day", Delivery{Grant: pay}))
	g.clock.Add(time.Hour)
	g.settleDue()
	require.Equal(t, []int{0, 0, 50, 50}, g.coins(4))
	require.Len(t, g.privates("board.note"), 1)
}

// TestGrantOfAClosedStore: an error of the program is that of its award, also if it is one that the engine has for itself. Other awards go on.
func TestGrantOfAClosedStore(t *testing.T) {
	forBoth(t, func(t *testing.T, g *game) {
		b := g.define(daily(awards.Plan{Tiers: medals}, 0))
		require.NoError(t, g.bs.Deliver(b.Name(), "day", Delivery{Grant: func(ctx context.Context, tx *engine.Tx, a awards.Award) error {
			if a.Member == "m0" {
				return fmt.Errorf("another store: %w", engine.ErrClosed)
			}
			return pay(ctx, tx, a)
		}}))
		g.play(b, 50, 40, 30)
		g.settle()
		require.Equal(t, []int{0, 50, 50}, g.coins(3))
		require.Equal(t, "m0 1 gold failed", g.awards(b, "2026-11-20")[0])
	})
}

// TestDeliverAfterAPlanOfClaims: periods that were closed under a plan without claims are delivered, whatever the plan says since.
func TestDeliverAfterAPlanOfClaims(t *testing.T) {
	g := newGame(t, true)
	b := g.define(daily(awards.Plan{Tiers: medals}, 1))
	g.play(b, 50, 40)
	g.settle()
	g.migrate(daily(awards.Plan{Tiers: medals, Claim: true}, 1))
	g.reopen()
	b = g.board("arena")
	g.play(b, 50, 40)
	g.settle()
	require.NoError(t, g.bs.Deliver(b.Name(), "day", Delivery{Grant: pay}))
	g.settleDue()
	require.Equal(t, []int{100, 50}, g.coins(2))
	list, err := b.Claimable(t.Context(), "m1")
	require.NoError(t, err)
	require.Len(t, list, 1)
	require.Equal(t, "2026-11-21", list[0].Period)
}

// TestClaimsKeepNoPeriods: after days of downtime a window keeps as many periods as it should, once their awards can be claimed.
func TestClaimsKeepNoPeriods(t *testing.T) {
	g := newGame(t, true)
	b := g.define(daily(awards.Plan{Tiers: medals, Claim: true, Expires: window.Duration(240 * time.Hour)}, 1))
	for range 4 {
		g.play(b, 50, 40)
		require.NoError(t, g.bs.Close())
		g.clock.Add(24 * time.Hour)
		g.bs = nil
		require.NoError(t, g.e.Close())
		g.open()
		b = g.board("arena")
	}
	g.settleDue()
	all, err := b.Periods(t.Context(), "day")
	require.NoError(t, err)
	require.Len(t, all, 1)
	list, err := b.Claimable(t.Context(), "m0")
	require.NoError(t, err)
	require.Len(t, list, 4)
}

// TestWithheldWhileOthersAreDelivered: Withhold during a delivery of the period waits for a batch at most, and what it has withheld is not granted.
func TestWithheldWhileOthersAreDelivered(t *testing.T) {
	g := newGame(t, false)
	b := g.define(daily(awards.Plan{Tiers: []awards.Tier{{Name: "all", Everyone: true, Payload: "1"}}}, 0))
	const members, last = 300, 299
	for i := range members {
		g.score(b, fmt.Sprint("m", i), int64(1000-i))
	}
	withheld := make(chan error, 1)
	require.NoError(t, g.bs.Deliver(b.Name(), "day", Delivery{Grant: func(ctx context.Context, tx *engine.Tx, a awards.Award) error {
		if a.Rank == 1 {
			go func() { withheld <- b.Withhold(ctx, fmt.Sprint("arena/day/2026-11-20/1/m", last), "a cheat") }()
		}
		return pay(ctx, tx, a)
	}}))
	g.settle()
	if err := <-withheld; err != nil {
		require.ErrorIs(t, err, awards.ErrGranted)
	} else {
		require.Equal(t, 0, g.coins(members)[last])
	}
}

// TestManyTiers: plans of 1 to 64 tiers are settled, with each tier for its rank.
func TestManyTiers(t *testing.T) {
	for _, tiers := range []int{1, 4, 5, 12, 13, 32, 33, awards.MaxTiers} {
		g := newGame(t, true)
		p := awards.Plan{Window: "day"}
		for i := range tiers {
			p.Tiers = append(p.Tiers, awards.Tier{Name: fmt.Sprint("t", i), From: i + 1, Payload: fmt.Sprint(i + 1)})
		}
		b := g.define(daily(p, 0))
		require.NoError(t, g.bs.Deliver(b.Name(), "day", Delivery{Grant: pay}))
		for i := range tiers {
			g.score(b, fmt.Sprint("m", i), int64(1000-i))
		}
		g.settle()
		g.reopen()
		_, err := g.board("arena").Resettle(context.Background(), "day", "2026-11-20", awards.Resettlement{})
		require.NoError(t, err)
		for i, coins := range g.coins(tiers) {
			require.Equal(t, i+1, coins)
		}
	}
}

// TestEqualsBeyondTheBest: on a board with Top the ranks of a plan count equals beyond the best ones too.
func TestEqualsBeyondTheBest(t *testing.T) {
	for mode, want := range map[board.Mode][]string{
		board.Ordinal:     {"m0 1 a waiting", "m1 2 a waiting", "m2 3 a waiting"},
		board.Competition: {"m0 1 a waiting", "m1 2 a waiting", "m2 2 a waiting", "m3 2 a waiting", "m4 2 a waiting"},
		board.Modified:    {"m0 1 a waiting"},
		board.Dense:       {"m0 1 a waiting", "m1 2 a waiting", "m2 2 a waiting", "m3 2 a waiting", "m4 2 a waiting", "m5 3 a waiting"},
	} {
		g := newGame(t, false)
		spec := daily(awards.Plan{Mode: mode, Tiers: []awards.Tier{{Name: "a", From: 1, To: 3}}}, 0)
		spec.Top = &board.Top{N: 3, Reserve: 1}
		b := g.define(spec)
		for i, score := range []int64{9, 8, 8, 8, 8, 7, 6} {
			g.clock.Add(time.Millisecond)
			g.score(b, fmt.Sprint("m", i), score)
		}
		g.settle()
		require.Equal(t, want, g.awards(b, "2026-11-20"), mode)
	}
}
