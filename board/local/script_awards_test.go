package local

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/board/window"
	"github.com/zrankdb/zrank/engine"
)

// awardScript makes random calls on a board with awards and on its oracle, and compares all awards and all coins after each.
type awardScript struct {
	*game
	rng     *rand.Rand
	n       *naiveAwards
	results int
	counts  map[string]int
	unheld  bool // no award is withheld
}

// newAwardScript begins a script. Unless every is set, some windows have no plan.
func newAwardScript(g *game, seed uint64, every bool, windows ...board.Window) *awardScript {
	s := &awardScript{game: g, rng: rand.New(rand.NewPCG(seed, 20)), counts: map[string]int{}}
	spec := board.Spec{Name: "arena", Windows: windows}
	switch s.rng.IntN(5) {
	case 0:
		spec.PartMembers = 2
	case 1:
		spec.Parts = 3
	case 2:
		spec.Top = &board.Top{N: 3 + s.rng.IntN(3), Reserve: 1}
	}
	for _, w := range windows {
		if plan := s.plan(w, spec.Top); every || s.rng.IntN(8) > 0 || len(spec.Awards) == 0 {
			spec.Awards = append(spec.Awards, plan)
		}
	}
	s.n = newNaiveAwards(spec)
	s.define(spec)
	return s
}

// plan returns a random plan.
func (s *awardScript) plan(w board.Window, top *board.Top) awards.Plan {
	pick := s.rng.IntN
	for {
		p := awards.Plan{Window: w.Label(), Mode: board.Mode(pick(4)), Stack: pick(3) == 0, Claim: pick(3) == 0}
		if p.Claim && pick(2) == 0 {
			p.Expires = window.Duration(time.Duration(1+pick(60)) * time.Hour)
		}
		s.tiers(&p)
		spec := board.Spec{Name: "arena", Windows: []board.Window{w}, Top: top, Awards: []awards.Plan{p}}
		if spec.Validate() == nil {
			return p
		}
	}
}

// tiers gives a plan random tiers.
func (s *awardScript) tiers(p *awards.Plan) {
	pick, next := s.rng.IntN, 1
	p.Tiers = nil
	for i := range 1 + pick(5) {
		t := awards.Tier{Name: fmt.Sprint("t", i), Payload: fmt.Sprint(1 + pick(4)*10)}
		switch pick(6) {
		case 0:
			t.Percent = float64(1 + pick(100))
		case 1:
			score := board.Ints(int64(pick(6)))
			t.Score = &score
		case 2:
			t.Everyone = true
		default:
			t.From, t.To = next, next+pick(3)
			next = t.To + 1
		}
		p.Tiers = append(p.Tiers, t)
	}
}

func (s *awardScript) board() board.Board { return s.game.board("arena") }

// submit submits a result. Each has a time of its own.
func (s *awardScript) submit() {
	s.clock.Add(time.Millisecond)
	member, score := string(rune('a'+s.rng.IntN(9))), int64(s.rng.IntN(6))
	_, err := s.board().Submit(context.Background(), board.Submission{Member: member, Score: board.Ints(score)})
	require.NoError(s.t, err)
	s.results++
	s.n.submit(member, score, s.clock.Now(), s.results)
	s.counts["submit"]++
}

// Grant is the Grant of all windows.
func (s *awardScript) Grant(ctx context.Context, tx *engine.Tx, a awards.Award) error {
	if err := pay(ctx, tx, a); err != nil {
		return err
	}
	if s.n.failing[a.Member] {
		return errors.New("not now")
	}
	return nil
}

// pass lets time pass, and settles and delivers.
func (s *awardScript) pass(d time.Duration) {
	s.clock.Add(d)
	s.settleNow()
}

func (s *awardScript) settleNow() {
	s.settleDue()
	s.n.settleDue(s.clock.Now())
	synctest.Wait()
	s.counts["settle"]++
}

