package archive

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/audit"
	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/board/window"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/internal/testclock"
)

// world is boards of an engine.
type world struct {
	t      *testing.T
	fs     *memfs.FS
	e      *engine.Engine
	boards *local.Boards
	clock  *testclock.Clock
}

func newWorld(t *testing.T, clock *testclock.Clock) *world {
	w := &world{t: t, fs: memfs.NewCrashable(), clock: clock}
	w.open()
	t.Cleanup(w.close)
	return w
}

func (w *world) open() {
	var err error
	w.e, err = engine.Open("data", engine.Options{FS: w.fs, Clock: w.clock.Now})
	require.NoError(w.t, err)
	w.boards, err = local.Open(w.e, local.Options{})
	require.NoError(w.t, err)
}

func (w *world) close() {
	require.NoError(w.t, w.boards.Close())
	require.NoError(w.t, w.e.Close())
}

// write returns a board as a file.
func (w *world) write(name string) string {
	w.t.Helper()
	var b bytes.Buffer
	r, err := Write(w.t.Context(), &b, w.boards, name, Options{Partial: true})
	require.NoError(w.t, err)
	require.Equal(w.t, []string{name}, r.Boards)
	return b.String()
}

// read makes the boards of a file.
func (w *world) read(text string) Report {
	w.t.Helper()
	r, err := Read(w.t.Context(), strings.NewReader(text), w.boards, Options{})
	require.NoError(w.t, err)
	return r
}

func (w *world) board(name string) board.Board {
	b, err := w.boards.Board(context.Background(), name)
	require.NoError(w.t, err)
	return b
}

var action = board.Action{By: "mod", Reason: "a test"}

// specsOfTests are boards of every kind that can be written.
func specsOfTests() []board.Spec {
	days := []board.Window{board.All, board.Day}
	rolling := []board.Window{board.Rolling("30h", 30*time.Hour), board.Day, {Name: "2d", Kind: "rolling", Span: window.Duration(48 * time.Hour), Bucket: window.Duration(time.Hour)}}
	paid := []awards.Plan{{Window: "day", Claim: true, Tiers: []awards.Tier{{Name: "gold", From: 1, Payload: "100"}, {Name: "rest", Everyone: true}}}}
	return []board.Spec{
		{Name: "plain"},
		{Name: "sum", Op: board.Sum, Windows: days, MaxMeta: 20, Feed: &board.Feed{}, BestRanks: true, Journal: 50},
		{Name: "latest", Op: board.Last, Windows: days, Ties: board.LastToReach},
		{Name: "names", Op: board.Min, Ties: board.ByMember, Windows: days, Columns: []board.Column{{Name: "seconds", Kind: board.Float64, Order: board.Asc}}},
		{Name: "best of", Op: board.BestOf, K: 3, Windows: days},
		{Name: "last of", Op: board.LastOf, K: 2},
		{Name: "columns", Windows: days, Columns: []board.Column{{Name: "points", Decimals: 2}, {Name: "wins", Absent: board.AbsentLast}, {Name: "time", Kind: board.Float64, Order: board.Asc}}},
		{Name: "rolling sum", Op: board.Sum, Windows: rolling, MaxMeta: 20, BestRanks: true, Columns: []board.Column{{Name: "points"}, {Name: "wins"}}},
		{Name: "rolling best", Windows: rolling, MaxMeta: 20},
		{Name: "rolling last", Op: board.Last, Windows: rolling, Ties: board.LastToReach},
		{Name: "rolling first", Op: board.First, Windows: rolling, Ties: board.ByMember},
		{Name: "rolling min", Op: board.Min, Windows: rolling},
		{Name: "league", Op: board.Sum, Windows: days, Leagues: &board.Leagues{Window: "day", Tiers: []string{"bronze", "silver", "gold"}, Size: 3, Up: 1, Down: 1, Bands: []int64{5}}},
		{Name: "league with a grace", Op: board.Sum, Windows: []board.Window{board.All, {Name: "day", Kind: window.Day, Grace: window.Duration(15 * time.Hour)}}, // some members queue
			Leagues: &board.Leagues{Window: "day", Tiers: []string{"bronze", "silver", "gold"}, Size: 3, Up: 1, Down: 1, Bands: []int64{5}}},
		{Name: "parts with all", Op: board.Sum, PartMembers: 3, Windows: days, MaxMeta: 20, BestRanks: true, Awards: paid},
		{Name: "league with all", Op: board.Sum, Windows: rolling, MaxMeta: 20, BestRanks: true, Awards: paid, Feed: &board.Feed{}, Leagues: &board.Leagues{Window: "day", Tiers: []string{"low", "high"}, Size: 2, Up: 1}},
		{Name: "top with all", Op: board.Sum, Top: &board.Top{N: 2, Reserve: 1}, Windows: days, MaxMeta: 20, Awards: paid, Feed: &board.Feed{}},
		{Name: "computed", Op: board.Sum, Windows: days, Columns: []board.Column{{Name: "total", Of: map[string]board.Value{"wins": board.Int(3), "draws": board.Int(1)}}, {Name: "wins"}, {Name: "draws"}}},
		{Name: "paid", Op: board.Sum, Windows: []board.Window{board.Day}, Awards: paid},
		{Name: "top", Op: board.Sum, Top: &board.Top{N: 3, Reserve: 1}, Windows: days, MaxMeta: 20, Feed: &board.Feed{}},
		{Name: "top of many", Ties: board.LastToReach, Top: &board.Top{N: 2, Reserve: 1}, Windows: days},
		{Name: "parts", Op: board.Sum, Parts: 3, Windows: days, MaxMeta: 20, BestRanks: true},
		{Name: "growing", Op: board.Last, PartMembers: 2, Windows: days, Ties: board.LastToReach},
	}
}

