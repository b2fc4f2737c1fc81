package local

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/board/window"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/matrix"
	"github.com/zrankdb/zrank/internal/powercut"
	"github.com/zrankdb/zrank/internal/testclock"
)

// payroll is a game whose awards are coins. The power is cut before every operation on its disk while run works; after each cut the coins must come out
// exactly.
type payroll struct {
	*game
	members int
	crasher *crasher
}

// payrollTiers give different numbers of coins.
var payrollTiers = []awards.Tier{{Name: "gold", From: 1, Payload: "1000"}, {Name: "silver", From: 2, To: 10, Payload: "100"}, {Name: "best", Percent: 50, Payload: "10"},
	{Name: "played", Everyone: true, Payload: "1"}}

// payrollCoins returns what a member gets that is ranked at a place of some.
func payrollCoins(place, members int) int {
	switch {
	case place == 1:
		return 1000
	case place <= 10:
		return 100
	case place <= members/2:
		return 10
	}
	return 1
}

func newPayroll(t testing.TB, members, keep int, p awards.Plan) (*payroll, board.Board) {
	c := &crasher{}
	g := &payroll{newGame(t, true, crashing(c)), members, c}
	p.Tiers = payrollTiers
	return g, g.define(daily(p, keep))
}

// playAll submits a score for each member: m0 is the best.
func (g *payroll) playAll(b board.Board) {
	var subs []board.Submission
	for i := range g.members {
		if subs = append(subs, board.Submission{Member: fmt.Sprint("m", i), Score: board.Ints(int64(g.members - i))}); len(subs) == 500 || i == g.members-1 {
			_, err := b.SubmitAll(context.Background(), subs)
			require.NoError(g.t, err)
			subs = nil
		}
	}
}

// cut runs something, and cuts the power before every operation on the disk meanwhile. After each cut check continues with the boards of the disk, and
// nothing may be left of what does not exist any more.
func (g *payroll) cut(run func(), check func(g *game) error) {
	g.crasher.take()
	run()
	disks := g.crasher.take()
	bad := make(chan crashed)
	wait := powercut.Check(bad, func(d crashed) error { return g.recover(d, check) })
	for _, d := range disks {
		bad <- d
	}
	close(bad)
	require.Empty(g.t, wait())
	g.t.Logf("%d members, power cut before each of %d operations on the disk", g.members, len(disks))
}

// String describes the crash point.
func (d crashed) String() string { return d.point }

// recover opens what a power cut has left, with a clock of its own.
func (g *payroll) recover(d crashed, check func(g *game) error) error {
	after := &game{t: g.t, mem: d.disk, clock: testclock.New(), logged: &logRecorder{}, o: engine.Options{SnapshotBytes: -1}}
	after.clock.Set(g.clock.Now())
	after.o.Clock = after.clock.Now
	if err := after.tryOpen(); err != nil {
		return err
	}
	err := check(after)
	if err == nil {
		err = nothingLeft(after.bs)
	}
	return errors.Join(err, after.bs.Close(), after.e.Close())
}

// finish delivers everything that waits, and checks the coins of each member, and that no award was paid twice.
func (g *game) finish(want map[string]int) error {
	ctx := context.Background()
	b, err := g.bs.Board(ctx, "arena")
	if err != nil {
		return err
	}
	if err := g.bs.Deliver(b.Name(), "day", Delivery{Grant: pay}); err != nil {
		return err
	}
	g.clock.Add(time.Hour) // for awards that have failed
	if _, err := g.bs.SettleDue(ctx); err != nil {
		return err
	}
	list, err := b.Settlements(ctx, "day")
	if err != nil {
		return err
	}
	for _, s := range list {
		if s.Waiting != 0 || !s.Settled {
			return fmt.Errorf("%s: %d awards wait, settled %v", s.Period, s.Waiting, s.Settled)
		}
	}
	return g.checkCoins(want)
}

