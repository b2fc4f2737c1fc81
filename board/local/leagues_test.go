package local

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/window"
	"github.com/zrankdb/zrank/engine"
)

// leagueGame makes random submissions to a board with leagues, and keeps a naive model of its cohorts and tiers.
type leagueGame struct {
	*game
	rng     *rand.Rand
	leagues board.Leagues
	grace   time.Duration
	tiers   map[string]int
	weeks   []*naiveWeek // those that take results, in order
	behind  bool         // a week has ended in the model, and may not be settled on the board
	banned  map[string]bool
	counts  map[string]int
}

func newLeagueGame(t testing.TB, seed uint64, durable bool, counts map[string]int) *leagueGame {
	rng := rand.New(rand.NewPCG(seed, 5))
	l := board.Leagues{Window: "week", Tiers: []string{"bronze", "silver", "gold"}[:2+rng.IntN(2)], Size: 2 + rng.IntN(5)}
	l.Up = 1 + rng.IntN(2)
	l.Down = rng.IntN(l.Size - l.Up + 1)
	if seed%8 == 7 { // nobody goes anywhere, or only down
		l.Tiers, l.Up, l.Down = l.Tiers[:1+rng.IntN(2)], 0, rng.IntN(l.Size+1)
	}
	if rng.IntN(3) == 0 {
		l.Bands = []int64{-5, 10}
	}
	g := &leagueGame{game: newGame(t, durable), rng: rng, leagues: l, tiers: map[string]int{}, banned: map[string]bool{}, counts: counts}
	g.grace = []time.Duration{0, 36 * time.Hour, 10 * 24 * time.Hour}[seed%3]
	week := board.Window{Name: "week", Kind: board.Week.Kind, Keep: 2, Grace: window.Duration(g.grace)}
	spec := board.Spec{Name: "arena", Op: board.Sum, Windows: []board.Window{board.All, week}, Leagues: &l}
	switch seed % 5 {
	case 1:
		spec.Parts = 3
	case 2:
		spec.PartMembers = 4
	case 3:
		spec.Top = &board.Top{N: 2, Reserve: 1}
	}
	g.define(spec)
	return g
}

// week returns the week that a time lies in; nil if it takes no results.
func (g *leagueGame) week(at time.Time) *naiveWeek {
	r, err := g.board("arena").At(context.Background(), "week", at)
	require.NoError(g.t, err)
	info := infoOf(r)
	if !g.clock.Now().Before(info.End.Add(g.grace)) {
		return nil
	}
	i, found := slices.BinarySearchFunc(g.weeks, info.Start, func(w *naiveWeek, start time.Time) int { return w.start.Compare(start) })
	if !found {
		w := &naiveWeek{name: info.Period, start: info.Start, end: info.End, scores: map[string]int64{}, at: map[string]int64{}}
		g.weeks = slices.Insert(g.weeks, i, w)
	}
	return g.weeks[i]
}

// isNext reports whether the weeks before one take no results.
func (g *leagueGame) isNext(w *naiveWeek) bool { return !g.clock.Now().Before(w.start.Add(g.grace)) }

// settle settles the weeks of the model whose time is up, and empties the queue of the next one.
func (g *leagueGame) settle() {
	for _, w := range slices.Clone(g.weeks) {
		if !g.isNext(w) {
			return
		}
		g.behind = g.behind || g.grace > 0
		queue := w.queue
		w.queue = nil
		for _, q := range queue {
			g.place(w, q.member, q.skill)
		}
		if g.clock.Now().Before(w.end.Add(g.grace)) {
			return
		}
		g.settleWeek(w)
		g.weeks = g.weeks[1:]
	}
}

// settleWeek promotes and relegates the members of a week of the model.
func (g *leagueGame) settleWeek(w *naiveWeek) {
	for _, c := range w.cohorts {
		ranked := w.ranked(c)
		for i, m := range ranked {
			switch g.zone(c, i, len(ranked)) {
			case board.ZoneUp:
				g.tiers[m]++
				g.counts["promoted"]++
			case board.ZoneDown:
				g.tiers[m]--
				g.counts["relegated"]++
			}
		}
	}
	g.counts["cohorts"] += len(w.cohorts)
}

