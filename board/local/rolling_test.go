package local

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/window"
	"github.com/zrankdb/zrank/engine"
)

const us = time.Microsecond

// rolled defines a board with one window of the last ten seconds, called w.
func (g *game) rolled(op board.Op, windows ...board.Window) board.Board {
	g.t.Helper()
	return g.define(board.Spec{Name: "arena", Op: op, MaxMeta: 10, Windows: append([]board.Window{board.Rolling("w", 10*time.Second)}, windows...)})
}

// TestRollingMicrosecond: a result is in the window until the last microsecond of its span, whichever call comes then.
func TestRollingMicrosecond(t *testing.T) {
	for op, want := range map[board.Op][]string{
		board.Sum:   {"ada 9, bob 1", "ada 7, bob 1", "ada 4, bob 1", "bob 1", ""},
		board.Best:  {"ada 4, bob 1", "ada 4, bob 1", "ada 4, bob 1", "bob 1", ""},
		board.Max:   {"ada 4, bob 1", "ada 4, bob 1", "ada 4, bob 1", "bob 1", ""},
		board.Min:   {"ada 2, bob 1", "ada 3, bob 1", "ada 4, bob 1", "bob 1", ""},
		board.Last:  {"ada 4, bob 1", "ada 4, bob 1", "ada 4, bob 1", "bob 1", ""},
		board.First: {"ada 2, bob 1", "ada 3, bob 1", "ada 4, bob 1", "bob 1", ""},
	} {
		g := newGame(t, false)
		b := g.rolled(op)
		for _, n := range []int64{2, 3, 4} {
			g.score(b, "ada", n)
			g.jump(us)
		}
		g.score(b, "bob", 1)
		g.jump(10*time.Second - 4*us)
		require.Equal(t, want[0], g.live(b, "w"), op)
		for i := range 4 {
			g.jump(us)
			require.Equal(t, want[1+i], g.live(b, "w"), "%s, %d", op, i)
			require.Equal(t, 1, g.checkRolling())
		}
		require.Empty(t, g.sets(), "no set is left")
	}
}

// TestRollingMax: when the best result leaves, the next best takes its place, and brings its time.
func TestRollingMax(t *testing.T) {
	g := newGame(t, true)
	b := g.rolled(board.Max)
	for _, n := range []int64{5, 9, 7, 3, 6} {
		g.score(b, "ada", n)
		g.jump(time.Second)
	}
	r, err := b.Live(t.Context(), "w")
	require.NoError(t, err)
	noon := g.clock.Now().Add(-5 * time.Second)
	for _, want := range []struct {
		score  int64
		second int
	}{{9, 1}, {7, 2}, {6, 4}} {
		row, ok, err := r.Rank(t.Context(), "ada")
		require.NoError(t, err)
		require.True(t, ok)
		at := noon.Add(time.Duration(want.second) * time.Second)
		require.Equal(t, board.Row{Rank: 1, Member: "ada", Score: board.Ints(want.score), Reached: at.UTC()}, row)
		next, ok, err := b.NextChange(t.Context(), "w", "ada")
		require.NoError(t, err)
		require.True(t, ok)
		require.True(t, at.Add(10*time.Second).Equal(next), next)
		g.clock.Set(next.Add(-us))
		_, _, err = r.Rank(t.Context(), "ada")
		require.NoError(t, err)
		g.reopen()
		b = g.board("arena")
		r, err = b.Live(t.Context(), "w")
		require.NoError(t, err)
		g.jump(us)
	}
	_, ok, err := b.NextChange(t.Context(), "w", "ada")
	require.NoError(t, err)
	require.False(t, ok)
	require.Empty(t, g.live(b, "w"))
}