// setDeliver gives a window a Delivery, or takes it away.
func (s *awardScript) setDeliver() {
	w := s.n.spec.Windows[s.rng.IntN(len(s.n.spec.Windows))].Label()
	d := Delivery{Grant: s.Grant}
	if s.rng.IntN(4) == 0 {
		d = Delivery{}
	}
	if p := s.n.planOf(w); p != nil && p.Claim {
		require.ErrorIs(s.t, s.bs.Deliver(s.board().Name(), w, Delivery{Grant: s.Grant}), awards.ErrPlan)
		return
	}
	require.NoError(s.t, s.bs.Deliver(s.board().Name(), w, d))
	s.n.deliver[w] = d.Grant != nil
	s.settleNow()
}

// setFailing changes whose Grant fails.
func (s *awardScript) setFailing() {
	clear(s.n.failing)
	for range s.rng.IntN(3) {
		s.n.failing[string(rune('a'+s.rng.IntN(9)))] = true
	}
}

// period returns a settled period, nil if there is none.
func (s *awardScript) period() *naiveSettled {
	var list []*naiveSettled
	for _, p := range s.n.periods {
		if p.revision > 0 && !p.gone {
			list = append(list, p)
		}
	}
	if len(list) == 0 {
		return nil
	}
	if s.rng.IntN(2) == 0 { // a late one, which is kept
		list = list[max(0, len(list)-4):]
	}
	return list[s.rng.IntN(len(list))]
}

// award returns an award, and its id.
func (s *awardScript) award() (p *naiveSettled, member, id string) {
	if p = s.period(); p == nil || len(p.awards) == 0 {
		return nil, "", ""
	}
	members := slices.Sorted(maps.Keys(p.awards))
	member = members[s.rng.IntN(len(members))]
	return p, member, fmt.Sprintf("arena/%s/%s/%d/%s", p.window.Label(), p.Name, p.awards[member].revision, member)
}

// claim claims an award.
func (s *awardScript) claim() {
	p, member, id := s.award()
	if p == nil {
		return
	}
	a := p.awards[member]
	keys, err := hintsOf(s.board()).Claim(nil, id)
	require.NoError(s.t, err)
	err = s.e.Update(context.Background(), func(tx *engine.Tx) error {
		a, err := in(s.board(), tx).Claim(member, id)
		if err != nil {
			return err
		}
		return pay(context.Background(), tx, a)
	}, keys...)
	switch {
	case !p.plan.Claim:
		require.ErrorIs(s.t, err, awards.ErrNoAward)
	case a.withheld:
		require.ErrorIs(s.t, err, awards.ErrWithheld)
	case p.toGrant(a) == nil:
		require.ErrorIs(s.t, err, awards.ErrGranted)
	case p.expired(s.clock.Now()):
		require.ErrorIs(s.t, err, awards.ErrExpired)
	default:
		require.NoError(s.t, err)
		s.n.pay(p, member, a)
		s.counts["claim"]++
	}
}

// withhold withholds or releases an award.
func (s *awardScript) withhold() {
	p, member, id := s.award()
	if p == nil {
		return
	}
	a := p.awards[member]
	if s.unheld {
		return
	}
	if s.rng.IntN(2) == 0 {
		if err := s.board().Withhold(context.Background(), id, "?"); p.waits(a) {
			require.NoError(s.t, err)
			a.withheld, a.failed, a.failures, a.next = true, false, 0, time.Time{}
			s.counts["withhold"]++
		} else {
			require.Error(s.t, err)
		}
	} else if err := s.board().Release(context.Background(), id); a.withheld || a.failed {
		require.NoError(s.t, err)
		a.withheld, a.failed, a.failures, a.next = false, false, 0, time.Time{}
		if a.due == nil && a.granted == nil {
			delete(p.awards, member)
		}
		s.counts["release"]++
	} else {
		require.Error(s.t, err)
	}
	s.settleNow()
}