// zone returns the zone of a place, from 0, among the ranked members of a cohort.
func (g *leagueGame) zone(c *naiveCohort, place, ranked int) board.Zone {
	switch {
	case place < g.leagues.Up && c.tier < len(g.leagues.Tiers)-1:
		return board.ZoneUp
	case place >= g.leagues.Up && ranked-place <= g.leagues.Down && c.tier > 0:
		return board.ZoneDown
	}
	return board.ZoneStay
}

// place puts a member into a cohort of a week of the model, or into its queue.
func (g *leagueGame) place(w *naiveWeek, member string, skill int64) {
	if w.cohortOf(member) != nil || w.queues(member) {
		return
	}
	if !g.isNext(w) {
		w.queue = append(w.queue, queued{member, skill})
		g.counts["queued"]++
		return
	}
	band := 0
	for _, limit := range g.leagues.Bands {
		if skill >= limit {
			band++
		}
	}
	var last *naiveCohort
	for _, c := range w.cohorts {
		if c.tier == g.tiers[member] && c.band == band {
			last = c
		}
	}
	if last == nil || len(last.members) == g.leagues.Size {
		last = &naiveCohort{tier: g.tiers[member], band: band}
		w.cohorts = append(w.cohorts, last)
	}
	last.members = append(last.members, member)
}

func (g *leagueGame) member() string { return fmt.Sprint("m", g.rng.IntN(30)) }

func (g *leagueGame) submit() {
	g.clock.Add(time.Microsecond) // in parts, and beyond the best, equals of one microsecond go by their names
	ctx := context.Background()
	member, sub := g.member(), board.Submission{Score: board.Ints(int64(g.rng.IntN(9))), Skill: int64(g.rng.IntN(30) - 15)}
	if sub.Member = member; g.rng.IntN(10) == 0 {
		sub.Windows = []string{"all"}
	}
	at := g.clock.Now()
	if g.grace > 0 && g.rng.IntN(3) == 0 {
		at = at.Add(-time.Duration(g.rng.Int64N(int64(18 * 24 * time.Hour)))).Truncate(time.Microsecond)
		sub.At = at
	}
	w := g.week(at)
	var err error
	if b := g.board("arena"); g.rng.IntN(4) == 0 {
		sub.At = at
		var keys []string
		if keys, err = hintsOf(b).Submit(ctx, nil, sub); err == nil {
			err = g.e.Update(ctx, func(tx *engine.Tx) error { return errorOf(in(b, tx).Submit(sub)) }, keys...)
		}
	} else {
		_, err = b.Submit(ctx, sub)
	}
	isLate := sub.Windows == nil && w == nil
	if g.banned[member] || isLate {
		require.Condition(g.t, func() bool {
			return g.banned[member] && errors.Is(err, board.ErrBanned) || isLate && errors.Is(err, board.ErrPeriodClosed)
		}, "%v", err)
		return
	}
	require.NoError(g.t, err)
	if g.counts["submitted"]++; sub.Windows != nil {
		return
	}
	if w != g.weeks[len(g.weeks)-1] {
		g.counts["late"]++
	}
	was, had := w.scores[member]
	switch w.scores[member] = was + whole(sub.Score.At(0).Units()); {
	case !had:
		w.at[member] = at.UnixMicro()
	case w.scores[member] != was:
		w.at[member] = max(w.at[member], at.UnixMicro())
	}
	g.place(w, member, sub.Skill)
}

