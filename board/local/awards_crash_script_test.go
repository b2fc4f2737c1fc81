package local

import (
	"context"
	"fmt"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/board/window"
)

// TestPowerCutsInAwardScripts runs random calls, and cuts the power before every operation that changes the disk. After each cut the members have the coins of
// the awards that are stored as granted, also when all that waits has been delivered.
func TestPowerCutsInAwardScripts(t *testing.T) {
	points := 0
	for seed := range uint64(howMany(12)) {
		synctest.Test(t, func(t *testing.T) {
			c := &crasher{}
			g := &payroll{game: newGame(t, true, crashing(c)), crasher: c}
			s := newAwardScript(g.game, seed, true, board.Window{Kind: window.Day}, board.Window{Kind: window.Every, Every: window.Duration(7 * time.Hour)})
			s.unheld = true
			for step := range 60 {
				c.take()
				s.step()
				s.settleNow()
				for _, d := range c.take() {
					err := g.recover(d, func(after *game) error { return paidAsGranted(after, s) })
					require.NoError(t, err, "seed %d, step %d, %s", seed, step, d.point)
					points++
				}
			}
		})
		if t.Failed() {
			return
		}
	}
	t.Logf("%d crash points", points)
}

// paidAsGranted compares the coins with the awards, before and after everything is delivered.
func paidAsGranted(g *game, s *awardScript) error {
	ctx := context.Background()
	b, err := g.bs.Board(ctx, "arena")
	if err != nil {
		return nil // the cut was before the board was defined
	}
	if _, err := g.bs.SettleDue(ctx); err != nil {
		return err
	}
	if err := g.comparePaid(b); err != nil {
		return err
	}
	for _, p := range b.Spec().Awards {
		if p.Claim {
			continue
		}
		if err := g.bs.Deliver(b.Name(), p.Window, Delivery{Grant: s.Grant}); err != nil {
			return err
		}
	}
	if _, err := g.bs.SettleDue(ctx); err != nil {
		return err
	}
	return g.comparePaid(b)
}

// comparePaid returns an error unless each member has the coins of the awards that are stored as granted.
func (g *game) comparePaid(b board.Board) error {
	want := map[string]int{}
	for _, w := range b.Spec().Windows {
		list, err := b.Settlements(context.Background(), w.Name)
		if err != nil {
			return err
		}
		for _, s := range list {
			waiting := 0
			for a, err := range b.Awards(context.Background(), w.Name, s.Period) {
				if err != nil {
					return err
				}
				granted := a.Had
				if a.State == awards.Granted {
					granted = a.Tiers
				}
				if a.State == awards.Waiting || a.State == awards.Failed {
					waiting++
				}
				for _, tier := range granted {
					coins, _ := strconv.Atoi(tier.Payload)
					want[a.Member] += coins
				}
			}
			if s.Settled && waiting != s.Waiting {
				return fmt.Errorf("%s %s: %d awards wait, and %d are counted", w.Name, s.Period, waiting, s.Waiting)
			}
		}
	}
	return g.checkCoins(want)
}
