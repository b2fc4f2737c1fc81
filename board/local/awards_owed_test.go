package local

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/engine"
)

// payOwed is a Grant that adds what is owed to the coins of the member.
func payOwed(_ context.Context, tx *engine.Tx, a awards.Award) error {
	return add(tx, "coins "+a.Member, int(a.Owed))
}

// medalsOf returns the payloads of the medals that a rank gets: with stack all of them, without it the best one.
func medalsOf(rank int, stack bool) (payloads []string) {
	for _, tier := range medals {
		if tier.Everyone || tier.From <= rank && rank <= max(tier.From, tier.To) {
			payloads = append(payloads, tier.Payload)
			if !stack {
				break
			}
		}
	}
	return payloads
}

// TestOwed: a program that pays Owed pays the difference after each Resettle, whatever moves up and down: without Stack a member has got what its best tier is worth,
// and with Stack each tier once.
func TestOwed(t *testing.T) {
	for _, stack := range []bool{false, true} {
		t.Run(fmt.Sprint("stack=", stack), func(t *testing.T) {
			g := newGame(t, true)
			b := g.define(daily(awards.Plan{Tiers: medals, Stack: stack}, 0))
			require.NoError(t, g.bs.Deliver(b.Name(), "day", Delivery{Grant: payOwed}))
			const members = 6
			g.play(b, 60, 50, 40, 30, 20, 10)
			g.settle()
			var got [members]map[string]bool
			settled := func(without []string) {
				rank := 0
				for i := range members {
					if got[i] == nil {
						got[i] = map[string]bool{}
					}
					if slices.Contains(without, fmt.Sprint("m", i)) {
						continue
					}
					rank++
					for _, payload := range medalsOf(rank, stack) {
						got[i][payload] = true
					}
				}
				var want []int
				for i := range members {
					coins := 0
					for payload := range got[i] {
						n, err := strconv.Atoi(payload)
						require.NoError(t, err)
						if stack {
							coins += n
						} else {
							coins = max(coins, n)
						}
					}
					want = append(want, coins)
				}
				require.Equal(t, want, g.coins(members), "without %v", without)
			}
			settled(nil)
			rng := rand.New(rand.NewPCG(6, 1))
			for range 30 {
				var without []string
				for i := range members {
					if rng.IntN(3) == 0 {
						without = append(without, fmt.Sprint("m", i))
					}
				}
				_, err := b.Resettle(context.Background(), "day", "2026-11-20", awards.Resettlement{Without: without})
				require.NoError(t, err)
				g.settleDue()
				settled(without)
			}
		})
	}
}

// TestOwedIsANumber: without whole numbers for payloads nothing is owed in numbers.
func TestOwedIsANumber(t *testing.T) {
	g := newGame(t, false)
	b := g.define(daily(awards.Plan{Claim: true, Tiers: []awards.Tier{{Name: "gold", From: 1, Payload: "a hat"}, {Name: "played", Everyone: true, Payload: "7"}}}, 0))
	g.play(b, 2, 1)
	g.settle()
	for member, owed := range map[string]int64{"m0": 0, "m1": 7} {
		list, err := b.Claimable(t.Context(), member)
		require.NoError(t, err)
		require.Equal(t, owed, list[0].Owed)
		a, err := b.Claim(t.Context(), member, list[0].ID)
		require.NoError(t, err)
		require.Equal(t, owed, a.Owed, "what the claim has to pay")
		list, err = b.AwardsOf(t.Context(), member)
		require.NoError(t, err)
		require.Zero(t, list[0].Owed, "it is paid")
	}
}

// awardIDs returns the ids of the awards of a day, by member.
func (g *game) awardIDs(b board.Board) map[string]string {
	g.t.Helper()
	ids := map[string]string{}
	for a, err := range b.Awards(context.Background(), "day", "2026-11-20") {
		require.NoError(g.t, err)
		ids[a.Member] = a.ID
	}
	return ids
}

