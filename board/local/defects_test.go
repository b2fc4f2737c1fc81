package local

import (
	"fmt"
	"math"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/closing"
	"github.com/zrankdb/zrank/board/window"
	"github.com/zrankdb/zrank/engine"
)

// The tests of this file check defects of other leaderboards: of submissions, removal and periods. Those of reads are in ranking_bugs_test.go,
// those of scores in package rules, those of calendars in package window.

// TestDefectDeleteThenLateWrite (Nakama's rank cache): a write that began before a removal and ends after it does not restore the removed
// entry.
func TestDefectDeleteThenLateWrite(t *testing.T) {
	g := newGame(t, true)
	b := g.define(board.Spec{Name: "arena", Op: board.Sum, MaxMeta: 5, Windows: []board.Window{board.All, board.Day}})
	_, err := b.Submit(t.Context(), board.Submission{Member: "ada", Score: board.Ints(100), Meta: []byte("M"), Once: "game 1"})
	require.NoError(t, err)
	removed, err := b.Remove(t.Context(), "ada")
	require.NoError(t, err)
	require.Len(t, removed, 2)
	require.Equal(t, board.Ints(100), removed[0].Row.Score)
	c, err := b.Submit(t.Context(), board.Submission{Member: "ada", Score: board.Ints(100), Once: "game 1"}) // the retry is late
	require.NoError(t, err)
	require.True(t, c.Duplicate)
	require.Equal(t, "", g.live(b, "all"))
	c = g.score(b, "ada", 1)
	require.False(t, c.Ranked)
	for _, w := range []string{"all", "day"} {
		require.Equal(t, "ada 1", g.live(b, w), "a submission after that is its first, without metadata")
	}
	var wg sync.WaitGroup
	for i := range howMany(200) {
		wg.Go(func() { g.score(b, "bob", 1) })
		_, err := b.Remove(t.Context(), "bob")
		require.NoError(t, err)
		wg.Wait()
		all, day := g.live(b, "all"), g.live(b, "day")
		require.Equal(t, all, day, "in every window or in none: round %d", i)
	}
}

// TestDefectTwoFirstWrites (Nakama's upsert): two first submissions of a member at once are both counted.
func TestDefectTwoFirstWrites(t *testing.T) {
	g := newGame(t, true)
	b := g.define(counting("arena", board.All, board.Hour))
	n := howMany(300)
	for i := range n {
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() { g.score(b, fmt.Sprint("m", i), 1) })
		}
		wg.Wait()
	}
	r, err := b.Live(t.Context(), "all")
	require.NoError(t, err)
	rows, err := r.Top(t.Context(), n+1)
	require.NoError(t, err)
	require.Len(t, rows, n)
	require.Equal(t, board.Ints(3), rows[0].Score)
	require.Equal(t, board.Ints(3), rows[n-1].Score)
	t.Logf("%d members, 3 first submissions each at once: none was lost", n)
}

// TestDefectUpdateDuringLoad (Nakama's ghost entries): with submissions and a removal while a board is loaded from the disk, each member is
// ranked once, and the removed one is not.
func TestDefectUpdateDuringLoad(t *testing.T) {
	g := newGame(t, true)
	b := g.define(counting("arena"))
	for i := range 500 {
		g.score(b, fmt.Sprint("m", i), int64(i))
	}
	for range 5 {
		require.NoError(t, g.e.Snapshot())
		g.reopen()
		b = g.board("arena")
		var wg sync.WaitGroup
		for who := range 4 {
			wg.Go(func() {
				for i := who; i < 500; i += 25 {
					g.score(b, fmt.Sprint("m", i), 1)
				}
			})
		}
		_, err := b.Remove(t.Context(), "m499")
		require.NoError(t, err)
		wg.Wait()
		r, err := b.Live(t.Context(), "all")
		require.NoError(t, err)
		n, err := r.Len(t.Context())
		require.NoError(t, err)
		require.Equal(t, 499, n)
	}
}

// TestDefectAddZero (Nakama #384): adding 0 moves no member behind its equals, and changes nothing.
func TestDefectAddZero(t *testing.T) {
	g := newGame(t, false)
	b := g.define(counting("arena", board.All, board.Day))
	g.score(b, "ada", 5)
	g.jump(time.Second)
	g.score(b, "bob", 5)
	g.jump(time.Second)
	c := g.score(b, "ada", 0)
	require.Equal(t, board.Move{Window: "all", Period: "all", Ranked: true, Before: c.Before, After: c.Before, Len: 2}, c.Move)
	require.Equal(t, "ada 5, bob 5", g.live(b, "all"))
	c = g.score(b, "cyd", 0)
	require.True(t, c.Improved, "a first 0 is a score")
	require.Equal(t, 3, c.After.Rank)
	c = g.score(b, "dan", -1)
	require.Equal(t, 4, c.After.Rank)
}

