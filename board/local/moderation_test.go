package local

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/window"
)

// ops is the Action of most tests.
var ops = board.Action{By: "ops", Reason: "cheating"}

// moderatedSpecs are boards of all kinds. Each has days and a window of all time, and some have a rolling one.
var moderatedSpecs = map[string]board.Spec{
	"sum":      {Op: board.Sum},
	"byMember": {Op: board.Sum, Ties: board.ByMember},
	"bestOf":   {Op: board.BestOf, K: 2},
	"parts":    {Op: board.Sum, Parts: 3},
	"growing":  {Op: board.Sum, PartMembers: 8},
	"top":      {Op: board.Sum, Top: &board.Top{N: 5, Reserve: 2}},
	"latest":   {Op: board.Last},

	"rolling sum":      {Op: board.Sum, Windows: []board.Window{hours36}},
	"rolling buckets":  {Op: board.Sum, Ties: board.ByMember, Windows: []board.Window{{Kind: window.Rolling, Name: "roll", Span: hours36.Span, Bucket: window.Duration(5 * time.Hour)}}},
	"rolling best":     {Op: board.Best, Windows: []board.Window{hours36}},
	"rolling latest":   {Op: board.Last, Windows: []board.Window{hours36}},
	"rolling earliest": {Op: board.First, Ties: board.ByMember, Windows: []board.Window{hours36}},
}

// hours36 is a window of the last day and a half.
var hours36 = board.Window{Kind: window.Rolling, Name: "roll", Span: window.Duration(36 * time.Hour)}

// moderated is a random script of submissions and moderation, and what its rankings should be.
type moderated struct {
	*game
	b       board.Board
	rng     *rand.Rand
	days    map[string]map[string][]played // by day and member the results
	results map[string][]played            // of the window All
	rolled  map[string][]played            // of the rolling window, if the board has one
	banned  map[string]bool
	hidden  map[string]bool
	vacant  map[string][]int64 // by day the scores whose ranks nobody has
}

// played is a result, and when it happened.
type played struct {
	score int64
	at    time.Time
}

// scoreOf returns the score of results by the operator of the board.
func (m *moderated) scoreOf(list []played) int64 {
	results := make([]int64, len(list))
	for i, r := range list {
		results[i] = r.score
	}
	switch m.b.Spec().Op {
	case board.Best:
		return slices.Max(results)
	case board.First:
		return slices.MinFunc(list, func(a, b played) int { return a.at.Compare(b.at) }).score
	case board.Last:
		return results[len(results)-1]
	case board.BestOf:
		best := slices.Clone(results)
		slices.Sort(best)
		results = best[max(0, len(best)-2):]
	}
	sum := int64(0)
	for _, r := range results {
		sum += r
	}
	return sum
}

func (m *moderated) day() string { return m.clock.Now().UTC().Format("2006-01-02") }

// TestModerationScript: after random submissions, bans and hides every ranking is what it would be had the banned never played, without the hidden.
func TestModerationScript(t *testing.T) {
	for name, spec := range moderatedSpecs {
		for _, durable := range []bool{false, true} {
			t.Run(fmt.Sprint(name, " ", durable), func(t *testing.T) {
				runModerationScript(t, spec, durable, 1, 400)
			})
		}
	}
}

// runModerationScript makes random steps on a board, and compares.
func runModerationScript(t testing.TB, spec board.Spec, durable bool, seed uint64, steps int) {
	spec.Name, spec.Windows = "arena", append([]board.Window{{Kind: window.Day}, board.All}, spec.Windows...)
	g := newGame(t, durable)
	m := &moderated{game: g, b: g.define(spec), rng: rand.New(rand.NewPCG(seed, 2)), days: map[string]map[string][]played{}, results: map[string][]played{},
		rolled: map[string][]played{}, banned: map[string]bool{}, hidden: map[string]bool{}, vacant: map[string][]int64{}}
	for i := range steps {
		m.step(i)
	}
	m.compare()
}

