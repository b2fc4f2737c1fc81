package local

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
)

// pastRow is a row of the journal in the naive history of a pastGame.
type pastRow struct {
	number   uint64
	arrived  time.Time
	name     string   // that the row has by now
	ids      []int    // whose it is: of a removal, all that the member was then
	places   []string // "day 2026-11-20": of a submission where it counts, of a removal where it had an entry
	at       string   // the day that a submission happened on
	score    int64
	removal  bool
	reverted bool
	stale    bool // of a member that was merged since, or whose name another one has got
}

// pastGame makes random submissions and random moderation on one board, and compares past rankings with those that its history gives. Scores are sums of
// positive numbers. A name stands for one id or, after merges, several.
type pastGame struct {
	*game
	rng    *rand.Rand
	rows   []*pastRow
	ids    map[string][]int // of the present names
	last   int              // id
	closed map[string]bool  // days
	counts map[string]int
}

func (p *pastGame) name() string { return string(rune('a' + p.rng.IntN(6))) }

func (p *pastGame) day(at time.Time) string { return at.UTC().Format(time.DateOnly) }

// idsOf returns the ids of a name, which gets one if it has none.
func (p *pastGame) idsOf(name string) []int {
	if p.ids[name] == nil {
		p.last++
		p.ids[name] = []int{p.last}
	}
	return p.ids[name]
}

// sum returns what an id has in a place after a row.
func (p *pastGame) sum(id int, place string, number uint64) (sum int64) {
	for _, r := range p.rows {
		switch {
		case r.number > number || !slices.Contains(r.ids, id) || !slices.Contains(r.places, place):
		case r.removal:
			sum = 0
		case !r.reverted:
			sum += r.score
		}
	}
	return sum
}

// add adds the rows that the journal has got since the last call. of tells what is special about a submission.
func (p *pastGame) add(ids []int, of pastRow) {
	newest := uint64(0)
	if len(p.rows) > 0 {
		newest = p.rows[len(p.rows)-1].number
	}
	var got []board.JournalRow
	for row, err := range p.board("arena").Journal(context.Background(), board.JournalQuery{}) {
		require.NoError(p.t, err)
		if row.Number > newest {
			got = append(got, row)
		}
	}
	slices.Reverse(got)
	open, shut := p.placesOf(ids)
	for _, row := range got {
		r := of
		r.number, r.arrived, r.name, r.ids, r.removal = row.Number, row.Arrived, row.Member, slices.Clone(ids[:1]), row.Removal
		if row.Removal {
			r.ids = slices.Clone(ids)
			if r.places = open; len(open) == 0 {
				r.places = shut
			}
			open = nil
		}
		p.rows = append(p.rows, &r)
	}
}

// placesOf returns where some ids have entries: in open and in closed periods.
func (p *pastGame) placesOf(ids []int) (open, shut []string) {
	all := map[string]bool{}
	for _, r := range p.rows {
		for _, place := range r.places {
			for _, id := range ids {
				all[place] = all[place] || p.sum(id, place, ^uint64(0)) > 0
			}
		}
	}
	for place, has := range all {
		switch {
		case !has:
		case p.closed[strings.TrimPrefix(place, "day ")]:
			shut = append(shut, place)
		default:
			open = append(open, place)
		}
	}
	return open, shut
}

// did reports whether a call has been made, and requires that it was refused for a reason else.
func (p *pastGame) did(what string, err error) bool {
	p.t.Helper()
	if err == nil {
		p.counts[what]++
		return true
	}
	for _, want := range []error{board.ErrBanned, board.ErrNotBanned, board.ErrHidden, board.ErrNotHidden, board.ErrExists, board.ErrNotRanked, board.ErrMember, board.ErrNotInJournal, board.ErrReverted, board.ErrPeriodClosed, board.ErrNoPeriod, board.ErrAction} {
		if errors.Is(err, want) {
			return false
		}
	}
	require.NoError(p.t, err, what)
	return false
}