// checkCoins returns an error unless the members have so many coins, and no award was paid twice.
func (g *game) checkCoins(want map[string]int) error {
	got, sum, wanted := 0, 0, 0
	err := g.e.View(context.Background(), func(tx *engine.Tx) error {
		for kv, err := range tx.Scan("") {
			if err != nil {
				return err
			}
			n, _ := strconv.Atoi(string(kv.Value))
			switch kind, rest, _ := strings.Cut(string(kv.Key), " "); {
			case kind == "times" && n != 1:
				return fmt.Errorf("award %s was paid %d times", rest, n)
			case kind == "coins" && n != want[rest]:
				return fmt.Errorf("%s has %d coins, want %d", rest, n, want[rest])
			case kind == "coins":
				got, sum = got+1, sum+n
			}
		}
		return nil
	})
	for _, n := range want {
		wanted += n
	}
	if err == nil && (sum != wanted || got != len(want)) {
		err = fmt.Errorf("%d members have %d coins, want %d and %d", got, sum, len(want), wanted)
	}
	return err
}

// wages returns what the members get for some days.
func (g *payroll) wages(days int) map[string]int {
	want := map[string]int{}
	for i := range g.members {
		want[fmt.Sprint("m", i)] = days * payrollCoins(i+1, g.members)
	}
	return want
}

// TestPowerCutInSettlement: after a power cut before any operation on the disk of a settlement and its deliveries each member is paid exactly once. With
// -args -long there are 10,000 winners.
func TestPowerCutInSettlement(t *testing.T) { cutSettlement(t, matrix.Pick(300, 10_000)) }

func cutSettlement(t testing.TB, members int) {
	g, b := newPayroll(t, members, 1, awards.Plan{})
	g.playAll(b)
	require.NoError(t, g.bs.Deliver(b.Name(), "day", Delivery{Grant: pay}))
	g.clock.Add(24 * time.Hour)
	g.cut(g.settleDue, func(after *game) error { return after.finish(g.wages(1)) })
}

// TestPowerCutWhereAwardsFail: so it is if some awards fail first.
func TestPowerCutWhereAwardsFail(t *testing.T) {
	g, b := newPayroll(t, 80, 1, awards.Plan{})
	g.playAll(b)
	healthy := false
	require.NoError(t, g.bs.Deliver(b.Name(), "day", Delivery{Grant: func(ctx context.Context, tx *engine.Tx, a awards.Award) error {
		err := pay(ctx, tx, a)
		if a.Rank%40 == 7 && !healthy {
			return errors.Join(err, errors.New("not now"))
		}
		return err
	}}))
	g.clock.Add(24 * time.Hour)
	g.cut(func() {
		g.settleDue()
		g.clock.Add(time.Second)
		g.settleDue()
		require.NoError(t, b.Withhold(t.Context(), "arena/day/2026-11-20/1/m6", "?"))
		require.NoError(t, b.Release(t.Context(), "arena/day/2026-11-20/1/m6"))
		require.NoError(t, g.bs.Deliver(b.Name(), "day", Delivery{Grant: pay}))
		g.settleDue()
		g.clock.Add(2 * time.Second)
		g.settleDue()
	}, func(after *game) error {
		b, err := after.bs.Board(t.Context(), "arena")
		if err == nil {
			err = after.releaseAll(b)
		}
		return cmp.Or(err, after.finish(g.wages(1)))
	})
}

// releaseAll releases what is withheld of the first day.
func (g *game) releaseAll(b board.Board) error {
	for a, err := range b.Awards(context.Background(), "day", "2026-11-20") {
		if err == nil && a.State == awards.Withheld {
			err = b.Release(context.Background(), a.ID)
		}
		if err != nil && !errors.Is(err, awards.ErrNoAward) { // the day is not closed yet
			return err
		}
	}
	return nil
}