// step makes one random step.
func (m *moderated) step(i int) {
	member := fmt.Sprint("m", m.rng.IntN(30))
	switch n := m.rng.IntN(100); {
	case n < 80:
		m.submit(member)
	case n < 86:
		m.clock.Add(time.Duration(m.rng.IntN(30)) * time.Hour)
		if m.rng.IntN(2) == 0 {
			_, err := m.bs.CloseDue(context.Background())
			require.NoError(m.t, err)
		}
	case n < 89:
		m.ban(member)
	case n < 91:
		m.hide(member)
	case n < 93:
		m.correct(member)
	case n < 95:
		m.move(member, fmt.Sprint("m", m.rng.IntN(40)), m.rng.IntN(2) == 0)
	case n < 97 && m.mem != nil:
		if m.rng.IntN(2) == 0 {
			m.reopen()
		} else {
			m.powerCut(0, uint64(i))
		}
		m.b = m.board("arena")
	default:
		m.compare()
	}
}

func (m *moderated) submit(member string) {
	score := int64(m.rng.IntN(50))
	change, err := m.b.Submit(context.Background(), board.Submission{Member: member, Score: board.Ints(score)})
	if m.banned[member] {
		require.ErrorIs(m.t, err, board.ErrBanned)
		return
	}
	require.NoError(m.t, err)
	require.Equal(m.t, m.hidden[member], change.Hidden)
	require.Equal(m.t, m.hidden[member], change.After.Rank == 0)
	if m.days[m.day()] == nil {
		m.days[m.day()] = map[string][]played{}
	}
	r := played{score, m.clock.Now()}
	m.days[m.day()][member] = append(m.days[m.day()][member], r)
	m.results[member] = append(m.results[member], r)
	m.rolled[member] = append(m.rolled[member], r)
}

// roll removes the results that have left the rolling window.
func (m *moderated) roll() {
	i := slices.IndexFunc(m.b.Spec().Windows, func(w board.Window) bool { return w.Kind == window.Rolling })
	for member, list := range m.rolled {
		left := slices.DeleteFunc(slices.Clone(list), func(r played) bool {
			if i < 0 {
				return true
			}
			at := r.at
			if bucket := int64(m.b.Spec().Windows[i].Bucket); bucket > 0 {
				at = at.Add(time.Duration(bucket - at.UnixNano()%bucket))
			}
			return !m.clock.Now().Before(at.Add(time.Duration(hours36.Span)))
		})
		if m.rolled[member] = left; len(left) == 0 {
			delete(m.rolled, member)
		}
	}
}

// ban bans a member, or ends its ban.
func (m *moderated) ban(member string) {
	ctx := context.Background()
	if m.banned[member] {
		_, err := m.b.Ban(ctx, member, ops)
		require.ErrorIs(m.t, err, board.ErrBanned)
		_, err = m.b.Unban(ctx, member, ops)
		require.NoError(m.t, err)
		m.banned[member] = false
		return
	}
	_, err := m.b.Unban(ctx, member, ops)
	require.ErrorIs(m.t, err, board.ErrNotBanned)
	places, keep := m.placesOf(member), m.rng.IntN(2) == 0
	for name, day := range m.days {
		if keep && day[member] != nil && !m.hidden[member] && name != m.day() {
			m.vacant[name] = append(m.vacant[name], m.scoreOf(day[member]))
		}
		delete(day, member)
	}
	delete(m.results, member)
	delete(m.rolled, member)
	dry, err := m.b.Ban(ctx, member, board.Action{By: "ops", KeepRanks: keep, DryRun: true})
	require.NoError(m.t, err)
	did, err := m.b.Ban(ctx, member, board.Action{By: "ops", KeepRanks: keep})
	require.NoError(m.t, err)
	m.equalDry(dry, did)
	require.Len(m.t, did.Places, places)
	for _, p := range did.Places {
		require.False(m.t, keep && p.Closed && p.Moved > 0)
	}
	m.banned[member] = true
}

// equalDry requires that a dry run has told what the call has done.
func (g *game) equalDry(dry, did board.Moderated) {
	g.t.Helper()
	require.Zero(g.t, dry.Entry)
	require.Empty(g.t, dry.Hash) // the call makes it
	dry.Entry, dry.Hash = did.Entry, did.Hash
	require.Equal(g.t, did, dry)
}

