package local

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/window"
	"github.com/zrankdb/zrank/engine"
)

// refusals are calls that return errors. b is the board arena with the window Day; the board cup has an event that is over.
var refusals = []struct {
	name string
	call func(g *game, b board.Board) error
	want error
	text string // in the error's text
}{
	{"no member", submits(board.Submission{Score: board.Ints(1)}), board.ErrMember, `empty or longer than 1 KiB: "arena"`},
	{"long member", submits(board.Submission{Member: strings.Repeat("m", board.MaxMember+1), Score: board.Ints(1)}), board.ErrMember, "arena"},
	{"long once", submits(board.Submission{Member: "ada", Score: board.Ints(1), Once: strings.Repeat("o", board.MaxOnce+1)}), board.ErrOnce, "arena"},
	{"long meta", submits(board.Submission{Member: "ada", Score: board.Ints(1), Meta: make([]byte, 11)}), board.ErrMeta, "11 bytes, want at most 10"},
	{"near", submits(board.Submission{Member: "ada", Score: board.Ints(1), Near: -1}), board.ErrCount, "Near is -1"},
	{"condition", submits(board.Submission{Member: "ada", Score: board.Ints(1), If: board.IfBetter + 1}), board.ErrCondition, `want new, ranked or better: "arena"`},
	{"columns", submits(board.Submission{Member: "ada", Score: board.Ints(1, 2)}), board.ErrColumns, `2, want 1: "arena", member "ada"`},
	{"no score", submits(board.Submission{Member: "ada"}), board.ErrColumns, "0, want 1"},
	{"kind", submits(board.Submission{Member: "ada", Score: board.Floats(1.5)}), board.ErrKind, `1.5 in column "points": "arena", member "ada"`},
	{"infinite", submits(board.Submission{Member: "ada", Score: board.Floats(1 / zero)}), board.ErrNotFinite, "points"},
	{"not a number", submits(board.Submission{Member: "ada", Score: board.Floats(zero / zero)}), board.ErrNotFinite, "points"},
	{"bounds", submits(board.Submission{Member: "ada", Score: board.Ints(101)}), board.ErrBounds, `104 in column "points", want -9..100`},
	{"overflow", submits(board.Submission{Member: "ada", Score: board.Ints(1<<63 - 1)}), board.ErrOverflow, "points"},
	{"if better", submits(board.Submission{Member: "ada", Score: board.Ints(1, 2), If: board.IfBetter}), board.ErrColumns, "arena"},
	{"closed", submits(board.Submission{Member: "ada", Score: board.Ints(1), At: noon(-24)}), board.ErrPeriodClosed, `2026-11-20 of "arena", window day, for a result of 2026-11-20T12:00:00Z; 2026-11-21 is live`},
	{"future", submits(board.Submission{Member: "ada", Score: board.Ints(1), At: noon(24)}), board.ErrTime, `2026-11-22 of "arena" begins at 2026-11-22T00:00:00Z, and it is 2026-11-21T12:00:00Z`},
	{"year 10000", submits(board.Submission{Member: "ada", Score: board.Ints(1), At: time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)}), board.ErrTime, "arena"},
	{"outside", func(g *game, _ board.Board) error {
		_, err := g.board("cup").Submit(context.Background(), board.Submission{Member: "ada", Score: board.Ints(1)})
		return err
	}, board.ErrOutside, "event ended 2026-11-20T00:00:00Z"},
	{"no window", func(_ *game, b board.Board) error { _, err := b.Live(context.Background(), "week"); return err }, board.ErrNoWindow, `"arena" has day, not "week"`},
	{"period's name", func(_ *game, b board.Board) error {
		_, err := b.Period(context.Background(), "day", "yesterday")
		return err
	}, board.ErrPeriodName, `"yesterday"; its periods are named like 2026-11-20`},
	{"no period", func(_ *game, b board.Board) error {
		_, err := b.Period(context.Background(), "day", "2026-11-01")
		return err
	}, board.ErrNoPeriod, `2026-11-01 of "arena", window day: nobody has scored in it`},
	{"nothing closed", func(g *game, _ board.Board) error {
		_, err := g.board("cup").LastClosed(context.Background(), "event")
		return err
	}, board.ErrNoPeriod, "cup"},
	{"no end", func(g *game, _ board.Board) error {
		_, err := g.board("ever").CloseNow(context.Background(), "all")
		return err
	}, board.ErrNoEnd, `all of "ever"`},
	{"close now", func(g *game, _ board.Board) error {
		_, err := g.board("cup").CloseNow(context.Background(), "event")
		return err
	}, board.ErrOutside, "cup"},
	{"meta of nobody", func(_ *game, b board.Board) error { return b.SetMeta(context.Background(), "day", "bob", nil) }, board.ErrNotRanked, `"bob" in 2026-11-21 of "arena"`},
	{"too much meta", func(_ *game, b board.Board) error {
		return b.SetMeta(context.Background(), "day", "ada", make([]byte, 11))
	}, board.ErrMeta, "11 bytes"},
	{"meta of no window", func(_ *game, b board.Board) error { return b.SetMeta(context.Background(), "week", "ada", nil) }, board.ErrNoWindow, "week"},
	{"best rank of no window", func(_ *game, b board.Board) error {
		_, _, err := b.BestRank(context.Background(), "week", "ada")
		return err
	}, board.ErrNoWindow, "week"},
	{"baseline", func(g *game, b board.Board) error { return b.SaveBaseline(g.t.Context(), "day", "a/b") }, board.ErrBaseline, `"a/b"`},
	{"no baseline", func(_ *game, b board.Board) error { _, err := b.Baseline(context.Background(), "day", ""); return err }, board.ErrBaseline, `""`},
	{"long baseline", func(_ *game, b board.Board) error {
		return b.DropBaseline(context.Background(), "day", strings.Repeat("b", 65))
	}, board.ErrBaseline, "bbb"},
	{"changed", func(g *game, _ board.Board) error {
		_, err := g.bs.Define(context.Background(), board.Spec{Name: "arena"})
		return err
	}, board.ErrSpecChanged, "op is sum, not best"},
	{"spec", func(g *game, _ board.Board) error {
		_, err := g.bs.Define(context.Background(), board.Spec{Name: "a", Op: "most"})
		return err
	}, board.ErrSpec, "most"},
	{"zone", func(g *game, _ board.Board) error {
		_, err := g.bs.Define(context.Background(), board.Spec{Name: "x", Windows: []board.Window{{Kind: window.Day, TimeZone: "Mars/Olympus"}}})
		return err
	}, board.ErrSpec, "Mars/Olympus"},
	{"no board", func(g *game, _ board.Board) error { _, err := g.bs.Board(context.Background(), "nobody"); return err }, board.ErrNoBoard, `"nobody"`},
	{"keys without time", func(_ *game, b board.Board) error {
		_, err := hintsOf(b).Submit(context.Background(), nil, board.Submission{Member: "ada"})
		return err
	}, board.ErrTime, "wants At"},
	{"transaction", inTx(board.Submission{Member: "ada", Score: board.Ints(1, 2)}), board.ErrColumns, "2, want 1"},
	{"rows", reads(func(r board.Ranking) error { _, err := r.Top(context.Background(), -1); return err }), board.ErrCount, `-1 rows: 2026-11-21 of "arena", window day`},
	{"bins", reads(func(r board.Ranking) error { _, err := r.Histogram(context.Background(), 0); return err }), board.ErrCount, `65536: 2026-11-21 of "arena"`},
	{"gap", reads(func(r board.Ranking) error { _, _, err := r.Gap(context.Background(), "ada", 0); return err }), board.ErrCount, `1: 2026-11-21 of "arena"`},
	{"mode", reads(func(r board.Ranking) error { _, err := r.By(9).Len(context.Background()); return err }), board.ErrMode, `9: 2026-11-21 of "arena"`},
	{"rank of columns", reads(func(r board.Ranking) error { _, err := r.RankOf(context.Background(), board.Ints(1, 2)); return err }), board.ErrColumns, `2, want 1: 2026-11-21 of "arena"`},
	{"arrows against none", reads(func(r board.Ranking) error { _, err := r.Arrows(context.Background(), nil, "ada"); return err }), board.ErrNoPeriod, `none: 2026-11-21 of "arena"`},
	{"open twice", func(g *game, _ board.Board) error { _, err := Open(g.e, Options{}); return err }, board.ErrOpen, "open already"},
}

