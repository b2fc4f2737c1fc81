package load_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/load"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/board/window"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/memfs"
)

// place is boards in an engine with a clock.
type place struct {
	now    time.Time
	fs     *memfs.FS
	e      *engine.Engine
	boards *local.Boards
}

func newPlace(t *testing.T, now time.Time) *place {
	p := &place{now: now, fs: memfs.New()}
	p.open(t)
	return p
}

func (p *place) open(t *testing.T) {
	var err error
	p.e, err = engine.Open("d", engine.Options{FS: p.fs, Clock: func() time.Time { return p.now }})
	require.NoError(t, err)
	p.boards, err = local.Open(p.e, local.Options{})
	require.NoError(t, err)
}

func (p *place) close(t *testing.T) {
	require.NoError(t, p.boards.Close())
	require.NoError(t, p.e.Close())
}

// usageOf returns the periods of all windows of a board.
func usageOf(t *testing.T, b board.Board) (all []board.Usage) {
	for _, w := range b.Spec().Windows {
		list, err := b.Periods(t.Context(), w.Label())
		require.NoError(t, err)
		all = append(all, list...)
	}
	return all
}

// rows are all rankings of a board, as texts.
func rows(t *testing.T, b board.Board) (list []string) {
	for _, u := range usageOf(t, b) {
		if u.Members == 0 {
			continue
		}
		r, err := b.Period(t.Context(), u.Window, u.Period)
		require.NoError(t, err)
		info, err := r.Info(t.Context())
		require.NoError(t, err)
		list = append(list, fmt.Sprintf("%s %s closed %t, %d members", u.Window, u.Period, info.Closed, u.Members))
		top, err := r.Top(t.Context(), 10_000)
		require.NoError(t, err)
		for _, row := range top {
			list = append(list, fmt.Sprintf("%d %s %s %d", row.Rank, row.Member, row.Score, row.Reached.UnixMicro()))
		}
	}
	return list
}

func graced(w board.Window, d time.Duration) board.Window {
	w.Grace = window.Duration(d)
	return w
}

var specs = map[string]board.Spec{
	"best":      {Name: "arena", Windows: []board.Window{board.All, board.Day, board.Week}},
	"sum":       {Name: "arena", Op: board.Sum, Windows: []board.Window{board.All, graced(board.Day, 36*time.Hour), board.Week}},
	"race":      {Name: "arena", Columns: []board.Column{{Order: board.Asc, Kind: board.Float64}}, Windows: []board.Window{board.All, board.Day, board.Week}},
	"by member": {Name: "arena", Ties: board.ByMember, Windows: []board.Window{board.All, board.Day, board.Week}},
}

// fill submits results on 24 days.
func fill(t *testing.T, there *place, b board.Board, rng *rand.Rand) {
	for day := range 24 {
		if day > 0 {
			there.now = there.now.AddDate(0, 0, 1)
		}
		_, err := there.boards.CloseDue(t.Context())
		require.NoError(t, err)
		for i := range 20 {
			_, err := b.Submit(t.Context(), board.Submission{Member: fmt.Sprintf("m%02d-%d", i, day%3), Score: board.Ints(int64(rng.IntN(6))), At: there.now.Add(time.Duration(i) * time.Second)})
			require.NoError(t, err)
		}
	}
}

// copyAll gives a loader all rankings of a board.
func copyAll(t *testing.T, b board.Board, here *place, spec board.Spec) *load.Loader {
	l, err := load.New(t.Context(), here.boards, spec, here.now)
	require.NoError(t, err)
	for _, u := range usageOf(t, b) {
		r, err := b.Period(t.Context(), u.Window, u.Period)
		require.NoError(t, err)
		top, err := r.Top(t.Context(), 10_000)
		require.NoError(t, err)
		var entries []load.Entry
		for _, row := range top {
			entries = append(entries, load.Entry{Member: row.Member, Score: row.Score, Reached: row.Reached})
		}
		c, err := l.Calendar(u.Window)
		require.NoError(t, err)
		p, err := c.Parse(u.Period)
		require.NoError(t, err)
		require.NoError(t, l.Add(t.Context(), u.Window, p, entries))
		require.ErrorIs(t, l.Add(t.Context(), u.Window, p, entries), load.ErrPeriod)
	}
	return l
}