func (p *pastGame) submit() {
	b, name, at := p.board("arena"), p.name(), p.clock.Now()
	score := 1 + p.rng.Int64N(9)
	sub := board.Submission{Member: name, Score: board.Ints(score)}
	if p.rng.IntN(4) == 0 {
		sub.At = at.Add(-time.Duration(p.rng.IntN(9)) * time.Hour)
		at = sub.At
	}
	row := pastRow{score: score, at: p.day(at), places: []string{"all all", "day " + p.day(at)}}
	if k := p.rng.IntN(8); k < 2 {
		sub.Windows, row.places = []string{[]string{"all", "day"}[k]}, row.places[k:k+1]
	}
	if _, err := b.Submit(context.Background(), sub); p.did("submit", err) {
		p.add(p.idsOf(name), row)
	}
}

// operate does something about a random member.
func (p *pastGame) operate() {
	ctx, b, name, to := context.Background(), p.board("arena"), p.name(), p.name()
	ids := p.idsOf(name)
	switch k := p.rng.IntN(16); k {
	case 0:
		_, err := b.Remove(ctx, name)
		require.NoError(p.t, err)
		p.add(ids, pastRow{})
	case 1:
		if _, err := b.Ban(ctx, name, ops); p.did("ban", err) {
			p.add(ids, pastRow{})
		}
	case 2, 3, 4, 5:
		_, err := b.Unban(ctx, name, ops)
		p.did("unban", err)
	case 6, 7:
		_, err := b.Hide(ctx, name, ops)
		p.did("hide", err)
	case 8, 9:
		_, err := b.Show(ctx, name, ops)
		p.did("show", err)
	case 10:
		if _, err := b.Rename(ctx, name, to, ops); p.did("rename", err) {
			p.rename(name, to, false)
		}
	case 11:
		if _, err := b.Merge(ctx, name, to, ops); p.did("merge", err) {
			p.rename(name, to, true)
		}
	case 12, 13:
		p.correct(b, name, ids)
	case 14:
		p.revert(b)
	case 15:
		if _, err := b.Erase(ctx, name, ops); p.did("erase", err) {
			delete(p.ids, name)
			p.rows = slices.DeleteFunc(p.rows, func(r *pastRow) bool { return r.name == name })
		}
	}
}

// rename gives the rows of a name to another one.
func (p *pastGame) rename(name, to string, merge bool) {
	for _, r := range p.rows {
		if r.stale = r.stale || r.name == to || merge && r.name == name; r.name == name {
			r.name = to
		}
	}
	ids := p.idsOf(name)
	if merge {
		ids = slices.Concat(ids, p.idsOf(to))
	}
	p.ids[to] = ids
	delete(p.ids, name)
}

func (p *pastGame) correct(b board.Board, name string, ids []int) {
	at := p.clock.Now().Add(-24 * time.Hour)
	sub := board.ClosedSubmission{Window: "day", Period: p.day(at), Score: board.Ints(5)}
	if _, err := b.Correct(context.Background(), name, sub, ops); !errors.Is(err, board.ErrPeriodOpen) && p.did("correct", err) {
		p.add(ids, pastRow{score: 5, at: sub.Period, places: []string{"day " + sub.Period}})
	}
}

func (p *pastGame) revert(b board.Board) {
	if len(p.rows) == 0 {
		return
	}
	r := p.rows[p.rng.IntN(len(p.rows))]
	if _, err := b.Revert(context.Background(), r.name, board.Reversion{Row: r.number}, ops); p.did("revert", err) {
		r.reverted = true
	}
}