// TestRollingComputed: of results with a computed column the better one counts.
func TestRollingComputed(t *testing.T) {
	g := newGame(t, true)
	b := g.define(board.Spec{Name: "arena", Windows: []board.Window{board.Rolling("w", 10*time.Second)},
		Columns: []board.Column{{Name: "double", Of: map[string]board.Value{"points": board.Int(2)}}, {Name: "points"}}})
	for _, n := range []int64{3, 5, 4} {
		g.score(b, "ada", n)
		g.jump(time.Second)
	}
	r, err := b.Live(t.Context(), "w")
	require.NoError(t, err)
	for i, want := range []int64{5, 4} {
		score, _, err := r.Score(t.Context(), "ada")
		require.NoError(t, err)
		require.Equal(t, board.Ints(2*want, want), score)
		g.checkRolling()
		g.jump(time.Duration(8+i) * time.Second)
	}
}

// TestRollingLate: a result that has left already is refused, one of the future counts at once and until its span is over, and a retry with a
// Once key counts once for as long as the key is known.
func TestRollingLate(t *testing.T) {
	g := newGame(t, false)
	b := g.rolled(board.Sum, board.All)
	submit := func(at time.Duration, once string) error {
		return errorOf(b.Submit(t.Context(), board.Submission{Member: "ada", Score: board.Ints(1), At: g.clock.Now().Add(at), Once: once}))
	}
	require.NoError(t, submit(us-10*time.Second, "one"))
	err := submit(-10*time.Second, "two")
	closed := new(board.PeriodClosedError)
	require.ErrorAs(t, err, &closed)
	require.Equal(t, board.PeriodClosedError{Board: "arena", Window: "w", Period: "all", At: g.clock.Now().Add(-10 * time.Second), Live: "all"}, *closed)
	require.Equal(t, "ada 1", g.live(b, "all"), "a refused result changes no window")
	g.jump(us)
	require.Empty(t, g.live(b, "w"))
	require.NoError(t, submit(us-11*time.Second, "one"), "a duplicate is no late result")
	require.NoError(t, submit(time.Second, ""))
	g.jump(11*time.Second - us)
	require.Equal(t, "ada 1", g.live(b, "w"))
	g.jump(us)
	require.Empty(t, g.live(b, "w"))
	until, ok, err := b.Deadline(t.Context(), g.clock.Now())
	require.NoError(t, err)
	require.True(t, ok && until.Equal(g.clock.Now().Add(10*time.Second)))
	_, err = b.CloseNow(t.Context(), "w")
	require.ErrorIs(t, err, board.ErrNoEnd)
	_, ok, err = b.NextReset(t.Context(), "w")
	require.NoError(t, err)
	require.False(t, ok)
}

// rollingReads are the calls that read a rolling window. They return errNone, ErrNoPeriod or ErrNotRanked if it is empty.
func rollingReads(t *testing.T) map[string]func(*game, board.Board) error {
	ctx := context.Background()
	return map[string]func(*game, board.Board) error{
		"Period": func(_ *game, b board.Board) error { return errorOf(b.Period(ctx, "w", "all")) },
		"Latest": func(_ *game, b board.Board) error { return errorOf(b.Latest(ctx, "w")) },
		"Usage":  func(_ *game, b board.Board) error { u, err := usageOf(b); return none(len(u), err) },
		"Live": func(_ *game, b board.Board) error {
			r, err := b.Live(ctx, "w")
			require.NoError(t, err)
			n, err := r.Len(ctx)
			return none(n, err)
		},
		"View": func(_ *game, b board.Board) error {
			r, err := b.Live(ctx, "w")
			require.NoError(t, err)
			return r.View(ctx, func(r board.Ranking) error { n, err := r.Len(ctx); return none(n, err) })
		},
		"Pin": func(_ *game, b board.Board) error {
			r, err := b.Live(ctx, "w")
			require.NoError(t, err)
			pinned, err := r.Pin(ctx)
			require.NoError(t, err)
			n, err := pinned.Len(ctx)
			return none(n, err)
		},
		"SaveBaseline": func(_ *game, b board.Board) error {
			require.NoError(t, b.SaveBaseline(ctx, "w", "x"))
			names, err := b.Baselines(ctx, "w")
			return none(len(names), err)
		},
		"NextChange": func(_ *game, b board.Board) error {
			_, ok, err := b.NextChange(ctx, "w", "ada")
			return none(map[bool]int{true: 1}[ok], err)
		},
		"SetMeta": func(_ *game, b board.Board) error { return b.SetMeta(ctx, "w", "ada", []byte("m")) },
		"Remove": func(_ *game, b board.Board) error {
			removed, err := b.Remove(ctx, "ada")
			return none(len(removed), err)
		},
		"Submit": func(g *game, b board.Board) error {
			return none(g.score(b, "bob", 1).Len-1, nil)
		},
		"InTx": func(g *game, b board.Board) error {
			sub := board.Submission{Member: "ada", Score: board.Ints(1), At: g.clock.Now().Add(-us)}
			keys, err := hintsOf(b).Submit(ctx, nil, sub)
			require.NoError(t, err)
			return g.e.Update(ctx, func(tx *engine.Tx) error {
				c, err := in(b, tx).Submit(sub)
				return none(c.Before.Rank, err)
			}, keys...)
		},
	}
}