// TestDefectExtremes (FDB #776, 2^33 and 2^53): every int64 is a valid score, ascending and descending.
func TestDefectExtremes(t *testing.T) {
	values := []int64{math.MinInt64, math.MinInt64 + 1, -1, 0, 1 << 33, 1<<53 - 1, 1 << 53, 1<<53 + 1, math.MaxInt64 - 1, math.MaxInt64}
	for _, order := range []board.Order{board.Asc, board.Desc} {
		g := newGame(t, true)
		b := g.define(board.Spec{Name: "arena", Op: board.Last, Columns: []board.Column{{Order: order}}})
		want := ""
		for i := range values {
			g.score(b, fmt.Sprint("m", i), values[i])
			if order == board.Desc {
				i = len(values) - 1 - i
			}
			want += fmt.Sprintf(", m%d %d", i, values[i])
		}
		require.Equal(t, want[2:], g.live(b, "all"))
		g.reopen()
		require.Equal(t, want[2:], g.live(g.board("arena"), "all"))
	}
}

// TestDefectResetOnce (Nakama's changelog): a reset exactly on a second fires once, and the second itself belongs to the next period.
func TestDefectResetOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGame(t, true)
		b := g.define(counting("arena", board.Day))
		g.score(b, "ada", 1)
		g.to("2026-11-21 00:00:00")
		require.Equal(t, "2026-11-21", g.score(b, "ada", 1).Period)
		for range 3 {
			time.Sleep(2 * closing.MaxSleep)
			synctest.Wait()
			g.closeDue(0)
			g.reopen()
		}
		require.Equal(t, []string{"period closed arena day 2026-11-20 1"}, g.logged.take())
	})
}

// TestDefectPreviousRanks (Nakama #2353): the ranks of a closed period are exact, can be read at once, and do not change.
func TestDefectPreviousRanks(t *testing.T) {
	g := newGame(t, true)
	b := g.define(counting("arena", board.Day))
	for i := range 10 {
		g.score(b, fmt.Sprint("m", i), int64(i))
	}
	g.jump(24 * time.Hour)
	g.closeDue(1)
	g.score(b, "m0", 100)
	r, err := b.LastClosed(t.Context(), "day")
	require.NoError(t, err)
	row, ok, err := r.Rank(t.Context(), "m0")
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, 10, row.Rank)
	require.Equal(t, board.Info{Board: "arena", Window: "day", Period: "2026-11-20", Closed: true, Start: noon(-36), End: noon(-12), ClosedAt: noon(0)}, infoOf(r))
	live, err := b.Live(t.Context(), "day")
	require.NoError(t, err)
	n, err := live.Len(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, n, "closed rows do not count (Talo #97)")
	g.reopen()
	again, err := g.board("arena").LastClosed(t.Context(), "day")
	require.NoError(t, err)
	require.Equal(t, infoOf(r), infoOf(again))
}

// TestDefectResubmission (RAWeb #2511): a removed member that plays again is ranked by its new score.
func TestDefectResubmission(t *testing.T) {
	g := newGame(t, false)
	b := g.define(board.Spec{Name: "arena", Windows: []board.Window{board.All, board.Day}, BestRanks: true})
	g.score(b, "ada", 9)
	g.score(b, "bob", 5)
	_, err := b.Remove(t.Context(), "ada")
	require.NoError(t, err)
	c := g.score(b, "ada", 3)
	require.Equal(t, 2, c.After.Rank)
	require.Equal(t, "bob 5, ada 3", g.live(b, "day"))
	best, ok, err := b.BestRank(t.Context(), "all", "ada")
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, 1, best, "the best rank ever")
	_, err = b.Remove(t.Context(), "nobody")
	require.NoError(t, err)
}

// TestDefect2038: the second in which 32 bits overflow is like any other.
func TestDefect2038(t *testing.T) {
	g := newGame(t, true)
	g.to("2038-01-19 03:14:06")
	b := g.define(counting("arena", board.Window{Kind: window.Every, Every: window.Duration(time.Second)}, board.Day))
	for i := range 4 {
		g.score(b, "ada", 1)
		g.jump(time.Second)
		g.closeDue(1)
		r, err := b.LastClosed(t.Context(), "every")
		require.NoError(t, err)
		require.Equal(t, fmt.Sprintf("2038-01-19T03:14:%02dZ", 6+i), infoOf(r).Period)
	}
	g.reopen()
	require.Equal(t, "ada 4", g.live(g.board("arena"), "day"))
}

// TestDefectUnstored (a client that read ranks while the server was warming up): nobody sees the changes of a transaction that fails.
func TestDefectUnstored(t *testing.T) {
	g := newGame(t, true)
	b, other := g.define(counting("arena", board.All, board.Day)), g.define(counting("givers"))
	sub := board.Submission{Member: "ada", Score: board.Ints(1), At: g.clock.Now(), Once: "x"}
	keys, err := hintsOf(b).Submit(t.Context(), nil, sub)
	require.NoError(t, err)
	keys, err = hintsOf(other).Submit(t.Context(), keys, sub)
	require.NoError(t, err)
	for _, fail := range []error{errChanged, nil} {
		err = g.e.Update(t.Context(), func(tx *engine.Tx) error {
			for _, arena := range []board.Board{b, other} {
				if _, err := in(arena, tx).Submit(sub); err != nil {
					return err
				}
			}
			if err := tx.Put("coins", []byte("9")); err != nil {
				return err
			}
			return fail
		}, keys...)
		require.ErrorIs(t, err, fail)
		want := "ada 1"
		if fail != nil {
			want = ""
		}
		require.Equal(t, []string{want, want, want}, []string{g.live(b, "all"), g.live(b, "day"), g.live(other, "all")})
	}
}