// TestPowerCutInDrop: so it is when a period that is delivered is dropped, and nothing is left of it.
func TestPowerCutInDrop(t *testing.T) {
	g, b := newPayroll(t, 40, 1, awards.Plan{})
	require.NoError(t, g.bs.Deliver(b.Name(), "day", Delivery{Grant: pay}))
	g.playAll(b)
	g.settle()
	g.playAll(b)
	g.clock.Add(24 * time.Hour)
	g.cut(func() {
		g.settleDue()
		list, err := b.Settlements(t.Context(), "day")
		require.NoError(t, err)
		require.Len(t, list, 1, "the first day was dropped")
	}, func(after *game) error { return after.finish(g.wages(2)) })
}

// TestPowerCutInResettle: a Resettle is there as a whole or not at all, and both are paid exactly, with some awards granted before and others not.
func TestPowerCutInResettle(t *testing.T) {
	g, b := newPayroll(t, 120, 0, awards.Plan{})
	g.playAll(b)
	require.NoError(t, g.bs.Deliver(b.Name(), "day", Delivery{Grant: func(ctx context.Context, tx *engine.Tx, a awards.Award) error {
		if a.Rank > 60 { // of those who fail then, one gets a better tier
			return errors.New("not now")
		}
		return pay(ctx, tx, a)
	}}))
	g.settle()
	before, after := g.wages(1), g.wages(1)
	for i := range g.members { // m0 is a cheat: m1 gets gold beside its silver, m10 silver beside its 10 coins, m60 nothing else, for half of 119 is 59
		switch i {
		case 1:
			after["m1"] += 1000
		case 10:
			after["m10"] += 100
		}
	}
	g.clock.Add(time.Hour)
	g.cut(func() {
		c, err := b.Resettle(context.Background(), "day", "2026-11-20", awards.Resettlement{Without: []string{"m0"}})
		require.NoError(t, err)
		require.Equal(t, []int{2, 3, 1}, []int{c.Gained, c.Lost, c.TooMuch})
		require.NoError(t, g.bs.Deliver(b.Name(), "day", Delivery{Grant: pay}))
		g.settleDue()
	}, func(then *game) error {
		b, err := then.bs.Board(t.Context(), "arena")
		if err != nil {
			return err
		}
		list, err := b.Settlements(t.Context(), "day")
		if err != nil {
			return err
		}
		return then.finish(map[int]map[string]int{1: before, 2: after}[list[0].Revision])
	})
}

// TestPowerCutInClaims: a claim and what the program stores with it are there together or not at all.
func TestPowerCutInClaims(t *testing.T) {
	g, b := newPayroll(t, 24, 1, awards.Plan{Claim: true, Expires: window.Duration(100 * time.Hour)})
	g.playAll(b)
	g.settle()
	g.cut(func() {
		require.NoError(t, g.claimAll(b))
		g.playAll(b)
		g.settle() // drops the first day, and the awards that nobody can claim any more
	}, func(after *game) error {
		b, err := after.bs.Board(t.Context(), "arena")
		if err == nil {
			err = after.claimAll(b)
		}
		if err != nil {
			return err
		}
		return after.checkCoins(g.wages(1))
	})
}

// claimAll claims everything of the first day that can be claimed, with the coins in the same transaction, in the order of the names.
func (g *game) claimAll(b board.Board) error {
	ctx := context.Background()
	var ids []awards.Award
	for a, err := range b.Awards(ctx, "day", "2026-11-20") {
		if errors.Is(err, awards.ErrNoAward) {
			return nil // dropped: all have been claimed
		}
		if err != nil {
			return err
		}
		if a.State == awards.Waiting {
			ids = append(ids, a)
		}
	}
	for _, a := range ids {
		keys, err := hintsOf(b).Claim(nil, a.ID)
		err = cmp.Or(err, g.e.Update(ctx, func(tx *engine.Tx) error {
			a, err := in(b, tx).Claim(a.Member, a.ID)
			return cmp.Or(err, pay(ctx, tx, a))
		}, keys...))
		if err != nil {
			return err
		}
	}
	return nil
}
