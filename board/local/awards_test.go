package local

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/window"
	"github.com/zrankdb/zrank/engine"
)

// medals are tiers for most tests.
var medals = []awards.Tier{{Name: "gold", From: 1, Payload: "100"}, {Name: "silver", From: 2, To: 3, Payload: "50"}, {Name: "played", Everyone: true, Payload: "1"}}

// daily returns the spec of a board whose days award something.
func daily(p awards.Plan, keep int) board.Spec {
	p.Window = "day"
	return board.Spec{Name: "arena", Windows: []board.Window{{Kind: window.Day, Keep: keep}, board.All}, Awards: []awards.Plan{p}}
}

// play submits scores at a time: of m0 the first, and so on.
func (g *game) play(b board.Board, scores ...int64) {
	g.t.Helper()
	for i, score := range scores {
		_, err := b.Submit(context.Background(), board.Submission{Member: fmt.Sprint("m", i), Score: board.Ints(score)})
		require.NoError(g.t, err)
	}
}

// settle lets a day pass and settles and delivers what is due.
func (g *game) settle() {
	g.t.Helper()
	g.clock.Add(24 * time.Hour)
	g.settleDue()
}

func (g *game) settleDue() {
	g.t.Helper()
	_, err := g.bs.SettleDue(context.Background())
	require.NoError(g.t, err)
}

// pay is a Grant that adds the payload to the coins of the member, and counts the award.
func pay(_ context.Context, tx *engine.Tx, a awards.Award) error {
	for _, t := range a.Tiers {
		coins, err := strconv.Atoi(t.Payload)
		if err != nil {
			return err
		}
		if err := add(tx, "coins "+a.Member, coins); err != nil {
			return err
		}
	}
	return add(tx, fmt.Sprintf("times %s %d", a.ID, a.Revision), 1)
}

// add adds to the number under a private key.
func add(tx *engine.Tx, key string, delta int) error {
	text, _, err := tx.Get(key)
	if err != nil {
		return err
	}
	n, _ := strconv.Atoi(string(text))
	return tx.Put(key, []byte(strconv.Itoa(n+delta)))
}

// coins returns the coins of m0, m1 and so on.
func (g *game) coins(members int) (list []int) {
	g.t.Helper()
	require.NoError(g.t, g.e.View(context.Background(), func(tx *engine.Tx) error {
		list = nil
		for i := range members {
			text, _, err := tx.Get(fmt.Sprint("coins m", i))
			if err != nil {
				return err
			}
			n, _ := strconv.Atoi(string(text))
			list = append(list, n)
		}
		return nil
	}))
	return list
}

// awards returns the awards of a period, each as "member rank tier state".
func (g *game) awards(b board.Board, period string) (list []string) {
	g.t.Helper()
	for a, err := range b.Awards(context.Background(), "day", period) {
		require.NoError(g.t, err)
		list = append(list, fmt.Sprintf("%s %d %s %s", a.Member, a.Rank, a.Tier, a.State))
	}
	return list
}

// forBoth runs a test on an engine in memory and on one on a disk.
func forBoth(t *testing.T, test func(t *testing.T, g *game)) {
	for name, durable := range map[string]bool{"memory": false, "disk": true} {
		t.Run(name, func(t *testing.T) { test(t, newGame(t, durable)) })
	}
}

// TestDaysAreSettled: a program that was down for days pays each of them once, in order.
func TestDaysAreSettled(t *testing.T) {
	forBoth(t, func(t *testing.T, g *game) {
		b := g.define(daily(awards.Plan{Tiers: medals}, 1))
		g.play(b, 10, 40, 30, 20)
		g.clock.Add(24 * time.Hour)
		g.play(b, 9, 8)
		if g.clock.Add(3 * 24 * time.Hour); g.mem != nil {
			g.reopen()
			b = g.board("arena")
		}
		g.settleDue()
		require.Equal(t, []string{"m1 1 gold waiting", "m2 2 silver waiting", "m3 3 silver waiting", "m0 4 played waiting"}, g.awards(b, "2026-11-20"))
		require.Equal(t, []int{0, 0, 0, 0}, g.coins(4))
		all, err := b.Periods(t.Context(), "day")
		require.NoError(t, err)
		require.Len(t, all, 2, "a day that waits is not dropped")
		require.Equal(t, 4, all[0].Waiting)

		var order []string
		require.NoError(t, g.bs.Deliver(b.Name(), "day", Delivery{Grant: func(ctx context.Context, tx *engine.Tx, a awards.Award) error {
			order = append(order, a.Period)
			return pay(ctx, tx, a)
		}}))
		g.settleDue()
		require.Equal(t, []int{1 + 100, 100 + 50, 50, 50}, g.coins(4))
		require.True(t, slices.IsSorted(order))
		require.Len(t, order, 6)
		g.settleDue()
		all, err = b.Periods(t.Context(), "day")
		require.NoError(t, err)
		require.Len(t, all, 1, "and goes once it is delivered")
		require.Empty(t, txScan(t, g.e, "board.settlement\x00arena\x00day\x002026-11-20"))
		list, err := b.Settlements(t.Context(), "day")
		require.NoError(t, err)
		require.Len(t, list, 1)
		require.Equal(t, []any{"2026-11-21", true, 2, 0}, []any{list[0].Period, list[0].Settled, list[0].Awards, list[0].Waiting})
	})
}