// specOfTest returns one of them.
func specOfTest(name string) board.Spec {
	all := specsOfTests()
	return all[slices.IndexFunc(all, func(s board.Spec) bool { return s.Name == name })]
}

// members are those who play.
var members = []string{"ada", "bea", "cy", "dov", "eve", "fay", "\xff\x00", "base64:x", "<&>", strings.Repeat("m", 300)}

// play submits random results of five days, and moderates a little.
func (w *world) play(spec board.Spec, seed uint64) {
	ctx := context.Background()
	b, err := w.boards.Define(ctx, spec)
	require.NoError(w.t, err)
	r := rand.New(rand.NewPCG(seed, 1))
	score := func() board.Score {
		switch spec.Name {
		case "names":
			return board.Floats(float64(r.IntN(40)) / 8)
		case "computed", "rolling sum":
			return board.Ints(int64(r.IntN(3)), int64(r.IntN(3)))
		case "columns":
			v := []board.Value{board.Decimal(int64(r.IntN(500)), 2), board.Int(int64(r.IntN(3))), board.Float(float64(r.IntN(4)))}
			if r.IntN(3) == 0 {
				v[1] = board.Absent
			}
			return board.Values(v...)
		default:
			return board.Ints(int64(r.IntN(6)))
		}
	}
	for day := range 5 {
		for i := range 60 {
			sub := board.Submission{Member: members[r.IntN(len(members))], Score: score(), Once: fmt.Sprint(day, "/", i)}
			if spec.Leagues != nil {
				sub.Skill = int64(r.IntN(9))
			}
			if spec.MaxMeta > 0 && r.IntN(2) == 0 {
				sub.Meta = []byte{byte(i), 0xff}
			}
			_, err := b.Submit(ctx, sub)
			require.NoError(w.t, err)
			if r.IntN(3) > 0 { // else in the same microsecond
				w.clock.Add(time.Duration(r.IntN(3)) * time.Microsecond)
			}
		}
		_, err := b.Hide(w.t.Context(), members[day], action)
		require.NoError(w.t, err)
		if day > 1 {
			w.clock.Add(24 * time.Hour)
			_, err = w.boards.CloseDue(ctx)
			require.NoError(w.t, err)
			_, err = w.boards.SettleDue(w.t.Context())
			require.NoError(w.t, err)
		}
	}
	for i := range 20 { // in one microsecond, in which goesOn begins
		_, err := b.Submit(ctx, board.Submission{Member: members[i%8], Score: score()})
		require.NoError(w.t, err)
	}
	_, err = b.Ban(w.t.Context(), "dov", action)
	require.NoError(w.t, err)
	if spec.Awards != nil {
		w.award(b)
	}
}

