package local

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/board/window"
	"github.com/zrankdb/zrank/engine"
)

// atOnce is a board whose awards many goroutines handle at once.
type atOnce struct {
	*game
	b       board.Board
	members int
	done    atomic.Bool
}

// during runs functions again and again, each on a goroutine, while do runs. An error that a call may return when others are faster is none.
func (g *atOnce) during(do func(), again ...func(rng *rand.Rand) error) {
	var wg sync.WaitGroup
	failures := make(chan error, len(again))
	for i, fn := range again {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(20, uint64(i)))
			for !g.done.Load() {
				err := fn(rng)
				for _, late := range []error{awards.ErrNoAward, awards.ErrGranted, awards.ErrWithheld, awards.ErrSettling, board.ErrNoPeriod} {
					if errors.Is(err, late) {
						err = nil
					}
				}
				if err != nil {
					failures <- err
					return
				}
			}
		})
	}
	do()
	g.done.Store(true)
	wg.Wait()
	close(failures)
	require.NoError(g.t, <-failures)
}

// days plays days of the same ranking, m0 first.
func (g *atOnce) days(n int) {
	for range n {
		for i := range g.members {
			g.score(g.b, fmt.Sprint("m", i), int64(1000-i))
		}
		g.settle()
	}
}

// any returns the id of an award of a window that may be there.
func (g *atOnce) any(rng *rand.Rand, window string) (id, period string, err error) {
	list, err := g.b.Settlements(context.Background(), window)
	if err != nil || len(list) == 0 {
		return "", "", errors.Join(err, awards.ErrNoAward)
	}
	s := list[max(0, len(list)-1-rng.IntN(3))]
	member := fmt.Sprint("m", rng.IntN(g.members))
	return fmt.Sprintf("arena/%s/%s/1/%s", window, s.Period, member), s.Period, nil
}

func (g *atOnce) settleAgain(*rand.Rand) error {
	_, err := g.bs.SettleDue(context.Background())
	return err
}

// withholdOne withholds an award and releases it.
func (g *atOnce) withholdOne(rng *rand.Rand) error {
	id, _, err := g.any(rng, "day")
	if err == nil {
		err = g.b.Withhold(context.Background(), id, "?")
	}
	if err != nil {
		return err
	}
	return g.b.Release(context.Background(), id)
}

// claimOne claims the awards of a member.
func (g *atOnce) claimOne(rng *rand.Rand) error {
	member := fmt.Sprint("m", rng.IntN(g.members))
	list, err := g.b.Claimable(context.Background(), member)
	for _, a := range list {
		keys, bad := hintsOf(g.b).Claim(nil, a.ID)
		if bad != nil {
			return bad
		}
		err = g.e.Update(context.Background(), func(tx *engine.Tx) error {
			a, err := in(g.b, tx).Claim(member, a.ID)
			if err != nil {
				return err
			}
			return payAs(tx, "claimed", a)
		}, keys...)
	}
	return err
}

// TestAwardsAtOnce: goroutines that settle, withhold, release and claim beside each other and beside the goroutine of the boards, while periods are closed and
// dropped, neither lose an award nor grant one twice.
func TestAwardsAtOnce(t *testing.T) {
	forBoth(t, func(t *testing.T, g *game) {
		a := &atOnce{game: g, members: 100}
		spec := daily(awards.Plan{Tiers: medals}, 0) // an award that is withheld keeps no period
		spec.Windows = append(spec.Windows, board.Window{Name: "half", Kind: window.Every, Every: window.Duration(12 * time.Hour), Keep: 1},
			board.Window{Name: "third", Kind: window.Every, Every: window.Duration(8 * time.Hour), Keep: 1})
		spec.Awards = append(spec.Awards, awards.Plan{Window: "half", Claim: true, Tiers: medals}, awards.Plan{Window: "third", Tiers: medals})
		a.b = g.define(spec)
		require.NoError(t, a.bs.Deliver(a.b.Name(), "day", Delivery{Grant: pay}))
		require.NoError(t, a.bs.Deliver(a.b.Name(), "third", Delivery{Grant: func(_ context.Context, tx *engine.Tx, a awards.Award) error { return payAs(tx, "third", a) }}))
		const days = 8
		a.during(func() { a.days(days) }, a.settleAgain, a.withholdOne, a.claimOne, a.claimOne, a.claimOne)
		g.settleDue()
		for i := range a.members {
			list, err := a.b.Claimable(t.Context(), fmt.Sprint("m", i))
			require.NoError(t, err)
			for _, x := range list {
				_, err := a.b.Claim(t.Context(), x.Member, x.ID)
				require.NoError(t, err)
				require.NoError(t, g.e.Update(t.Context(), func(tx *engine.Tx) error { return payAs(tx, "claimed", x) }))
			}
		}
		want := []int{100, 50, 50, 1}
		for _, kind := range []string{"coins", "claimed", "third"} {
			for i, coins := range g.private(kind, a.members) {
				require.Equal(t, days*want[min(i, 3)], coins, "%s m%d", kind, i)
			}
		}
	})
}

// payAs adds the payload to the number of the member under a private key of some kind.
func payAs(tx *engine.Tx, kind string, a awards.Award) error {
	coins, err := strconv.Atoi(a.Payload)
	if err != nil {
		return err
	}
	return add(tx, kind+" "+a.Member, coins)
}

// private returns the numbers under the private keys of m0, m1 and so on.
func (g *game) private(kind string, members int) (list []int) {
	g.t.Helper()
	require.NoError(g.t, g.e.View(context.Background(), func(tx *engine.Tx) error {
		list = nil
		for i := range members {
			text, _, err := tx.Get(fmt.Sprint(kind, " m", i))
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

// TestResettleAtOnce: periods that are settled again and again while their awards are delivered, withheld and released pay what their awards say.
func TestResettleAtOnce(t *testing.T) {
	forBoth(t, func(t *testing.T, g *game) {
		a := &atOnce{game: g, members: 100}
		a.b = g.define(daily(awards.Plan{Tiers: medals, Stack: true}, 0))
		require.NoError(t, a.bs.Deliver(a.b.Name(), "day", Delivery{Grant: pay}))
		resettled := atomic.Int64{}
		a.during(func() { a.days(6) }, a.settleAgain, a.withholdOne, func(rng *rand.Rand) error {
			_, period, err := a.any(rng, "day")
			if err != nil || resettled.Load() > 200 {
				return err
			}
			resettled.Add(1)
			_, err = a.b.Resettle(context.Background(), "day", period, awards.Resettlement{Without: []string{fmt.Sprint("m", rng.IntN(5))}})
			return err
		})
		g.settleDue()
		want := make([]int, a.members)
		list, err := a.b.Settlements(t.Context(), "day")
		require.NoError(t, err)
		for _, s := range list {
			require.Zero(t, s.Waiting)
			for x, err := range a.b.Awards(t.Context(), "day", s.Period) {
				require.NoError(t, err)
				require.Equal(t, awards.Granted, x.State, "%+v", x)
				i, _ := strconv.Atoi(x.Member[1:])
				for _, tier := range x.Tiers {
					coins, _ := strconv.Atoi(tier.Payload)
					want[i] += coins
				}
			}
		}
		require.Equal(t, want, g.coins(a.members))
		t.Logf("%d resettled", resettled.Load())
	})
}