// TestGrantHasTheBoard: Grant runs when the transaction has locked what is stored of the board, so that it need not begin again for that.
func TestGrantHasTheBoard(t *testing.T) {
	g := newGame(t, false, func(g *game) { g.o.SlowCall, g.o.OnEvent = time.Millisecond, func(engine.Event) {} })
	b := g.define(daily(awards.Plan{Tiers: medals}, 0))
	g.play(b, 10, 40, 30, 20)
	g.clock.Add(24 * time.Hour)
	g.settleDue()
	var reads sync.WaitGroup
	defer reads.Wait()
	granted := 0
	require.NoError(t, g.bs.Deliver("arena", "day", Delivery{Grant: func(ctx context.Context, tx *engine.Tx, a awards.Award) error {
		granted++
		read := atomic.Bool{}
		reads.Go(func() {
			_ = g.e.View(context.Background(), func(tx *engine.Tx) error {
				_, _, err := tx.Get(boardkey.Spec("arena"))
				read.Store(true)
				return err
			})
		})
		require.Eventually(t, func() bool {
			st, err := g.e.Stats()
			return err != nil || st.Waiting > 0 || read.Load()
		}, time.Minute, time.Millisecond)
		require.False(t, read.Load())
		return pay(ctx, tx, a)
	}}))
	g.settleDue()
	require.Equal(t, 4, granted)
}

// txScan returns the private keys with a prefix.
func txScan(t *testing.T, e *engine.Engine, prefix string) (keys []string) {
	t.Helper()
	require.NoError(t, e.View(t.Context(), func(tx *engine.Tx) error {
		for kv, err := range tx.Scan(prefix) {
			if err != nil {
				return err
			}
			keys = append(keys, string(kv.Key))
		}
		return nil
	}))
	return keys
}

// TestOneAwardFails: the others are delivered, it is tried again later and later, and across a restart.
func TestOneAwardFails(t *testing.T) {
	forBoth(t, func(t *testing.T, g *game) {
		b := g.define(daily(awards.Plan{Tiers: medals}, 0))
		broken := true
		d := Delivery{Grant: func(ctx context.Context, tx *engine.Tx, a awards.Award) error {
			if err := pay(ctx, tx, a); err != nil || !broken {
				return err
			}
			switch a.Member {
			case "m1":
				return errors.New("no such player\nand more")
			case "m2":
				panic("oops")
			}
			return nil
		}}
		require.NoError(t, g.bs.Deliver(b.Name(), "day", d))
		g.play(b, 40, 30, 20, 10)
		g.settle()
		require.Equal(t, []int{100, 0, 0, 1}, g.coins(4))
		require.Equal(t, []string{"m0 1 gold granted", "m1 2 silver failed", "m2 3 silver failed", "m3 4 played granted"}, g.awards(b, "2026-11-20"))
		require.Equal(t, [3]int{2, 2, 0}, backlog(t, b))
		if g.mem != nil {
			g.reopen()
			b = g.board("arena")
			require.NoError(t, g.bs.Deliver(b.Name(), "day", d))
		}
		g.settleDue()
		of, err := b.AwardsOf(t.Context(), "m1")
		require.NoError(t, err)
		require.Equal(t, []any{1, "no such player", g.clock.Now().Add(time.Second).UTC()}, []any{of[0].Failures, of[0].Reason, of[0].Next.UTC()}, "not tried before its time")
		for i := range 3 {
			g.clock.Add(time.Second << i)
			g.settleDue()
		}
		of, err = b.AwardsOf(t.Context(), "m2")
		require.NoError(t, err)
		require.Equal(t, []any{4, "panic: oops"}, []any{of[0].Failures, of[0].Reason})
		require.Equal(t, 8*time.Second, of[0].Next.Sub(g.clock.Now()))
		broken = false
		require.NoError(t, b.Release(t.Context(), of[0].ID), "by hand, at once")
		g.settleDue()
		require.Equal(t, []int{100, 0, 50, 1}, g.coins(4))
		require.Equal(t, [3]int{1, 1, 0}, backlog(t, b))
		g.clock.Add(8 * time.Second)
		g.settleDue()
		require.Equal(t, []int{100, 50, 50, 1}, g.coins(4))
		require.Empty(t, txScan(t, g.e, "board.note"))
		require.Equal(t, [3]int{}, backlog(t, b))
		require.ErrorIs(t, b.Release(t.Context(), of[0].ID), awards.ErrGranted)
	})
}

