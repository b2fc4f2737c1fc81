package local

import (
	"cmp"
	"context"
	"math/rand/v2"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/engine"
)

// TestGrantUsesSets: Keys names the sets that Grant uses, among them those of another board, which changes with the award or not at all.
func TestGrantUsesSets(t *testing.T) {
	forBoth(t, func(t *testing.T, g *game) {
		b := g.define(daily(awards.Plan{Tiers: medals}, 0))
		honour := g.define(board.Spec{Name: "honour", Op: board.Sum})
		submission := func(a awards.Award) board.Submission {
			coins, _ := strconv.ParseInt(a.Payload, 10, 64)
			return board.Submission{Member: a.Member, Score: board.Ints(coins), At: g.clock.Now()}
		}
		calls := 0
		require.NoError(t, g.bs.Deliver(b.Name(), "day", Delivery{
			Keys: func(dst []string, a awards.Award) ([]string, error) {
				return hintsOf(honour).Submit(t.Context(), append(dst, "wallets"), submission(a))
			},
			Grant: func(_ context.Context, tx *engine.Tx, a awards.Award) error {
				calls++
				require.Equal(t, a.Score, board.Ints(int64(50-10*a.Rank)))
				_, err := honour.Submit(t.Context(), submission(a))
				require.ErrorIs(t, err, engine.ErrInTx)
				_, err = b.Claim(t.Context(), a.Member, a.ID)
				require.ErrorIs(t, err, engine.ErrInTx)
				require.ErrorIs(t, tx.Put("board.settlement", nil), engine.ErrReserved)
				if _, err := in(honour, tx).Submit(submission(a)); err != nil {
					return err
				}
				set, err := tx.Set("wallets")
				if err == nil {
					_, err = set.IncrBy([]byte(a.Member), 1)
				}
				return err
			},
		}))
		g.play(b, 40, 30, 20, 10)
		g.settle()
		require.Equal(t, 4, calls)
		r, err := honour.Live(t.Context(), "all")
		require.NoError(t, err)
		n, err := r.Count(t.Context(), nil, nil)
		require.NoError(t, err)
		require.Equal(t, 4, n)
		row, _, err := r.Rank(t.Context(), "m0")
		require.NoError(t, err)
		require.Equal(t, board.Ints(100), row.Score)
		require.Equal(t, 0, waiting(t, b))
	})
}

// TestGrantLocks: a Grant may use any set, whether Delivery.Keys has named it or not, but for those of boards: then that award fails.
func TestGrantLocks(t *testing.T) {
	g := newGame(t, false)
	b := g.define(daily(awards.Plan{Tiers: medals}, 0))
	require.NoError(t, g.bs.Deliver(b.Name(), "day", Delivery{Grant: func(ctx context.Context, tx *engine.Tx, a awards.Award) error {
		key := map[string]string{"m0": "wallets", "m1": "board/wallets", "m2": "purses"}[a.Member]
		s, err := tx.Set(key)
		if err == nil {
			_, err = s.IncrBy([]byte(a.Member), 1)
		}
		return cmp.Or(err, pay(ctx, tx, a))
	}}))
	g.play(b, 40, 30, 20)
	g.settle()
	require.Equal(t, []int{100, 0, 50}, g.coins(3))
	of, err := b.AwardsOf(t.Context(), "m1")
	require.NoError(t, err)
	require.Equal(t, awards.Failed, of[0].State)
	require.Contains(t, of[0].Reason, "board/wallets")
	n, err := g.e.Exists(t.Context(), "wallets", "purses")
	require.NoError(t, err)
	require.Equal(t, 2, n)
}

// TestGrantBlocks: a Grant that waits for its context ends when the boards are closed, and has granted nothing. Meanwhile periods are closed.
func TestGrantBlocks(t *testing.T) {
	forBoth(t, func(t *testing.T, g *game) {
		b := g.define(daily(awards.Plan{Tiers: medals}, 0))
		other := g.define(board.Spec{Name: "other", Windows: []board.Window{board.Day}})
		begun := make(chan struct{})
		var once sync.Once
		require.NoError(t, g.bs.Deliver(b.Name(), "day", Delivery{Grant: func(ctx context.Context, tx *engine.Tx, a awards.Award) error {
			once.Do(func() { close(begun) })
			<-ctx.Done()
			return ctx.Err()
		}}))
		g.play(b, 2, 1)
		g.play(other, 1)
		g.clock.Add(24 * time.Hour)
		_, err := g.bs.CloseDue(t.Context())
		require.NoError(t, err)
		<-begun
		last, err := other.LastClosed(t.Context(), "day")
		require.NoError(t, err)
		require.Equal(t, "2026-11-20", infoOf(last).Period)
		g.reopenBoards()
		b = g.board("arena")
		require.Equal(t, []string{"m0 1 gold waiting", "m1 2 silver waiting"}, g.awards(b, "2026-11-20"))
		require.NoError(t, g.bs.Deliver(b.Name(), "day", Delivery{Grant: pay}))
		g.settleDue()
		require.Equal(t, []int{100, 50}, g.coins(2))
	})
}