var zero float64

// noon returns the time of the test's clock plus hours: 2026-11-21 12:00.
func noon(hours int) time.Time { return time.Date(2026, 11, 21, 12+hours, 0, 0, 0, time.UTC) }

// submits returns a call of Submit.
func submits(sub board.Submission) func(*game, board.Board) error {
	return func(_ *game, b board.Board) error {
		_, err := b.Submit(context.Background(), sub)
		return err
	}
}

// reads returns a call that reads the live ranking of the day.
func reads(read func(board.Ranking) error) func(*game, board.Board) error {
	return func(_ *game, b board.Board) error {
		r, err := b.Live(context.Background(), "day")
		if err != nil {
			return err
		}
		return read(r)
	}
}

// inTx returns a call of InTx.Submit in a transaction that names no keys.
func inTx(sub board.Submission) func(*game, board.Board) error {
	return func(g *game, b board.Board) error {
		return g.e.Update(context.Background(), func(tx *engine.Tx) error {
			_, err := in(b, tx).Submit(sub)
			return err
		})
	}
}

// TestRefused makes all refusals: the text of each error names the cause and the place, once, and nothing changes.
func TestRefused(t *testing.T) {
	for _, durable := range []bool{false, true} {
		g := newGame(t, durable)
		b := g.define(board.Spec{Name: "arena", Op: board.Sum, MaxMeta: 10, BestRanks: true, Windows: []board.Window{board.Day}, Columns: []board.Column{{Name: "points", Min: new(board.Int(-9)), Max: new(board.Int(100))}}})
		over := window.Season{Start: noon(-360), End: noon(-36)}
		g.define(board.Spec{Name: "cup", Windows: []board.Window{{Kind: window.Event, Seasons: []window.Season{over}}}})
		g.define(board.Spec{Name: "ever"})
		g.score(b, "ada", 2)
		g.jump(24 * time.Hour)
		g.closeDue(1)
		g.score(b, "ada", 3)
		g.index()
		before, err := dump(g.bs)
		require.NoError(t, err)
		sets, privates, stats := g.sets(), g.privates(""), g.e.DurableSeq()
		for _, r := range refusals {
			err := r.call(g, b)
			require.ErrorIs(t, err, r.want, r.name)
			require.ErrorContains(t, err, r.text, r.name)
			require.Equal(t, 1, strings.Count(err.Error(), r.want.Error()), "%s: said once: %v", r.name, err)
		}
		after, err := dump(g.bs)
		require.NoError(t, err)
		require.Equal(t, before, after)
		require.Equal(t, sets, g.sets())
		require.Equal(t, privates, g.privates(""))
		require.Equal(t, stats, g.e.DurableSeq())
		for _, s := range coreOf(b).State().Timelines {
			require.Len(t, s.OpenSlots(), 1, "a refused submission opens no period")
		}
	}
	t.Logf("%d refusals", 2*len(refusals))
}