// resettle settles a period again, without some members, perhaps with another plan.
func (s *awardScript) resettle() {
	p := s.period()
	if p == nil || p.revision > 8 {
		return
	}
	var r awards.Resettlement
	for range s.rng.IntN(4) {
		r.Without = append(r.Without, string(rune('a'+s.rng.IntN(9))))
	}
	plan := p.plan
	if s.rng.IntN(3) == 0 {
		other := s.plan(p.window, s.n.spec.Top)
		if other.Stack != plan.Stack || other.Claim != plan.Claim {
			_, err := s.board().Resettle(context.Background(), p.window.Label(), p.Name, awards.Resettlement{Plan: &other})
			require.Error(s.t, err)
			return
		}
		r.Plan, plan = &other, other
	}
	r.DryRun = s.rng.IntN(4) == 0
	_, err := s.board().Resettle(context.Background(), p.window.Label(), p.Name, r)
	if errors.Is(err, board.ErrNoPeriod) { // the awards outlive the ranking
		require.True(s.t, p.plan.Claim)
		return
	}
	if errors.Is(err, awards.ErrPlan) { // too many tiers of other plans
		require.NotNil(s.t, r.Plan)
		return
	}
	require.NoError(s.t, err)
	if !r.DryRun {
		p.settle(plan, r.Without)
		s.counts["resettle"]++
	}
	s.settleNow()
}

// respec gives the board other plans. Periods that are closed keep theirs.
func (s *awardScript) respec() {
	s.settleNow()
	spec := s.n.spec
	spec.Awards = nil
	for _, w := range spec.Windows {
		was := s.n.planOf(w.Label())
		plan := s.plan(w, spec.Top)
		for was != nil && plan.Claim != was.Claim {
			plan = s.plan(w, spec.Top)
		}
		if was != nil {
			spec.Awards = append(spec.Awards, plan)
		}
	}
	s.migrate(spec)
	s.n.spec = spec
	s.counts["respec"]++
}

// restart closes everything, or cuts the power, and sets the Delivery again.
func (s *awardScript) restart() {
	down := time.Duration(s.rng.IntN(3)) * time.Duration(s.rng.IntN(100)) * time.Hour
	switch {
	case s.mem == nil:
		require.NoError(s.t, s.bs.Close())
		s.clock.Add(down)
		s.game.bs = nil
		var err error
		s.game.bs, err = Open(s.e, Options{})
		require.NoError(s.t, err)
	case s.rng.IntN(2) == 0:
		require.NoError(s.t, s.bs.Close())
		require.NoError(s.t, s.e.Close())
		s.clock.Add(down)
		s.open()
	default:
		s.powerCut(s.rng.IntN(101), s.rng.Uint64())
	}
	for w, on := range s.n.deliver {
		if on {
			require.NoError(s.t, s.bs.Deliver(s.board().Name(), w, Delivery{Grant: s.Grant}))
		}
	}
	s.settleNow()
	s.counts["restart"]++
}

func (s *awardScript) step() {
	switch k := s.rng.IntN(100); {
	case k < 48:
		s.submit()
	case k < 50:
		s.respec()
	case k < 68:
		s.pass(time.Duration(s.rng.IntN(5)) * time.Duration(s.rng.IntN(30)) * time.Hour)
	case k < 74:
		s.pass(time.Duration(s.rng.IntN(3000)) * time.Millisecond)
	case k < 78:
		s.setFailing()
	case k < 83:
		s.setDeliver()
	case k < 88:
		s.claim()
	case k < 92:
		s.withhold()
	case k < 96:
		s.resettle()
	default:
		s.restart()
	}
}

// runAwardScript runs random calls, and compares everything after each.
func runAwardScript(t testing.TB, seed uint64) *awardScript {
	s := newAwardScript(newGame(t, seed%2 == 0), seed, false, board.Window{Kind: window.Day, Keep: int(seed % 3)},
		board.Window{Kind: window.Every, Every: window.Duration(7 * time.Hour), Keep: 2}, board.Week)
	for range 150 {
		s.step()
		s.check()
	}
	return s
}

// TestAwardScripts runs random calls, and compares all awards and coins with the oracle after each.
func TestAwardScripts(t *testing.T) {
	total := map[string]int{}
	for seed := range uint64(howMany(60)) {
		synctest.Test(t, func(t *testing.T) {
			defer func() {
				if t.Failed() {
					t.Logf("seed %d", seed)
				}
			}()
			s := runAwardScript(t, seed)
			for step, n := range s.counts {
				total[step] += n
			}
		})
		if t.Failed() {
			return
		}
	}
	t.Logf("%v", total)
}