// move renames a member, or merges it with another one.
func (m *moderated) move(member, to string, merge bool) {
	call := m.b.Rename
	if merge {
		call = m.b.Merge
	}
	dry, err := call(context.Background(), member, to, board.Action{By: "ops", DryRun: true})
	did, err2 := call(context.Background(), member, to, ops)
	require.Equal(m.t, err, err2)
	switch {
	case member == to:
		require.ErrorIs(m.t, err, board.ErrAction)
		return
	case m.banned[member] || m.banned[to]:
		require.ErrorIs(m.t, err, board.ErrBanned)
		return
	case m.hidden[member] || m.hidden[to]:
		require.ErrorIs(m.t, err, board.ErrHidden)
		return
	case !merge && m.hasPlaces(to):
		require.ErrorIs(m.t, err, board.ErrExists)
		return
	}
	require.NoError(m.t, err)
	m.equalDry(dry, did)
	m.moveResults(m.results, member, to)
	m.rolled[to] = append(m.rolled[to], m.rolled[member]...)
	slices.SortStableFunc(m.rolled[to], func(a, b played) int { return a.at.Compare(b.at) })
	delete(m.rolled, member)
	for _, day := range m.days {
		m.moveResults(day, member, to)
	}
}

// correct submits a result to a random day, which may be open.
func (m *moderated) correct(member string) {
	days := slices.Sorted(maps.Keys(m.days))
	if len(days) == 0 {
		return
	}
	day := days[m.rng.IntN(len(days))]
	sub := board.ClosedSubmission{Window: "day", Period: day, Score: board.Ints(int64(m.rng.IntN(50)))}
	dry, err := m.b.Correct(context.Background(), member, sub, board.Action{By: "ops", DryRun: true})
	did, err2 := m.b.Correct(context.Background(), member, sub, ops)
	require.Equal(m.t, err, err2)
	switch {
	case day == m.day():
		require.ErrorIs(m.t, err, board.ErrPeriodOpen)
		return
	case errors.Is(err, board.ErrNoPeriod):
		require.Empty(m.t, m.days[day])
		return
	case m.banned[member]:
		require.ErrorIs(m.t, err, board.ErrBanned)
		return
	case m.hidden[member]:
		require.ErrorIs(m.t, err, board.ErrHidden)
		return
	}
	require.NoError(m.t, err)
	require.Equal(m.t, dry.Places, did.Places)
	end, err := time.Parse("2006-01-02", day)
	require.NoError(m.t, err)
	m.days[day][member] = append(m.days[day][member], played{sub.Score.Int(0), end.Add(24*time.Hour - time.Microsecond)})
	require.Equal(m.t, m.scoreOf(m.days[day][member]), did.Places[0].NewScore.Int(0))
}

func (m *moderated) hasPlaces(member string) bool {
	has := m.results[member] != nil
	for _, day := range m.days {
		has = has || day[member] != nil
	}
	return has
}

// moveResults moves the results in one ranking. Of Last the other member gets one result, at the time at which the score was reached.
func (m *moderated) moveResults(results map[string][]played, member, to string) {
	from, into := results[member], results[to]
	if from == nil {
		return
	}
	delete(results, member)
	if m.b.Spec().Op != board.Last || into == nil {
		results[to] = append(slices.Clone(into), from...)
		return
	}
	i := len(from) - 1
	for i > 0 && from[i-1].score == from[i].score {
		i--
	}
	if !from[i].at.Before(into[len(into)-1].at) {
		results[to] = append(into, from[i])
	}
}

// compare compares all rankings with the results.
func (m *moderated) compare() {
	if m.mem != nil {
		report, err := m.bs.Check(context.Background(), nil)
		require.NoError(m.t, err)
		require.Empty(m.t, report.Problems)
	}
	m.compareMember(fmt.Sprint("m", m.rng.IntN(30)))
	m.compareRanking("all", "all", m.results)
	if m.roll(); len(m.b.Spec().Windows) > 2 {
		m.compareRanking("roll", "all", m.rolled)
		m.checkRolling()
	}
	for day, results := range m.days {
		m.compareRanking("day", day, results)
	}
}