// TestAwardKeepsItsID: neither a Resettle nor a Rename changes the id of an award, nor does a restart afterwards. Ids that earlier versions have given out, with the
// revision and the name by then, still find it.
func TestAwardKeepsItsID(t *testing.T) {
	g := newGame(t, true)
	ctx, mod := context.Background(), board.Action{By: "ops"}
	b := g.define(daily(awards.Plan{Claim: true, Tiers: medals}, 0))
	g.play(b, 50, 40, 30, 20)
	g.settle()
	first := g.awardIDs(b)
	require.Equal(t, "arena/day/2026-11-20/1/m1", first["m1"])
	require.NoError(t, b.Withhold(ctx, first["m1"], "?"))

	_, err := b.Resettle(ctx, "day", "2026-11-20", awards.Resettlement{Without: []string{"m0"}})
	require.NoError(t, err)
	require.NoError(t, b.Release(ctx, first["m1"]), "a Resettle came between")
	list, err := b.Claimable(ctx, "m1")
	require.NoError(t, err)
	require.Equal(t, first["m1"], list[0].ID)
	require.Equal(t, 2, list[0].Revision)
	require.Equal(t, "gold", list[0].Tier)

	g.clock.Add(1)
	rename := func(member, to string) {
		t.Helper()
		_, err := b.Rename(ctx, member, to, mod)
		require.NoError(t, err)
	}
	rename("m1", "x")
	rename("x", "y")
	rename("m2", "m1") // a name that another member had before
	want := map[string]string{"y": first["m1"], "m1": first["m2"], "m3": first["m3"]}
	require.Equal(t, want, g.awardIDs(b))
	_, err = b.Resettle(ctx, "day", "2026-11-20", awards.Resettlement{Without: []string{"m0", "m3"}})
	require.NoError(t, err)
	delete(want, "m3")
	g.reopen()
	b = g.board("arena")
	require.Equal(t, want, g.awardIDs(b))

	_, err = b.Claim(ctx, "m1", first["m1"])
	require.ErrorIs(t, err, awards.ErrNotYours)
	a, err := b.Claim(ctx, "y", first["m1"])
	require.NoError(t, err)
	require.Equal(t, first["m1"], a.ID)
	require.Equal(t, "y", a.Member)
	for _, id := range []string{"arena/day/2026-11-20/2/m1", "arena/day/2026-11-20/1/x", "arena/day/2026-11-20/2/y"} {
		_, err = b.Claim(ctx, "y", id)
		require.ErrorIs(t, err, awards.ErrGranted, id)
	}
	_, err = b.Claim(ctx, "m1", first["m2"])
	require.NoError(t, err)
}

// TestWithoutFollowsRenames: who gets nothing gets nothing under another name either, when a period is settled again with the list as it was.
func TestWithoutFollowsRenames(t *testing.T) {
	g := newGame(t, true)
	ctx, mod := context.Background(), board.Action{By: "ops"}
	b := g.define(daily(awards.Plan{Claim: true, Tiers: medals}, 0))
	g.play(b, 50, 40, 30, 20)
	g.settle()
	without := func(members ...string) []string {
		t.Helper()
		_, err := b.Resettle(ctx, "day", "2026-11-20", awards.Resettlement{Without: members})
		require.NoError(t, err)
		list, err := b.Settlements(ctx, "day")
		require.NoError(t, err)
		return list[0].Without
	}
	names := func() []string {
		g.settleDue()
		return slices.Sorted(maps.Keys(g.awardIDs(b)))
	}
	require.Equal(t, []string{"m0"}, without("m0"))
	g.clock.Add(1)
	for _, r := range [][2]string{{"m0", "x"}, {"x", "y"}, {"m1", "m0"}} {
		_, err := b.Rename(ctx, r[0], r[1], mod)
		require.NoError(t, err)
	}
	g.reopen()
	b = g.board("arena")
	list, err := b.Settlements(ctx, "day")
	require.NoError(t, err)
	require.Equal(t, []string{"y"}, list[0].Without)
	require.Equal(t, []string{"y"}, without(list[0].Without...))
	require.Equal(t, []string{"m0", "m2", "m3"}, names())
	require.Equal(t, []string{"m0"}, without("m0"), "that is another member by now")
	require.Equal(t, []string{"m2", "m3", "y"}, names())
	_, err = b.Merge(ctx, "m0", "y", mod)
	require.NoError(t, err)
	list, err = b.Settlements(ctx, "day")
	require.NoError(t, err)
	require.Equal(t, []string{"y"}, without(list[0].Without...))
	require.Equal(t, []string{"m2", "m3"}, names())
}

// TestReleaseOfNothing: an award that is withheld, and that a Resettle has left with nothing, can be released: a later Resettle pays it.
func TestReleaseOfNothing(t *testing.T) {
	g := newGame(t, true)
	b := g.define(daily(awards.Plan{Tiers: medals}, 0))
	g.play(b, 50, 40)
	g.settle()
	const id = "arena/day/2026-11-20/1/m1"
	require.NoError(t, b.Withhold(t.Context(), id, "?"))
	for _, without := range [][]string{{"m1"}, nil} {
		_, err := b.Resettle(context.Background(), "day", "2026-11-20", awards.Resettlement{Without: without})
		require.NoError(t, err)
		if without != nil {
			require.NoError(t, b.Release(t.Context(), id))
			require.ErrorIs(t, b.Release(t.Context(), id), awards.ErrNoAward)
			require.Equal(t, map[string]string{"m0": "arena/day/2026-11-20/1/m0"}, g.awardIDs(b))
		}
	}
	list, err := b.Settlements(t.Context(), "day")
	require.NoError(t, err)
	require.Equal(t, 2, list[0].Awards)
	require.NoError(t, g.bs.Deliver(b.Name(), "day", Delivery{Grant: payOwed}))
	g.settleDue()
	require.Equal(t, []int{100, 50}, g.coins(2))
}