// award claims an award and withholds another one.
func (w *world) award(b board.Board) {
	ctx := context.Background()
	for award, err := range b.Awards(ctx, "day", "2026-11-20") {
		require.NoError(w.t, err)
		if award.Rank == 1 && award.State == awards.Waiting {
			_, err = b.Claim(ctx, award.Member, award.ID)
			require.NoError(w.t, err)
		}
		if award.Rank == 4 && award.State == awards.Waiting {
			require.NoError(w.t, b.Withhold(ctx, award.ID, "a cheat"))
		}
	}
}

// same compares all that two boards tell.
func same(t *testing.T, a, b board.Board) {
	t.Helper()
	require.Equal(t, a.Spec(), b.Spec())
	for _, window := range a.Spec().Windows {
		x, err := a.Periods(t.Context(), window.Name)
		require.NoError(t, err)
		y, err := b.Periods(t.Context(), window.Name)
		require.NoError(t, err)
		require.Len(t, y, len(x))
		for i := range x {
			require.Equal(t, x[i].Info, y[i].Info)
			require.Equal(t, rows(t, a, window.Name, x[i].Period), rows(t, b, window.Name, x[i].Period))
			require.Equal(t, scores(t, a, window.Name, x[i].Period), scores(t, b, window.Name, x[i].Period))
			require.Equal(t, x[i].Waiting, y[i].Waiting)
		}
		s, err := a.Settlements(t.Context(), window.Name)
		require.NoError(t, err)
		s2, err := b.Settlements(t.Context(), window.Name)
		require.NoError(t, err)
		require.Equal(t, s, s2)
	}
	for _, member := range []string{"ada", "dov", "\xff\x00"} {
		x, err := a.Member(t.Context(), member)
		require.NoError(t, err)
		y, err := b.Member(t.Context(), member)
		require.NoError(t, err)
		require.Equal(t, x.Banned, y.Banned)
		require.Equal(t, x.Hidden, y.Hidden)
		awardsA, err := a.AwardsOf(t.Context(), member)
		require.NoError(t, err)
		awardsB, err := b.AwardsOf(t.Context(), member)
		require.NoError(t, err)
		require.Equal(t, awardsA, awardsB)
	}
	require.Equal(t, auditOf(t, a), auditOf(t, b))
	sameLeagues(t, a, b)
}

// sameLeagues compares the cohorts and tiers of two boards, if they have any.
func sameLeagues(t *testing.T, a, b board.Board) {
	t.Helper()
	if a.Spec().Leagues == nil {
		return
	}
	periods, err := a.Periods(t.Context(), a.Spec().Leagues.Window)
	require.NoError(t, err)
	for _, member := range members {
		x, err := a.Tier(t.Context(), member)
		require.NoError(t, err)
		y, err := b.Tier(t.Context(), member)
		require.NoError(t, err)
		require.Equal(t, x, y)
		for _, p := range periods {
			x, err := a.LeagueOf(t.Context(), p.Period, member)
			y, err2 := b.LeagueOf(t.Context(), p.Period, member)
			require.Equal(t, err, err2)
			require.Equal(t, x, y)
		}
	}
}

func rows(t *testing.T, b board.Board, window, period string) []board.Row {
	k, err := b.Period(t.Context(), window, period)
	require.NoError(t, err)
	list, err := k.Top(t.Context(), 1000)
	require.NoError(t, err)
	return list
}

// scores returns the scores of all members of the test: a ranking of the best has those of the others too.
func scores(t *testing.T, b board.Board, window, period string) (all []string) {
	k, err := b.Period(t.Context(), window, period)
	require.NoError(t, err)
	for _, member := range members {
		score, ok, err := k.Score(t.Context(), member)
		require.NoError(t, err)
		all = append(all, fmt.Sprint(score, ok))
	}
	return all
}

func auditOf(t *testing.T, b board.Board) (all []string) {
	for e, err := range b.Audit(t.Context(), audit.Filter{}) {
		require.NoError(t, err)
		places, err := b.AuditPlaces(t.Context(), e.Number)
		require.NoError(t, err)
		e.Parts = 0 // in how many steps the places were stored
		all = append(all, fmt.Sprint(e, places))
	}
	return all
}
