package archive

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board"
	"github.com/zrankdb/zrank/engine/board/awards"
	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/internal/testclock"
)

// world is boards of an engine.
type world struct {
	t      *testing.T
	fs     *memfs.FS
	e      *engine.Engine
	boards *board.Boards
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
	w.boards, err = board.Open(w.e, board.Options{})
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

func (w *world) board(name string) *board.Board {
	b, err := w.boards.Board(name)
	require.NoError(w.t, err)
	return b
}

var action = board.Action{By: "mod", Reason: "a test"}

// specsOfTests are boards of every kind that can be written.
func specsOfTests() []board.Spec {
	days := []board.Window{board.All, board.Day}
	return []board.Spec{
		{Name: "plain"},
		{Name: "sum", Op: board.Sum, Windows: days, MaxMeta: 20, Feed: &board.Feed{}, BestRanks: true, Journal: 50},
		{Name: "latest", Op: board.Last, Windows: days, Ties: board.LastToReach},
		{Name: "names", Op: board.Min, Ties: board.ByMember, Windows: days, Columns: []board.Column{{Name: "seconds", Kind: board.Float64, Order: board.Asc}}},
		{Name: "best of", Op: board.BestOf, K: 3, Windows: days},
		{Name: "last of", Op: board.LastOf, K: 2},
		{Name: "columns", Windows: days, Columns: []board.Column{{Name: "points", Decimals: 2}, {Name: "wins", Absent: board.AbsentLast}, {Name: "time", Kind: board.Float64, Order: board.Asc}}},
		{Name: "paid", Op: board.Sum, Windows: []board.Window{board.Day}, Awards: []board.AwardPlan{{Window: "day", Claim: true, Tiers: []awards.Tier{{Name: "gold", From: 1, Payload: "100"}, {Name: "rest", Everyone: true}}}}},
		{Name: "top", Op: board.Sum, Top: &board.Top{N: 3, Reserve: 1}, Windows: days, MaxMeta: 20, Feed: &board.Feed{}},
		{Name: "top of many", Ties: board.LastToReach, Top: &board.Top{N: 2, Reserve: 1, Segments: 4}, Windows: days},
		{Name: "parts", Op: board.Sum, Parts: 3, Windows: days, MaxMeta: 20, BestRanks: true},
		{Name: "growing", Op: board.Last, PartMembers: 2, Windows: days, Ties: board.LastToReach},
	}
}

// members are those who play.
var members = []string{"ada", "bea", "cy", "dov", "eve", "fay", "\xff\x00", "base64:x", "<&>", strings.Repeat("m", 300)}

// play submits random results of five days, and moderates a little.
func (w *world) play(spec board.Spec, seed uint64) {
	b, err := w.boards.Define(spec)
	require.NoError(w.t, err)
	r := rand.New(rand.NewPCG(seed, 1))
	score := func() board.Score {
		switch spec.Name {
		case "names":
			return board.Floats(float64(r.IntN(40)) / 8)
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
			if spec.MaxMeta > 0 && r.IntN(2) == 0 {
				sub.Meta = []byte{byte(i), 0xff}
			}
			_, err := b.Submit(sub)
			require.NoError(w.t, err)
			if r.IntN(3) > 0 { // else in the same microsecond
				w.clock.Add(time.Duration(r.IntN(3)) * time.Microsecond)
			}
		}
		_, err := b.Hide(w.t.Context(), members[day], action)
		require.NoError(w.t, err)
		if day > 1 {
			w.clock.Add(24 * time.Hour)
			_, err = w.boards.CloseDue()
			require.NoError(w.t, err)
			_, err = w.boards.SettleDue(w.t.Context())
			require.NoError(w.t, err)
		}
	}
	_, err = b.Ban(w.t.Context(), "dov", action)
	require.NoError(w.t, err)
	if spec.Awards != nil {
		w.award(b)
	}
}

// award claims an award and withholds another one.
func (w *world) award(b *board.Board) {
	for award, err := range b.Awards("day", "2026-11-20") {
		require.NoError(w.t, err)
		if award.Rank == 1 && award.State == board.Waiting {
			_, err = b.Claim(award.Member, award.ID)
			require.NoError(w.t, err)
		}
		if award.Rank == 4 && award.State == board.Waiting {
			require.NoError(w.t, b.Withhold(award.ID, "a cheat"))
		}
	}
}

// TestCycle writes boards of every kind, makes them again in a new store, and writes them again: to the same bytes, before and after the new store was closed.
func TestCycle(t *testing.T) {
	for i, spec := range specsOfTests() {
		t.Run(spec.Name, func(t *testing.T) {
			clock := testclock.New()
			w := newWorld(t, clock)
			w.play(spec, uint64(i))
			first := w.write(spec.Name)
			o := newWorld(t, clock)
			r := o.read(first)
			require.Equal(t, []string{spec.Name}, r.Boards)
			require.Equal(t, first, o.write(spec.Name))
			same(t, w.board(spec.Name), o.board(spec.Name))
			_, err := o.boards.Check(t.Context(), nil)
			require.NoError(t, err)
			o.close()
			o.open()
			require.Equal(t, first, o.write(spec.Name))
			same(t, w.board(spec.Name), o.board(spec.Name))
			goesOn(t, w, o, spec.Name)
			if spec.Top != nil { // the others are in buckets again
				keys, err := o.e.Keys("board/" + spec.Name + "/.tail.")
				require.NoError(t, err)
				require.NotEmpty(t, keys)
			}
		})
	}
}

// same compares all that two boards tell.
func same(t *testing.T, a, b *board.Board) {
	t.Helper()
	require.Equal(t, a.Spec(), b.Spec())
	for _, window := range a.Spec().Windows {
		x, err := a.Periods(window.Name)
		require.NoError(t, err)
		y, err := b.Periods(window.Name)
		require.NoError(t, err)
		require.Len(t, y, len(x))
		for i := range x {
			require.Equal(t, x[i].Info, y[i].Info)
			require.Equal(t, rows(t, a, window.Name, x[i].Period), rows(t, b, window.Name, x[i].Period))
			require.Equal(t, scores(t, a, window.Name, x[i].Period), scores(t, b, window.Name, x[i].Period))
			require.Equal(t, x[i].Waiting, y[i].Waiting)
		}
		s, err := a.Settlements(window.Name)
		require.NoError(t, err)
		s2, err := b.Settlements(window.Name)
		require.NoError(t, err)
		require.Equal(t, s, s2)
	}
	for _, member := range []string{"ada", "dov", "\xff\x00"} {
		x, err := a.Member(member)
		require.NoError(t, err)
		y, err := b.Member(member)
		require.NoError(t, err)
		require.Equal(t, x.Banned, y.Banned)
		require.Equal(t, x.Hidden, y.Hidden)
		awardsA, err := a.AwardsOf(member)
		require.NoError(t, err)
		awardsB, err := b.AwardsOf(member)
		require.NoError(t, err)
		require.Equal(t, awardsA, awardsB)
	}
	require.Equal(t, audit(t, a), audit(t, b))
}

func rows(t *testing.T, b *board.Board, window, period string) []board.Row {
	k, err := b.Period(window, period)
	require.NoError(t, err)
	list, err := k.Top(1000)
	require.NoError(t, err)
	return list
}

// scores returns the scores of all members of the test: a ranking of the best has those of the others too.
func scores(t *testing.T, b *board.Board, window, period string) (all []string) {
	k, err := b.Period(window, period)
	require.NoError(t, err)
	for _, member := range members {
		score, ok, err := k.Score(member)
		require.NoError(t, err)
		all = append(all, fmt.Sprint(score, ok))
	}
	return all
}

func audit(t *testing.T, b *board.Board) (all []string) {
	for e, err := range b.Audit(board.AuditFilter{}) {
		require.NoError(t, err)
		places, err := b.AuditPlaces(e.Number)
		require.NoError(t, err)
		e.Parts = 0 // in how many steps the places were stored
		all = append(all, fmt.Sprint(e, places))
	}
	return all
}

// goesOn submits the same results to both boards, shows who was hidden, and compares them once more: the new one has all that it needs to go on.
func goesOn(t *testing.T, w, o *world, name string) {
	t.Helper()
	r := rand.New(rand.NewPCG(9, 9))
	a, b := w.board(name), o.board(name)
	for i := range 40 {
		member := []string{"ada", "bea", "eve", "new"}[r.IntN(4)]
		score := board.Ints(int64(r.IntN(6)))
		if name == "names" {
			score = board.Floats(float64(r.IntN(6)))
		} else if name == "columns" {
			score = board.Values(board.Decimal(int64(r.IntN(300)), 2), board.Int(1), board.Float(1))
		}
		sub := board.Submission{Member: member, Score: score, Once: fmt.Sprint("4/", i*2)}
		x, err := a.Submit(sub)
		require.NoError(t, err)
		y, err := b.Submit(sub)
		require.NoError(t, err)
		for _, row := range []*board.Row{&x.After, &y.After} {
			if row.Beyond { // its rank is about right, by what each board has counted
				row.Rank, row.Within = 0, 0
			}
		}
		require.Equal(t, x.After, y.After, "%d: %v", i, sub)
		require.Equal(t, x.Duplicate, y.Duplicate)
		w.clock.Add(time.Microsecond)
	}
	for _, x := range []*board.Board{a, b} {
		_, err := x.Show(t.Context(), "bea", action)
		require.NoError(t, err)
		_, err = x.Unban("dov", action)
		require.NoError(t, err)
	}
	same(t, a, b)
}

// TestBad gives Read a file that is cut off after each byte, and one with each line left out or twice: what it makes is whole, and else there is nothing.
func TestBad(t *testing.T) {
	clock := testclock.New()
	w := newWorld(t, clock)
	w.play(specsOfTests()[7], 1)
	text := w.write("paid")
	o := newWorld(t, clock)
	refused := func(text, why string) {
		t.Helper()
		_, err := Read(t.Context(), strings.NewReader(text), o.boards, Options{})
		line := new(LineError)
		require.ErrorAs(t, err, &line, text)
		require.ErrorIs(t, err, ErrFile)
		require.ErrorContains(t, err, why)
		require.Empty(t, o.boards.All(), "%v", err)
	}
	for n := 1; n < len(text); n += 97 {
		refused(text[:n], "unexpected EOF")
	}
	refused(text[:len(text)-1], "unexpected EOF")
	lines := strings.SplitAfter(text, "\n")
	for i := range len(lines) - 1 {
		refused(strings.Join(append(append([]string{}, lines[:i]...), lines[i+1:]...), ""), "")
		if i > 0 && i < len(lines)-2 { // behind its end a board is whole
			refused(strings.Join(append(append([]string{}, lines[:i+1]...), lines[i:]...), ""), "")
		}
	}
	for wrong, why := range map[string]string{
		"x\n": "invalid", "{}\n": "says 0 things", `{"member":"a","once":"b"}` + "\n": "says 2 things", `{"ended":"x"}` + "\n": "before the first", "\n": "EOF",
		`{"board":{"name":"x"},"format":2}` + "\n": "number 2", `{"board":{"name":""},"format":1}` + "\n": "name", `{"board":{"name":"x","derived":{"from":"y","groups":"z"}},"format":1}` + "\n": "derived",
		`{"nothing":1}` + "\n": "unknown field", lines[0] + `{"period":"x"}` + "\n": "before the first window", lines[0] + `{"window":"week"}` + "\n" + `{"period":"x"}` + "\n": "window",
		lines[0] + `{"window":"day"}` + "\n" + `{"period":"2026-11-31"}` + "\n": "period", lines[0] + `{"window":"day"}` + "\n" + `{"period":"2026-11-20"}` + "\n": "begins at",
		lines[0] + lines[0]: "begins before the end", strings.Repeat("x", MaxLine+1): "longer than",
	} {
		refused(wrong, why)
	}
	o.read(text)
	_, err := Read(t.Context(), strings.NewReader(text), o.boards, Options{})
	require.ErrorIs(t, err, board.ErrBoardExists)
	require.Equal(t, text, o.write("paid"))

	w.play(specsOfTests()[0], 2)
	both := text + w.write("plain")
	r, err := Read(t.Context(), strings.NewReader(both), o.boards, Options{SkipExisting: true})
	require.NoError(t, err)
	require.Equal(t, Report{Boards: []string{"plain"}, Skipped: []string{"paid"}, Periods: r.Periods, Entries: r.Entries}, r)
	require.Equal(t, both, o.write("paid")+o.write("plain"))
	_, err = Read(t.Context(), strings.NewReader(text[:len(text)-2]), o.boards, Options{SkipExisting: true})
	require.ErrorIs(t, err, ErrFile)
}

// TestRefused writes what cannot be written, or changes meanwhile.
func TestRefused(t *testing.T) {
	w := newWorld(t, testclock.New())
	_, err := w.boards.DefineGroups("guild")
	require.NoError(t, err)
	for _, spec := range []board.Spec{{Name: "rolling", Windows: []board.Window{board.Rolling("hour", time.Hour)}}, {Name: "members"}, {Name: "derived", Derived: &board.Derived{From: "members", Groups: "guild"}}} {
		_, err := w.boards.Define(spec)
		require.NoError(t, err)
		_, err = Write(t.Context(), io.Discard, w.boards, spec.Name, Options{Partial: true})
		if spec.Name != "members" {
			require.ErrorIs(t, err, board.ErrImmovable)
		}
	}
	w.play(specsOfTests()[1], 1)
	_, err = Write(t.Context(), io.Discard, w.boards, "sum", Options{})
	require.ErrorIs(t, err, ErrLeftOut)
	require.ErrorContains(t, err, "journal")
	_, err = Write(t.Context(), io.Discard, w.boards, "nothing", Options{})
	require.ErrorIs(t, err, board.ErrNoBoard)
	b := w.board("sum")
	submit := func(int) {
		_, err := b.Apply(board.Submission{Member: "late", Score: board.Ints(1)})
		require.NoError(t, err)
	}
	_, err = Write(t.Context(), io.Discard, w.boards, "sum", Options{Partial: true, Progress: submit})
	require.ErrorIs(t, err, ErrChanged)

	done := make(chan error, 1)
	var once sync.Once
	_, err = Write(t.Context(), io.Discard, w.boards, "sum", Options{Partial: true, Hold: true, Progress: func(int) {
		once.Do(func() { // the submission waits until the board is written
			go func() {
				_, err := b.Apply(board.Submission{Member: "later", Score: board.Ints(1)})
				done <- err
			}()
		})
	}})
	require.NoError(t, err)
	require.NoError(t, <-done)
}