// TestRefusedTyped: errors.As finds the fields of typed errors.
func TestRefusedTyped(t *testing.T) {
	g := newGame(t, false)
	b := g.define(board.Spec{Name: "arena", Columns: []board.Column{{Name: "points", Max: new(board.Int(100))}}})
	_, err := b.SubmitAll(t.Context(), []board.Submission{{Member: "ada", Score: board.Ints(1)}, {Member: "bob", Score: board.Ints(101)}})
	batch, score := new(board.BatchError), new(board.ScoreError)
	require.ErrorAs(t, err, &batch)
	require.Equal(t, 1, batch.Index)
	require.ErrorAs(t, err, &score)
	require.Equal(t, "points", score.Name)
	require.Equal(t, board.Int(101), score.Value)
	require.EqualError(t, err, `submission 1: board: value is out of bounds: 101 in column "points", want ..100: "arena", member "bob"`)
	require.Equal(t, "", g.live(b, "all"))
	changes, err := b.SubmitAll(t.Context(), nil)
	require.NoError(t, err)
	require.Empty(t, changes)
}

// TestClosed: after Close every call on boards returns ErrClosed; rankings still work.
func TestClosed(t *testing.T) {
	g := newGame(t, false)
	b := g.define(counting("arena"))
	g.score(b, "ada", 1)
	r, err := b.Live(t.Context(), "all")
	require.NoError(t, err)
	require.NoError(t, g.bs.Close())
	require.NoError(t, g.bs.Close())
	_, submitted := b.Submit(t.Context(), board.Submission{Member: "ada", Score: board.Ints(1)})
	_, all := b.SubmitAll(t.Context(), nil)
	_, keys := hintsOf(b).Submit(t.Context(), nil, board.Submission{Member: "ada", At: noon(0)})
	tx := g.e.Update(t.Context(), func(tx *engine.Tx) error {
		_, err := in(b, tx).Submit(board.Submission{Member: "ada", Score: board.Ints(1), At: noon(-24)})
		return err
	}, "board/arena/all/all/v1")
	_, remove := b.Remove(t.Context(), "ada")
	_, live := b.Live(t.Context(), "all")
	_, closeNow := b.CloseNow(t.Context(), "all")
	_, define := g.bs.Define(t.Context(), board.Spec{Name: "x"})
	_, get := g.bs.Board(t.Context(), "arena")
	_, migrate := g.bs.Migrate(t.Context(), board.Spec{Name: "arena"})
	_, usage := usageOf(b)
	_, due := g.bs.CloseDue(t.Context())
	for i, err := range []error{submitted, all, keys, tx, remove, live, closeNow, define, get, migrate, usage, due, b.SetMeta(t.Context(), "all", "ada", nil),
		g.bs.Drop(t.Context(), "arena"), b.SaveBaseline(t.Context(), "all", "x"), b.DropBaseline(t.Context(), "all", "x")} {
		require.True(t, errors.Is(err, board.ErrClosed), "%d: %v", i, err)
	}
	require.Equal(t, "ada 1", g.show(r, nil))
}