// TestLoadIsSubmit loads what another engine was given by submissions, day after day, and compares all rankings, also after further submissions and after opening again.
func TestLoadIsSubmit(t *testing.T) {
	for name, spec := range specs {
		t.Run(name, func(t *testing.T) {
			start := time.Date(2026, 11, 2, 12, 0, 0, 0, time.UTC)
			there, rng := newPlace(t, start), rand.New(rand.NewPCG(1, 2))
			b, err := there.boards.Define(t.Context(), spec)
			require.NoError(t, err)
			fill(t, there, b, rng)
			here := newPlace(t, there.now)
			l := copyAll(t, b, here, spec)
			none, err := here.boards.Names(t.Context())
			require.NoError(t, err)
			require.Empty(t, none)
			_, err = l.Finish(t.Context())
			require.NoError(t, err)
			loaded, err := here.boards.Board(t.Context(), "arena")
			require.NoError(t, err)
			require.Equal(t, rows(t, b), rows(t, loaded))
			for range 2 {
				for _, x := range []board.Board{b, loaded} {
					_, err := x.Submit(t.Context(), board.Submission{Member: "late", Score: board.Ints(1), At: start})
					require.ErrorIs(t, err, board.ErrPeriodClosed)
				}
				for i := range 30 {
					there.now, here.now = there.now.Add(5*time.Hour), here.now.Add(5*time.Hour)
					sub := board.Submission{Member: fmt.Sprintf("m%02d-%d", i%20, i%3), Score: board.Ints(int64(rng.IntN(6)))}
					want, err := b.Submit(t.Context(), sub)
					require.NoError(t, err)
					got, err := loaded.Submit(t.Context(), sub)
					require.NoError(t, err)
					require.Equal(t, fmt.Sprint(want), fmt.Sprint(got))
				}
				for _, x := range []*place{there, here} {
					_, err := x.boards.CloseDue(t.Context())
					require.NoError(t, err)
				}
				require.Equal(t, rows(t, b), rows(t, loaded))
				report, err := here.boards.Check(t.Context(), nil)
				require.NoError(t, err)
				require.Empty(t, report.Problems)
				here.close(t)
				here.open(t)
				loaded, err = here.boards.Board(t.Context(), "arena")
				require.NoError(t, err)
			}
			here.close(t)
			there.close(t)
		})
	}
}

func TestRefused(t *testing.T) {
	p := newPlace(t, time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC))
	defer p.close(t)
	for _, spec := range []board.Spec{{Name: "k", Op: board.BestOf, K: 3}, {Name: "r", Windows: []board.Window{{Kind: window.Rolling, Span: window.Duration(time.Hour)}}}} {
		_, err := load.New(t.Context(), p.boards, spec, p.now)
		require.ErrorIs(t, err, load.ErrSpec)
	}
	_, err := load.New(t.Context(), p.boards, board.Spec{Name: "j", Journal: 5}, p.now)
	require.ErrorIs(t, err, board.ErrImmovable)
	_, err = p.boards.Define(t.Context(), board.Spec{Name: "there"})
	require.NoError(t, err)
	_, err = load.New(t.Context(), p.boards, board.Spec{Name: "there"}, p.now)
	require.ErrorIs(t, err, board.ErrBoardExists)
	l, err := load.New(t.Context(), p.boards, board.Spec{Name: "new", Windows: []board.Window{board.Day}}, p.now)
	require.NoError(t, err)
	c, err := l.Calendar("day")
	require.NoError(t, err)
	day, err := c.Parse("2026-11-27")
	require.NoError(t, err)
	require.ErrorIs(t, l.Add(t.Context(), "day", day, nil), load.ErrPeriod)
	day, err = c.Parse("2026-11-26")
	require.NoError(t, err)
	require.ErrorIs(t, l.Add(t.Context(), "week", day, nil), board.ErrNoWindow)
	require.ErrorIs(t, l.Add(t.Context(), "day", day, []load.Entry{{Score: board.Ints(1)}}), board.ErrMember)
	require.ErrorContains(t, l.Add(t.Context(), "day", day, []load.Entry{{Member: "a", Score: board.Floats(1.5)}}), `member "a"`)
	require.NoError(t, l.Discard(t.Context()))
	l, err = load.New(t.Context(), p.boards, board.Spec{Name: "new"}, p.now)
	require.NoError(t, err)
	_, err = l.Finish(t.Context())
	require.NoError(t, err)
}

// TestEquals: entries with the same score and the same time stand in the order in which they were added, after later submissions too.
func TestEquals(t *testing.T) {
	p := newPlace(t, time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC))
	defer p.close(t)
	l, err := load.New(t.Context(), p.boards, board.Spec{Name: "arena"}, p.now)
	require.NoError(t, err)
	c, err := l.Calendar("all")
	require.NoError(t, err)
	all, err := c.Parse("all")
	require.NoError(t, err)
	var entries []load.Entry
	for _, m := range []string{"c", "a", "d", "b"} {
		entries = append(entries, load.Entry{Member: m, Score: board.Ints(5), Reached: p.now})
	}
	require.NoError(t, l.Add(t.Context(), "all", all, entries))
	_, err = l.Finish(t.Context())
	require.NoError(t, err)
	b, err := p.boards.Board(t.Context(), "arena")
	require.NoError(t, err)
	_, err = b.Submit(t.Context(), board.Submission{Member: "A", Score: board.Ints(5), At: p.now})
	require.NoError(t, err)
	r, err := b.Live(t.Context(), "all")
	require.NoError(t, err)
	top, err := r.Top(t.Context(), 10)
	require.NoError(t, err)
	order := ""
	for _, row := range top {
		order += row.Member
	}
	require.Equal(t, "cadbA", order)
}