func (m *moderated) compareRanking(window, period string, results map[string][]played) {
	ctx := context.Background()
	want := map[string]int64{}
	for member, list := range results {
		if m.hidden[member] {
			m.isNowhere(window, period, member)
			continue
		}
		want[member] = m.scoreOf(list)
	}
	r, err := m.b.Period(ctx, window, period)
	if len(want) == 0 {
		return
	}
	require.NoError(m.t, err, period)
	n, err := r.Len(ctx)
	require.NoError(m.t, err)
	if top := m.b.Spec().Top; top != nil {
		require.Equal(m.t, min(len(want), top.N), n, period)
	} else {
		require.Equal(m.t, len(want), n, period)
	}
	rows, err := r.Top(ctx, n)
	require.NoError(m.t, err)
	scores := []int64{}
	for _, row := range rows {
		require.Equal(m.t, want[row.Member], row.Score.Int(0), "%s of %s", row.Member, period)
		scores = append(scores, row.Score.Int(0))
	}
	require.True(m.t, slices.IsSortedFunc(scores, func(a, b int64) int { return int(b - a) }))
	m.compareRanks(r, n, want, m.vacant[period])
}

// compareRanks compares the ranks of the best n members with their scores and those whose ranks nobody has.
func (m *moderated) compareRanks(r board.Ranking, n int, want map[string]int64, vacant []int64) {
	for _, mode := range []board.Mode{board.Competition, board.Modified, board.Dense} {
		rows, err := r.By(mode).Top(context.Background(), n)
		require.NoError(m.t, err)
		for _, row := range rows {
			better, same, distinct := 0, 0, map[int64]bool{}
			for _, score := range slices.AppendSeq(slices.Clone(vacant), maps.Values(want)) {
				switch own := row.Score.Int(0); {
				case score > own:
					better++
					distinct[score] = true
				case score == own:
					same++
				}
			}
			rank := map[board.Mode]int{board.Competition: better + 1, board.Modified: better + same, board.Dense: len(distinct) + 1}[mode]
			if top := m.b.Spec().Top; top != nil && mode == board.Modified && better+same > top.N {
				continue // the equals of the last go on behind the best n
			}
			require.Equal(m.t, rank, row.Rank, "%s of %s, %d", mode, row.Member, row.Score.Int(0))
		}
	}
}

// compareMember compares the places of a member, which come from the index, with the rankings of all periods.
func (m *moderated) compareMember(member string) {
	ctx := context.Background()
	x, err := m.b.Member(ctx, member)
	require.NoError(m.t, err)
	require.Equal(m.t, m.banned[member], x.Banned)
	if m.hidden[member] {
		m.compareHidden(member, x)
	}
	for _, h := range x.Windows {
		all, err := m.b.Periods(ctx, h.Window)
		require.NoError(m.t, err)
		var want []string
		for _, p := range all {
			r, err := m.b.Period(ctx, h.Window, p.Period)
			if errors.Is(err, board.ErrNoPeriod) { // everybody has been removed
				continue
			}
			require.NoError(m.t, err)
			row, ok, err := r.Rank(ctx, member)
			require.NoError(m.t, err)
			if ok && !row.Beyond {
				want = append(want, fmt.Sprint(p.Period, " ", row.Rank, " ", row.Score))
			}
		}
		var got []string
		for _, p := range h.Places {
			require.Equal(m.t, m.hidden[member], p.Hidden)
			if p.Hidden {
				continue
			}
			if slices.ContainsFunc(want, func(w string) bool { return strings.HasPrefix(w, p.Period+" ") }) || m.b.Spec().Top == nil {
				got = append(got, fmt.Sprint(p.Period, " ", p.Rank, " ", p.Score))
			}
		}
		require.Equal(m.t, want, got, "%s in %s", member, h.Window)
	}
}