// TestRollingEveryRead: each call that reads finds a result gone that has just left, by itself.
func TestRollingEveryRead(t *testing.T) {
	for name, read := range rollingReads(t) {
		g := newGame(t, false)
		b := g.rolled(board.Sum)
		g.score(b, "ada", 5)
		g.jump(10*time.Second - us)
		require.NoError(t, read(g, b), name)
		g = newGame(t, false)
		b = g.rolled(board.Sum)
		g.score(b, "ada", 5)
		g.jump(10 * time.Second)
		err := read(g, b)
		require.True(t, errors.Is(err, errNone) || errors.Is(err, board.ErrNoPeriod) || errors.Is(err, board.ErrNotRanked), "%s: %v", name, err)
	}
}

var errNone = errors.New("there is nothing")

// none returns errNone if a number is 0.
func none(n int, err error) error {
	if err == nil && n == 0 {
		return errNone
	}
	return err
}

// TestRollingSameTime: results of the same microsecond count each, also with equal scores, and are stored as one.
func TestRollingSameTime(t *testing.T) {
	g := newGame(t, false)
	b := g.rolled(board.Sum)
	g.score(b, "ada", 100)
	g.jump(us)
	want := int64(100)
	for _, n := range []int64{5, 5, 10, -20, 0, 0, 7, 2, 9} {
		g.score(b, "ada", n)
		want += n
		require.Equal(t, fmt.Sprintf("ada %d", want), g.live(b, "w"))
		g.checkRolling()
	}
	u, _, err := g.e.Usage("board/arena/.results.w/all/v1")
	require.NoError(t, err)
	require.Equal(t, 2, u.Members)
	g.jump(10*time.Second - us)
	require.Equal(t, "ada 18", g.live(b, "w"))
	g.jump(us)
	require.Empty(t, g.live(b, "w"))
}

// TestRollingEndsTogether: results of the same time whose sum is out of range are stored beside each other.
func TestRollingEndsTogether(t *testing.T) {
	g := newGame(t, false)
	b := g.rolled(board.Sum)
	submit := func(score int64, at time.Duration) {
		_, err := b.Submit(t.Context(), board.Submission{Member: "ada", Score: board.Ints(score), At: g.clock.Now().Add(at)})
		require.NoError(t, err)
		g.checkRolling()
	}
	const half = math.MaxInt64/2 + 1
	for range 5 {
		submit(half, 0)
		submit(-half, us)
	}
	require.Equal(t, "ada 0", g.live(b, "w"))
	g.jump(10 * time.Second)
	require.Equal(t, "ada -9223372036854775808", g.live(b, "w"))
	g.jump(us)
	require.Empty(t, g.live(b, "w"))
	require.Empty(t, g.sets())
}

// TestRollingEnds: a sum that results leave out of the range of int64 is at its end, and takes no more results until it is back.
func TestRollingEnds(t *testing.T) {
	g := newGame(t, false)
	b := g.rolled(board.Sum)
	for _, n := range []int64{-math.MaxInt64, math.MaxInt64, 5, -3} {
		g.score(b, "ada", n)
		g.jump(time.Second)
	}
	require.Equal(t, "ada 2", g.live(b, "w"))
	g.jump(6 * time.Second)
	require.Equal(t, "ada 9223372036854775807", g.live(b, "w"))
	_, err := b.Submit(t.Context(), board.Submission{Member: "ada", Score: board.Ints(-100)})
	require.ErrorIs(t, err, board.ErrOverflow)
	g.jump(time.Second)
	require.Equal(t, "ada 2", g.live(b, "w"))
	g.score(b, "ada", 1)
	require.Equal(t, "ada 3", g.live(b, "w"))
	g.jump(time.Second)
	require.Equal(t, "ada -2", g.live(b, "w"))
}