// TestWithhold: a withheld award is not granted, and does not keep the period.
func TestWithhold(t *testing.T) {
	g := newGame(t, true)
	b := g.define(daily(awards.Plan{Tiers: medals}, 1))
	g.play(b, 2, 1)
	g.settle()
	id := slices.Collect(keysOf(b.Awards(t.Context(), "day", "2026-11-20")))[0].ID
	require.Equal(t, "arena/day/2026-11-20/1/m0", id)
	require.NoError(t, b.Withhold(t.Context(), id, "a cheat"))
	require.ErrorIs(t, b.Withhold(t.Context(), id, "a cheat"), awards.ErrWithheld)
	g.reopen()
	b = g.board("arena")
	require.NoError(t, g.bs.Deliver(b.Name(), "day", Delivery{Grant: pay}))
	g.settleDue()
	require.Equal(t, []int{0, 50}, g.coins(2))
	of, err := b.AwardsOf(t.Context(), "m0")
	require.NoError(t, err)
	require.Equal(t, []any{awards.Withheld, "a cheat", "100"}, []any{of[0].State, of[0].Reason, of[0].Payload})
	require.NoError(t, b.Release(t.Context(), id))
	g.settleDue()
	require.Equal(t, []int{100, 50}, g.coins(2))
}

func keysOf(seq func(func(awards.Award, error) bool)) func(func(awards.Award) bool) {
	return func(yield func(awards.Award) bool) {
		for a := range seq {
			if !yield(a) {
				return
			}
		}
	}
}

func waiting(t *testing.T, b board.Board) int {
	t.Helper()
	list, err := b.Settlements(t.Context(), "day")
	require.NoError(t, err)
	return list[0].Waiting
}

// TestResettle: after a correction the difference is granted, and what was paid too much is listed.
func TestResettle(t *testing.T) {
	forBoth(t, func(t *testing.T, g *game) {
		b := g.define(daily(awards.Plan{Tiers: medals}, 0))
		require.NoError(t, g.bs.Deliver(b.Name(), "day", Delivery{Grant: pay}))
		g.play(b, 50, 40, 30, 20, 10)
		g.settle()
		require.Equal(t, []int{100, 50, 50, 1, 1}, g.coins(5))
		ctx := context.Background()
		two := board.Ints(1, 2)
		_, err := b.Resettle(ctx, "day", "2026-11-20", awards.Resettlement{Plan: &awards.Plan{Window: "day", Tiers: []awards.Tier{{Name: "a", Score: &two}}}})
		require.ErrorIs(t, err, awards.ErrPlan)
		require.ErrorIs(t, err, board.ErrColumns)
		dry, err := b.Resettle(ctx, "day", "2026-11-20", awards.Resettlement{Without: []string{"m0"}, DryRun: true})
		require.NoError(t, err)
		require.Equal(t, []int{2, 3, 1}, []int{dry.Gained, dry.Lost, dry.TooMuch})
		require.Equal(t, []int{100, 50, 50, 1, 1}, g.coins(5))
		c, err := b.Resettle(ctx, "day", "2026-11-20", awards.Resettlement{Without: []string{"m0"}, Reason: "a cheat"})
		require.NoError(t, err)
		require.Equal(t, dry, c)
		require.Equal(t, "m1", c.Changes[0].Member)
		require.Equal(t, medals[:1], c.Changes[0].ToGrant)
		require.Equal(t, awards.Change{Member: "m0", Was: medals[:1], Granted: medals[:1], TooMuch: medals[:1]}, c.Changes[2])
		g.settleDue()
		require.Equal(t, []int{100, 150, 50, 51, 1}, g.coins(5), "m1 gets gold beside its silver: Had says so")
		require.Equal(t, []string{"m0 0 gold granted", "m1 1 gold granted", "m2 2 silver granted", "m3 3 silver granted", "m4 4 played granted"}, g.awards(b, "2026-11-20"))
		if g.mem != nil {
			g.reopen()
			b = g.board("arena")
			require.NoError(t, g.bs.Deliver(b.Name(), "day", Delivery{Grant: pay}))
		}
		other := awards.Plan{Window: "day", Tiers: []awards.Tier{{Name: "gold", From: 1, Payload: "300"}, medals[1], medals[2]}}
		c, err = b.Resettle(ctx, "day", "2026-11-20", awards.Resettlement{Plan: &other})
		require.NoError(t, err)
		require.Equal(t, []int{100 + 300, 150, 50, 51, 1}, func() []int { g.settleDue(); return g.coins(5) }(), "m0 is back: gold is worth more now")
		list, err := b.Settlements(ctx, "day")
		require.NoError(t, err)
		require.Equal(t, 3, list[0].Revision)
		of, err := b.AwardsOf(ctx, "m1")
		require.NoError(t, err)
		require.Equal(t, medals[:1], of[0].TooMuch, "m1 keeps gold, and should have silver")
	})
}