// operate removes, bans, or gives a tier.
func (g *leagueGame) operate() {
	ctx, b, member := context.Background(), g.board("arena"), g.member()
	what := g.rng.IntN(7)
	if what == 1 || what >= 4 || g.grace > 0 { // a member that is banned or erased before its cohort is settled is not ranked there; one that gets a tier goes up or down from that
		_, err := g.bs.SettleDue(ctx)
		require.NoError(g.t, err)
	}
	switch what {
	case 0:
		_, err := b.Remove(ctx, member)
		require.NoError(g.t, err)
		g.unrank(member)
	case 1:
		if _, err := b.Ban(ctx, member, ops); g.banned[member] {
			require.ErrorIs(g.t, err, board.ErrBanned)
		} else {
			require.NoError(g.t, err)
		}
		g.unrank(member)
		g.banned[member] = true
	case 2, 3:
		if _, err := b.Unban(ctx, member, ops); !g.banned[member] {
			require.ErrorIs(g.t, err, board.ErrNotBanned)
		}
		delete(g.banned, member)
	case 4:
		tier := g.rng.IntN(len(g.leagues.Tiers))
		if slices.ContainsFunc(g.weeks, func(w *naiveWeek) bool { return w.cohortOf(member) != nil }) { // its cohort may move it from there: in the model, tiers of members in cohorts stay
			return
		}
		_, err := b.SetTier(ctx, member, g.leagues.Tiers[tier], ops)
		require.NoError(g.t, err)
		g.tiers[member] = tier
	case 6:
		g.rename(member, g.member())
	case 5:
		_, err := b.Erase(ctx, member, ops)
		require.NoError(g.t, err)
		g.unrank(member) // a ban stays
		delete(g.tiers, member)
		for _, w := range g.weeks {
			w.erase(member)
		}
	}
}

// unrank removes the scores of a member.
func (g *leagueGame) unrank(member string) {
	for _, w := range g.weeks {
		delete(w.scores, member)
	}
}

// rename renames a member, if that is possible: its place in a cohort and its tier go with it.
func (g *leagueGame) rename(member, to string) {
	_, err := g.board("arena").Rename(context.Background(), member, to, ops)
	if err != nil {
		require.Condition(g.t, func() bool {
			return errors.Is(err, board.ErrExists) || errors.Is(err, board.ErrBanned) || errors.Is(err, board.ErrAction)
		}, "%v", err)
		return
	}
	g.counts["renamed"]++
	for _, w := range g.weeks {
		w.rename(member, to)
	}
	g.tiers[to] = g.tiers[member]
	delete(g.tiers, member)
}

// move moves the clock, perhaps over weeks in which nothing runs.
func (g *leagueGame) move() {
	down := g.rng.IntN(4) == 0
	if down {
		require.NoError(g.t, g.bs.Close())
	}
	g.clock.Add(time.Duration(g.rng.IntN(20*24)) * time.Hour / 4)
	if down {
		require.NoError(g.t, g.openBoards())
		g.counts["down"]++
	}
	g.settle()
}

// restart reopens the boards, or cuts the power.
func (g *leagueGame) restart() {
	if g.mem == nil || g.rng.IntN(2) == 0 {
		g.reopenBoards()
		return
	}
	require.NoError(g.t, g.e.Barrier(context.Background()))
	g.powerCut(g.rng.IntN(100), g.rng.Uint64())
	g.counts["power cuts"]++
}

// check compares the cohorts of the weeks that take results with the model. Those of a board that is behind are settled first, or compared later.
func (g *leagueGame) check() {
	if g.behind && g.rng.IntN(4) > 0 {
		return
	}
	if g.behind {
		g.behind = false
		_, err := g.bs.SettleDue(context.Background())
		require.NoError(g.t, err)
	}
	live := g.week(g.clock.Now())
	for i := range 30 {
		member := fmt.Sprint("m", i)
		l, err := g.board("arena").League(context.Background(), member)
		g.compare(live, member, l, err)
		for _, w := range g.weeks {
			l, err := g.board("arena").LeagueOf(context.Background(), w.name, member)
			g.compare(w, member, l, err)
		}
	}
}