// TestRollingMeta: an entry's metadata goes with it, and a removed member's results do not come back.
func TestRollingMeta(t *testing.T) {
	g := newGame(t, true)
	b := g.rolled(board.Best)
	_, err := b.Submit(t.Context(), board.Submission{Member: "ada", Score: board.Ints(5), Meta: []byte("m")})
	require.NoError(t, err)
	g.jump(time.Second)
	g.score(b, "ada", 3)
	require.Equal(t, `ada 5 "m"`, g.live(b, "w"))
	g.jump(9 * time.Second)
	require.Equal(t, `ada 3 "m"`, g.live(b, "w"), "the metadata is the entry's")
	removed, err := b.Remove(t.Context(), "ada")
	require.NoError(t, err)
	require.Len(t, removed, 1)
	g.score(b, "ada", 1)
	require.Equal(t, "ada 1", g.live(b, "w"))
	g.jump(10 * time.Second)
	require.Empty(t, g.live(b, "w"))
	require.Empty(t, g.privates("board.meta"))
}

// TestRollingMigrate: a migration keeps the results of a rolling window, begins new ones, and refuses other rules with an error that names them.
func TestRollingMigrate(t *testing.T) {
	g := newGame(t, true)
	b := g.rolled(board.Sum, board.All)
	g.score(b, "ada", 5)
	g.jump(time.Second)
	g.score(b, "ada", 2)
	spec := b.Spec()
	spec.Op = board.Best
	_, err := g.bs.Migrate(context.Background(), spec)
	require.ErrorIs(t, err, board.ErrSpec)
	require.ErrorContains(t, err, `window w keeps its results as they are, give it another name: op is sum, not best`)
	spec = b.Spec()
	spec.BestRanks, spec.Windows = true, append(spec.Windows, board.Rolling("minute", time.Minute))
	g.migrate(spec)
	require.Equal(t, "ada 7", g.live(b, "w"))
	require.Empty(t, g.live(b, "minute"), "a new window is empty")
	g.powerCut(0, 1)
	b = g.board("arena")
	g.jump(9 * time.Second)
	require.Equal(t, "ada 2", g.live(b, "w"))
	spec.Windows = []board.Window{board.All}
	g.migrate(spec)
	require.Equal(t, []string{"board/arena/.best.all/all/v1", "board/arena/all/all/v3"}[1:], g.sets())
	require.NoError(t, g.bs.Drop(t.Context(), "arena"))
	require.Empty(t, g.sets())
}

// TestRollingBuckets: results of one bucket leave together, and take the space of one.
func TestRollingBuckets(t *testing.T) {
	g := newGame(t, false)
	g.to("2026-11-20 12:00:59")
	b := g.define(board.Spec{Name: "arena", Op: board.Sum, Windows: []board.Window{{Name: "w", Kind: window.Rolling, Span: window.Duration(time.Hour), Bucket: window.Duration(time.Minute)}}})
	g.score(b, "ada", 1)
	g.jump(time.Second)
	for range 60 {
		g.score(b, "ada", 1)
		g.jump(time.Second)
	}
	require.Equal(t, "ada 61", g.live(b, "w"))
	u, ok, err := g.e.Usage("board/arena/.results.w/all/v1")
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, 2, u.Members)
	g.to("2026-11-20 13:00:59")
	require.Equal(t, "ada 61", g.live(b, "w"))
	g.to("2026-11-20 13:01:00")
	require.Equal(t, "ada 60", g.live(b, "w"))
	g.to("2026-11-20 13:01:59")
	require.Equal(t, "ada 60", g.live(b, "w"))
	g.to("2026-11-20 13:02:00")
	require.Empty(t, g.live(b, "w"))
}