// TestSettleDuringMigration: periods close, are settled and delivered while the board is migrated again and again; each award is granted once.
func TestSettleDuringMigration(t *testing.T) {
	forBoth(t, func(t *testing.T, g *game) {
		s := daily(awards.Plan{Tiers: medals}, 0)
		b := g.define(s)
		require.NoError(t, g.bs.Deliver(b.Name(), "day", Delivery{Grant: pay}))
		const days = 20
		done := make(chan error, 1)
		go func() {
			for i := range days {
				s := s
				s.MaxMeta = 1 + i
				if i%3 == 0 {
					s.Ties = board.LastToReach
				}
				if _, err := g.bs.Migrate(context.Background(), s); err != nil {
					done <- err
					return
				}
			}
			done <- nil
		}()
		for range days {
			g.play(b, 40, 30, 20, 10)
			g.settle()
		}
		require.NoError(t, <-done)
		g.settleDue()
		require.Equal(t, []int{100 * days, 50 * days, 50 * days, days}, g.coins(4))
		require.Len(t, txScan(t, g.e, "times "), 4*days)
	})
}

// TestAwardsOfAllKinds: boards of every kind award the same to the same scores, in every mode, with ranks that close up after a Resettle.
func TestAwardsOfAllKinds(t *testing.T) {
	ctx := context.Background()
	r := rand.New(rand.NewPCG(7, 8))
	high := board.Ints(5)
	plans := []awards.Plan{
		{Tiers: medals},
		{Stack: true, Tiers: []awards.Tier{{Name: "best", Percent: 30}, {Name: "above", Score: &high}, {Name: "lucky", From: 7, To: 9}, {Name: "top", From: 1, To: 2}}},
		{Tiers: []awards.Tier{{Name: "gold", From: 1}, {Name: "silver", From: 2, To: 3}}},
		{Tiers: []awards.Tier{{Name: "above", Score: &high}, {Name: "best", Percent: 90}}},
	}
	for round := range 24 {
		plan := plans[round%len(plans)]
		plan.Mode = board.Mode(round / len(plans) % 4)
		scores := make([]int64, 1+r.IntN(40))
		for i := range scores {
			scores[i] = r.Int64N(9)
		}
		without := []string{"m0", "m3", "nobody"}
		var want, again []string
		for kind, change := range map[string]func(*board.Spec){
			"": func(*board.Spec) {}, "parts": func(s *board.Spec) { s.Parts = 3 }, "growing": func(s *board.Spec) { s.PartMembers = 5 },
			"top": func(s *board.Spec) { s.Top = &board.Top{N: 3, Reserve: 1} }, "coarse": func(s *board.Spec) { s.Top = &board.Top{N: 2, Reserve: 2, Segments: 2} },
		} {
			g := newGame(t, round%5 == 0)
			s := daily(plan, 0)
			s.Ties = board.ByMember
			change(&s)
			b := g.define(s)
			g.play(b, scores...)
			g.settle()
			got := g.awards(b, "2026-11-20")
			if round%2 == 1 {
				for _, member := range []string{"m1", "m3", "m5"} { // of whom m3 is without an award below
					_, err := b.Ban(ctx, member, keepRanks)
					require.NoError(t, err)
				}
			}
			_, err := b.Resettle(ctx, "day", "2026-11-20", awards.Resettlement{Without: without})
			require.NoError(t, err)
			after := g.awards(b, "2026-11-20")
			if want == nil {
				want, again = got, after
			}
			require.Equal(t, want, got, "%s, %v", kind, plan)
			require.Equal(t, again, after, "%s, %v", kind, plan)
			rep, err := g.bs.Check(ctx, nil)
			if g.mem != nil {
				require.NoError(t, err)
				require.Empty(t, rep.Problems)
			}
		}
	}
}