// compare compares the cohort of a member in a week with the model.
func (g *leagueGame) compare(w *naiveWeek, member string, l board.League, err error) {
	c := w.cohortOf(member)
	if c == nil {
		require.ErrorIs(g.t, err, board.ErrNoCohort, member)
		return
	}
	require.NoError(g.t, err)
	require.Equal(g.t, w.name, l.Period)
	require.Equal(g.t, g.leagues.Tiers[c.tier], l.Tier, member)
	require.Equal(g.t, c.band, l.Band)
	require.LessOrEqual(g.t, len(l.Rows), g.leagues.Size)
	ranked := w.ranked(c)
	var want, got []string
	for place, m := range ranked {
		want = append(want, fmt.Sprint(place+1, " ", m, " ", w.scores[m], " ", g.zone(c, place, len(ranked))))
	}
	var others []string
	for _, row := range l.Rows {
		if row.Rank == 0 {
			others = append(others, row.Member)
			continue
		}
		got = append(got, fmt.Sprint(row.Rank, " ", row.Member, " ", row.Score, " ", row.Zone))
	}
	require.Equal(g.t, want, got, member)
	require.ElementsMatch(g.t, slices.DeleteFunc(slices.Clone(c.members), func(m string) bool { return slices.Contains(ranked, m) }), others)
	g.counts["compared"]++
}

// runLeagues plays a year and more.
func runLeagues(t testing.TB, seed uint64, durable bool, counts map[string]int) {
	g := newLeagueGame(t, seed, durable, counts)
	for range 1000 {
		switch k := g.rng.IntN(100); {
		case k < 84:
			g.submit()
		case k < 88:
			g.operate()
		case k < 95:
			g.move()
		case k < 97:
			g.restart()
		default:
			g.checkTiers()
		}
		g.check()
	}
	g.checkTiers()
}

// TestYearOfLeagues: over a year of weeks, with downtime, power cuts, removals, bans and erasures, every member is in one cohort of its tier, no cohort is too large, and every
// member is promoted or relegated exactly once, as a naive model says.
func TestYearOfLeagues(t *testing.T) {
	total := map[string]int{}
	for seed := range uint64(howMany(24)) {
		synctest.Test(t, func(t *testing.T) { runLeagues(t, seed, seed%2 == 0, total) })
		if t.Failed() {
			t.Logf("seed %d", seed)
			return
		}
	}
	t.Logf("%v", total)
	require.Greater(t, total["promoted"], 20)
	require.Greater(t, total["relegated"], 20)
	require.Greater(t, total["queued"], 20)
	require.Greater(t, total["late"], 20)
}

// TestCheckLeagues: a check finds a cohort that is too large, one of a tier that there is not, and members that are in none.
func TestCheckLeagues(t *testing.T) {
	for name, c := range map[string]struct {
		score int64 // of m0; -1: it is removed
		want  string
	}{
		"too large":    {0 << 2, "cohort 1 of tier 0, band 0 has more than 2 members"},
		"no tier":      {7 << 44, "cohort 1 of tier 7, band 0: there is no such tier or band"},
		"in no cohort": {-1, "1 members are in no cohort"},
		"queue":        {32<<44 | 1, "cohort 1 of tier 32, band 0: there is no such tier or band"},
		"settled":      {5<<2 | 1, "cohort 6 of tier 0, band 0 is settled, and the period is open"},
	} {
		t.Run(name, func(t *testing.T) {
			g := newGame(t, true)
			b := g.define(board.Spec{Name: "arena", Windows: []board.Window{{Name: "week", Kind: board.Week.Kind}}, Leagues: &board.Leagues{Window: "week", Tiers: []string{"a", "b"}, Size: 2}})
			for i := range 4 {
				g.score(b, fmt.Sprint("m", 3-i), 1)
			}
			g.requireSound(0, 0)
			key := Key{Board: "arena", Kind: ".cohort.week", Period: g.liveName(b, "week"), Version: 1}.String()
			require.NoError(t, coreOf(b).Owner().Update(t.Context(), []string{key}, func(tx *engine.Tx) error {
				set, err := tx.IntSet(key, engine.Form{})
				require.NoError(t, err)
				if c.score < 0 {
					_, err = set.Remove([]byte("m0"))
				} else {
					_, err = set.Add([]byte("m0"), c.score)
				}
				return err
			}))
			rep := g.checkBoth()
			require.Len(t, rep.Problems, 1)
			require.Contains(t, rep.Problems[0].What, c.want)
		})
	}
}

func (g *game) liveName(b board.Board, window string) string {
	r, err := b.Live(context.Background(), window)
	require.NoError(g.t, err)
	return infoOf(r).Period
}