// TestSpecsOfAwards: what a plan must have of its board.
func TestSpecsOfAwards(t *testing.T) {
	g := newGame(t, false)
	high, low, two := board.Ints(10), board.Ints(5), board.Ints(1, 2)
	for want, change := range map[string]func(*board.Spec){
		"no such window":          func(s *board.Spec) { s.Awards[0].Window = "week" },
		"never close":             func(s *board.Spec) { s.Awards[0].Window = "all" },
		"two plans":               func(s *board.Spec) { s.Awards = append(s.Awards, s.Awards[0]) },
		"wrong number of columns": func(s *board.Spec) { s.Awards[0].Tiers = []awards.Tier{{Name: "a", Score: &two}} },
		"behind one that has it": func(s *board.Spec) {
			s.Awards[0].Tiers = []awards.Tier{{Name: "a", Score: &low}, {Name: "b", Score: &high}}
		},
		"impossible plan of award": func(s *board.Spec) { s.Awards[0].Tiers = nil },
	} {
		s := daily(awards.Plan{Tiers: slices.Clone(medals)}, 0)
		change(&s)
		_, err := g.bs.Define(t.Context(), s)
		require.ErrorIs(t, err, board.ErrSpec, want)
		require.ErrorIs(t, err, awards.ErrPlan, want)
		require.ErrorContains(t, err, want)
	}
}

// TestMigrateWithAwards: a period that is closed keeps its plan, another plan rewrites no ranking, and a window with awards that wait stays.
func TestMigrateWithAwards(t *testing.T) {
	g := newGame(t, true)
	ctx := context.Background()
	s := daily(awards.Plan{Tiers: medals}, 0)
	b := g.define(s)
	g.play(b, 2, 1)
	g.clock.Add(24 * time.Hour)
	_, err := g.bs.CloseDue(ctx)
	require.NoError(t, err)
	s.Awards = []awards.Plan{{Window: "day", Tiers: []awards.Tier{{Name: "all", Everyone: true, Payload: "7"}}}}
	b, err = g.bs.Migrate(ctx, s)
	require.NoError(t, err)
	require.Equal(t, 1, b.Version())
	g.play(b, 2, 1)
	s.Columns = []board.Column{{Name: "score", Kind: board.Float64}}
	s.Awards[0].Tiers[0].Payload = "8"
	_, err = g.bs.Migrate(ctx, s)
	require.NoError(t, err)
	gone := s
	gone.Windows, gone.Awards = []board.Window{board.All}, nil
	_, err = g.bs.Migrate(ctx, gone)
	require.ErrorIs(t, err, awards.ErrUndelivered)
	g.clock.Add(24 * time.Hour)
	g.reopen()
	b = g.board("arena")
	require.NoError(t, g.bs.Deliver(b.Name(), "day", Delivery{Grant: pay}))
	g.settleDue()
	require.Equal(t, []int{108, 58}, g.coins(2))
	_, err = g.bs.Migrate(ctx, gone)
	require.NoError(t, err)
	require.Empty(t, txScan(t, g.e, "board.settlement"))
	require.NoError(t, g.bs.Drop(ctx, "arena"))
	require.Empty(t, txScan(t, g.e, "board.waiting"))
	keys, err := g.e.Keys("board/")
	require.NoError(t, err)
	require.Empty(t, keys)
}