// want returns the ranking of a window after a row, by score and name.
func (p *pastGame) want(b board.Board, window, period string, number uint64) (text string, err error) {
	for _, r := range slices.Backward(p.rows) {
		if r.number <= number || r.reverted || !r.stale || isHidden(b, r.name) || isBanned(b, r.name) {
			continue
		}
		if window == "all" && !r.removal || r.at == period || r.removal && slices.Contains(r.places, window+" "+period) {
			return "", board.ErrUndo
		}
	}
	type row struct {
		name  string
		score int64
	}
	var rows []row
	for name, ids := range p.ids {
		score := int64(0)
		for _, id := range ids {
			score += p.sum(id, window+" "+period, number)
		}
		if score > 0 && !isHidden(b, name) && !isBanned(b, name) {
			rows = append(rows, row{name, score})
		}
	}
	slices.SortFunc(rows, func(a, b row) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.name, b.name)) })
	for _, r := range rows {
		text += fmt.Sprint(r.name, " ", r.score, ", ")
	}
	return strings.TrimSuffix(text, ", "), nil
}

// compare compares the ranking of a random period after a random row, and at the moment at which it came.
func (p *pastGame) compare() {
	if len(p.rows) == 0 {
		return
	}
	b, i := p.board("arena"), p.rng.IntN(len(p.rows))
	r := p.rows[i]
	window, period := "day", p.day(p.clock.Now().Add(-time.Duration(p.rng.IntN(30))*time.Hour))
	if p.rng.IntN(2) == 0 {
		window, period = "all", "all"
	}
	p.same(b, window, period, r.number, func() (board.Ranking, error) { return b.AsOfRow(context.Background(), window, period, r.number) })
	for i+1 < len(p.rows) && p.rows[i+1].arrived.Equal(r.arrived) {
		i++
	}
	if window == "day" {
		period = p.day(r.arrived)
	}
	p.same(b, window, period, p.rows[i].number, func() (board.Ranking, error) { return b.AsOf(context.Background(), window, r.arrived) })
}

func (p *pastGame) same(b board.Board, window, period string, number uint64, read func() (board.Ranking, error)) {
	p.t.Helper()
	r, err := read()
	if errors.Is(err, board.ErrNoPeriod) && p.closed[period] {
		return // nobody was ranked when it was closed
	}
	want, wantErr := p.want(b, window, period, number)
	require.Equal(p.t, wantErr, kind(err), "%v", err)
	if p.counts[fmt.Sprint("compared ", wantErr)]++; err == nil {
		require.Equal(p.t, want, p.show(r, nil), "%s of %s after row %d", period, window, number)
	}
}

// runPast makes random calls, and compares a past ranking after each.
func runPast(t testing.TB, seed uint64, counts map[string]int) {
	p := &pastGame{game: newGame(t, seed%2 == 0), rng: rand.New(rand.NewPCG(seed, 22)), ids: map[string][]int{}, closed: map[string]bool{}, counts: counts}
	p.define(board.Spec{Name: "arena", Op: board.Sum, Ties: board.ByMember, Windows: []board.Window{board.All, board.Day}, Journal: 1000})
	for range 150 {
		switch k := p.rng.IntN(20); {
		case k < 10:
			p.submit()
		case k < 16:
			p.operate()
		case k < 18:
			p.clock.Add(time.Duration(p.rng.IntN(600)) * time.Minute)
		case k < 19 && p.mem != nil:
			require.NoError(t, p.e.Barrier(t.Context()))
			p.powerCut(p.rng.IntN(100), seed)
		default:
			p.reopenBoards()
		}
		_, err := p.bs.CloseDue(t.Context())
		require.NoError(t, err)
		for d := range 4 {
			p.closed[p.day(p.clock.Now().AddDate(0, 0, -1-d))] = true
		}
		p.compare()
	}
}

// TestAsOfAfterModeration: past rankings are what counts today, as of then, whatever operators have done in between: bans, hides, renames, merges, reverts,
// corrections of closed days and erasures, with reopenings and power cuts.
func TestAsOfAfterModeration(t *testing.T) {
	total := map[string]int{}
	for seed := range uint64(howMany(24)) {
		synctest.Test(t, func(t *testing.T) { runPast(t, seed, total) })
		if t.Failed() {
			t.Logf("seed %d", seed)
			return
		}
	}
	t.Logf("%v", total)
}
