package local

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/engine"
)

// united returns the rows of a union.
func (g *game) united(spec board.UnionSpec) []board.Row {
	g.t.Helper()
	r, err := g.bs.Union(context.Background(), spec)
	require.NoError(g.t, err)
	rows, err := r.Top(context.Background(), 1<<20)
	require.NoError(g.t, err)
	return rows
}

// TestUnionOfDays: the union of the days of a week has the rows of the week, scores, ranks and times, however they are named, and whether the
// days are closed or not.
func TestUnionOfDays(t *testing.T) {
	g := newGame(t, true)
	b := g.define(board.Spec{Name: "arena", Op: board.Sum, Windows: []board.Window{board.Week, board.Day}, Columns: []board.Column{{Decimals: 2}, {Name: "lost", Order: board.Asc}}})
	g.jump(time.Date(2026, 11, 23, 0, 0, 0, 0, time.UTC).Sub(g.clock.Now()))
	rng := rand.New(rand.NewPCG(1, 2))
	for range 7 {
		for range 300 {
			_, err := b.Submit(t.Context(), board.Submission{Member: fmt.Sprint(rng.IntN(200)), Score: board.Values(board.Decimal(rng.Int64N(1000), 2), board.Int(rng.Int64N(3)))})
			require.NoError(t, err)
			g.jump(time.Minute)
		}
		g.jump(19 * time.Hour)
		_, err := g.bs.CloseDue(t.Context())
		require.NoError(t, err)
	}
	g.reopen()
	b = g.board("arena")
	week, err := b.Period(t.Context(), "week", "2026-W48")
	require.NoError(t, err)
	want, err := week.Top(t.Context(), 1000)
	require.NoError(t, err)
	require.Len(t, want, 200)
	require.Equal(t, want, g.united(board.UnionSpec{Sources: []board.UnionSource{{Board: "arena", Window: "day", From: "2026-11-23", To: "2026-11-29"}}}))
	require.Equal(t, want, g.united(board.UnionSpec{Sources: []board.UnionSource{{Board: "arena", Window: "day", Last: 8}}}), "the live day is empty")
	require.NoError(t, g.bs.StoreUnion(context.Background(), "week/48", board.UnionSpec{Sources: []board.UnionSource{{Board: "arena", Window: "day", From: "2026-11-23"}}}))
	stored, err := g.bs.StoredUnion(t.Context(), "week/48")
	require.NoError(t, err)
	got, err := stored.Top(t.Context(), 1000)
	require.NoError(t, err)
	require.Equal(t, want, got)
}

// TestUnionWeights: weights multiply exactly, in each column; a column has the decimals that the products need.
func TestUnionWeights(t *testing.T) {
	g := newGame(t, false)
	for _, name := range []string{"solo", "duo"} {
		b := g.define(board.Spec{Name: name, Op: board.Sum, Columns: []board.Column{{Name: "points"}, {Name: "km", Kind: board.Float64}}})
		for i, member := range []string{"ada", "bob"} {
			_, err := b.Submit(t.Context(), board.Submission{Member: member, Score: board.Values(board.Int(int64(i)+math.MaxInt32), board.Float(0.5))})
			require.NoError(t, err)
		}
	}
	rows := g.united(board.UnionSpec{Sources: []board.UnionSource{
		{Board: "solo", Weights: []board.Value{board.Decimal(50, 2), board.Int(2)}},
		{Board: "duo", Weights: []board.Value{board.Float(-1.25), board.Float(0.25)}},
		{Board: "duo"},
	}})
	require.Len(t, rows, 2)
	require.Equal(t, "536870912.00 1.625", rows[0].Score.String())
	require.Equal(t, "536870911.75 1.625", rows[1].Score.String())
	rows = g.united(board.UnionSpec{Combine: board.Max, Columns: []board.Op{board.Sum, ""}, Sources: []board.UnionSource{{Board: "solo", Weights: []board.Value{board.Int(2), board.Int(2)}}, {Board: "duo"}}})
	require.Equal(t, "6442450944 1.0", rows[0].Score.String())
}

// TestUnionOfManyColumns: a union of boards with more than four columns takes the bits that its sums need.
func TestUnionOfManyColumns(t *testing.T) {
	g := newGame(t, true)
	spec := board.Spec{Name: "f1", Op: board.Sum}
	for range 20 {
		spec.Columns = append(spec.Columns, board.Column{Min: new(board.Int(0)), Max: new(board.Int(100))})
	}
	b := g.define(spec)
	values := make([]int64, 20)
	for i := range values {
		values[i] = int64(100 - i)
	}
	_, err := b.Submit(t.Context(), board.Submission{Member: "ada", Score: board.Ints(values...)})
	require.NoError(t, err)
	sources := make([]board.UnionSource, 20)
	for i := range sources {
		sources[i].Board = "f1"
	}
	rows := g.united(board.UnionSpec{Sources: sources})
	for i, v := range values {
		require.Equal(t, 20*v, rows[0].Score.Int(i))
	}
	_, err = g.bs.Union(context.Background(), board.UnionSpec{Sources: []board.UnionSource{{Board: "f1", Weights: []board.Value{board.Int(1000)}}}})
	require.ErrorIs(t, err, board.ErrUnion)
	require.ErrorContains(t, err, "20 columns take 340 bits")
}

// TestUnionOverflow: a score that does not fit names the member and the column, and nothing is stored. Parts of it may be out of range.
func TestUnionOverflow(t *testing.T) {
	ctx := context.Background()
	g := newGame(t, true)
	b := g.define(board.Spec{Name: "arena", Op: board.Last, Columns: []board.Column{{Name: "a"}, {Name: "b"}}})
	_, err := b.Submit(t.Context(), board.Submission{Member: "ada", Score: board.Ints(1, math.MaxInt64)})
	require.NoError(t, err)
	twice := board.UnionSpec{Sources: []board.UnionSource{{Board: "arena"}, {Board: "arena"}}}
	_, err = g.bs.Union(ctx, twice)
	fault := new(board.UnionError)
	require.ErrorAs(t, err, &fault)
	require.Equal(t, board.UnionError{Source: -1, Member: "ada", Column: "b", Err: board.ErrOverflow}, *fault)
	require.EqualError(t, err, `union: member "ada": column "b": board: sum overflows`)
	require.ErrorIs(t, g.bs.StoreUnion(ctx, "u", twice), board.ErrOverflow)
	stored, err := g.bs.StoredUnions(t.Context())
	require.NoError(t, err)
	require.Empty(t, stored)

	twice.Sources = append(twice.Sources, board.UnionSource{Board: "arena", Weights: []board.Value{board.Int(-1)}})
	require.Equal(t, board.Ints(1, math.MaxInt64), g.united(twice)[0].Score, "the sum is in range, one of its parts is not")
	twice.Sources[2].Weights[0] = board.Decimal(1<<53, 2)
	_, err = g.bs.Union(ctx, twice)
	require.EqualError(t, err, `union: source 2, "arena": column "a": board: sum overflows: weight 90071992547409.92, for 2 decimals`)
}

// TestUnionRefused: an impossible union is refused by an error that names the field, or the source.
func TestUnionRefused(t *testing.T) {
	ctx := context.Background()
	g := newGame(t, false)
	g.define(board.Spec{Name: "arena", Windows: []board.Window{board.All, board.Day}})
	g.define(board.Spec{Name: "race", Columns: []board.Column{{Order: board.Asc}}})
	g.define(board.Spec{Name: "two", Columns: []board.Column{{}, {Kind: board.Float64}}})
	g.define(board.Spec{Name: "floats", Columns: []board.Column{{Kind: board.Float64}}})
	arena := board.UnionSource{Board: "arena"}
	for _, row := range []struct {
		spec board.UnionSpec
		is   error
		text string
	}{
		{board.UnionSpec{}, board.ErrUnion, "board: impossible union: there are no sources"},
		{board.UnionSpec{Sources: []board.UnionSource{arena}, Combine: board.Last}, board.ErrUnion, `board: impossible union: combine is "last", want one of sum, min, max, best`},
		{board.UnionSpec{Sources: []board.UnionSource{arena}, Columns: []board.Op{board.Best}}, board.ErrUnion, `board: impossible union: columns[0] is "best", want one of sum, min, max`},
		{board.UnionSpec{Sources: []board.UnionSource{arena}, Combine: board.Best, Columns: []board.Op{board.Min}}, board.ErrUnion, "board: impossible union: columns are set, and best takes whole scores"},
		{board.UnionSpec{Sources: []board.UnionSource{arena}, Columns: []board.Op{board.Min, board.Max}}, board.ErrUnion, "board: impossible union: columns has 2 operators, and the boards 1 columns"},
		{board.UnionSpec{Sources: []board.UnionSource{{Board: "arena", Period: "all", Last: 3}}}, board.ErrUnion, "board: impossible union: sources[0]: more than one of period, last, from and baseline is set"},
		{board.UnionSpec{Sources: []board.UnionSource{arena, {Board: "arena", To: "all"}}}, board.ErrUnion, `board: impossible union: sources[1]: to is "all", without from`},
		{board.UnionSpec{Sources: []board.UnionSource{{Board: "arena", Last: -1}}}, board.ErrUnion, "board: impossible union: sources[0]: last is -1, want 0 to 1024"},
		{board.UnionSpec{Sources: []board.UnionSource{{Board: "nowhere"}}}, board.ErrNoBoard, `union: source 0, "nowhere": board: no such board: "nowhere"`},
		{board.UnionSpec{Sources: []board.UnionSource{arena, {Board: "arena", Window: "week"}}}, board.ErrNoWindow, `union: source 1, "arena", window week: board: no such window: "arena" has all, day, not "week"`},
		{board.UnionSpec{Sources: []board.UnionSource{{Board: "arena", Window: "day", Period: "2026-11-01"}}}, board.ErrNoPeriod,
			`union: source 0, "arena", window day: board: no such period: period 2026-11-01 has no members, or is not kept any more`},
		{board.UnionSpec{Sources: []board.UnionSource{{Board: "arena", Baseline: "before"}}}, board.ErrNoPeriod, `union: source 0, "arena": board: no such period: baseline before has no members, or is not kept any more`},
		{board.UnionSpec{Sources: []board.UnionSource{{Board: "arena", Window: "day", Period: "today"}}}, board.ErrPeriodName, ""},
		{board.UnionSpec{Sources: []board.UnionSource{{Board: "arena", Window: "day", From: "2026-11-20", To: "2026-11-19"}}}, board.ErrUnion, ""},
		{board.UnionSpec{Sources: []board.UnionSource{{Board: "arena", Window: "day", From: "1926-11-20"}}}, board.ErrUnion, `union: source 0, "arena", window day: board: impossible union: more than 1024 rankings`},
		{board.UnionSpec{Sources: []board.UnionSource{arena, {Board: "two"}}}, board.ErrColumns, `union: source 1, "two": board: impossible union: board: wrong number of columns: 2, and 1 in the first source`},
		{board.UnionSpec{Sources: []board.UnionSource{arena, {Board: "floats"}}}, board.ErrKind, `union: source 1, "floats": column "score": board: impossible union: board: value of the wrong kind: float64, and int64 in the first source`},
		{board.UnionSpec{Sources: []board.UnionSource{arena, {Board: "race"}}}, board.ErrUnion, `union: source 1, "race": column "score": board: impossible union: order is asc, and desc in the first source`},
		{board.UnionSpec{Sources: []board.UnionSource{{Board: "arena", Weights: []board.Value{board.Int(1), board.Int(2)}}}}, board.ErrUnion, `union: source 0, "arena": board: impossible union: 2 weights, want 1 or 1`},
		{board.UnionSpec{Sources: []board.UnionSource{{Board: "arena", Weights: []board.Value{board.Float(math.Inf(1))}}}}, board.ErrKind, ""},
		{board.UnionSpec{Sources: []board.UnionSource{{Board: "floats", Weights: []board.Value{board.Float(math.NaN())}}}}, board.ErrNotFinite, ""},
		{board.UnionSpec{Sources: []board.UnionSource{{Board: "arena", Weights: []board.Value{board.Float(1e-19)}}}}, board.ErrKind, ""},
	} {
		_, err := g.bs.Union(ctx, row.spec)
		require.ErrorIs(t, err, row.is)
		if row.text != "" {
			require.EqualError(t, err, row.text)
		}
		require.ErrorIs(t, g.bs.StoreUnion(ctx, "u", row.spec), row.is)
	}
	for _, name := range []string{"", "a\x00b", "\xff", string(make([]byte, 1025))} {
		require.ErrorIs(t, g.bs.StoreUnion(ctx, name, board.UnionSpec{Sources: []board.UnionSource{arena}}), board.ErrUnion)
	}
	require.ErrorIs(t, g.bs.DropUnion(t.Context(), "u"), board.ErrNoUnion)
	_, err := g.bs.StoredUnion(t.Context(), "u")
	require.ErrorIs(t, err, board.ErrNoUnion)
}

// TestStoreUnion: a stored union stays as it is when its boards change, are dropped, and after a restart. A ranking of one that is stored again
// or dropped says so.
func TestStoreUnion(t *testing.T) {
	g, ctx := newGame(t, true), context.Background()
	b := g.define(counting("arena", board.All))
	g.score(b, "ada", 5)
	spec := board.UnionSpec{Sources: []board.UnionSource{{Board: "arena", Weights: []board.Value{board.Float(0.5)}}}}
	require.NoError(t, g.bs.StoreUnion(ctx, "arena", spec))
	at := g.clock.Now().UTC()
	g.jump(time.Hour)
	g.score(b, "bob", 9)
	first, err := g.bs.StoredUnion(ctx, "arena")
	require.NoError(t, err)
	require.Equal(t, "ada 2.5", g.show(first, nil))
	require.Equal(t, board.Info{Period: "arena", Closed: true, ClosedAt: at}, infoOf(first))
	require.NoError(t, g.bs.StoreUnion(ctx, "arena", spec))
	_, err = first.Top(ctx, 1)
	require.ErrorIs(t, err, board.ErrNoUnion)
	_, err = first.Pin(ctx)
	require.ErrorIs(t, err, board.ErrNoUnion)
	require.NoError(t, g.bs.Drop(ctx, "arena"))
	g.reopen()
	require.Equal(t, "bob 4.5, ada 2.5", g.show(g.bs.StoredUnion(ctx, "arena")))
	stored, err := g.bs.StoredUnions(ctx)
	require.NoError(t, err)
	require.Equal(t, []board.StoredUnion{{Name: "arena", Members: 2, StoredAt: at.Add(time.Hour), Spec: spec,
		Columns: []board.Column{{Name: "score", Kind: board.Int64, Order: board.Desc, Decimals: 1}}}}, stored)
	second, err := g.bs.StoredUnion(ctx, "arena")
	require.NoError(t, err)
	_, err = second.RankOf(ctx, board.Values(board.Decimal(25, 1)))
	require.NoError(t, err)
	_, err = second.RankOf(ctx, board.Ints(1, 2))
	require.EqualError(t, err, `board: wrong number of columns: 2, want 1: union "arena"`)
	require.NoError(t, g.bs.DropUnion(ctx, "arena"))
	_, err = second.Len(ctx)
	require.ErrorIs(t, err, board.ErrNoUnion)
	keys, err := g.e.Keys("board")
	require.NoError(t, err)
	require.Empty(t, keys)
}

// TestCheckUnions: a check compares the entries of stored unions with their digests.
func TestCheckUnions(t *testing.T) {
	for text, change := range map[string]func(s *engine.IntSet) error{
		"is not what it was when it was stored":       func(s *engine.IntSet) error { return errorOf(s.Add([]byte("ada"), 6)) },
		"has 1 members, and had 2 when it was stored": func(s *engine.IntSet) error { return errorOf(s.RemoveRange(0, 1)) },
	} {
		g := newGame(t, true)
		b := g.define(counting("arena", board.All))
		for _, member := range []string{"ada", "bob"} {
			g.score(b, member, 5)
		}
		for _, name := range []string{"u", "v"} {
			require.NoError(t, g.bs.StoreUnion(context.Background(), name, board.UnionSpec{Sources: []board.UnionSource{{Board: "arena"}}}))
		}
		g.requireSound(0, 0)
		rep, err := g.bs.Check(context.Background(), nil)
		require.NoError(t, err)
		require.Equal(t, 2, rep.Unions)
		key := boardkey.UnionSet("v", 2)
		require.NoError(t, g.bs.catalog.Owner.Update(t.Context(), []string{key}, func(tx *engine.Tx) error {
			s, err := tx.IntSet(key, engine.Form{TieWidth: 16, Dense: true})
			if err == nil {
				err = change(s)
			}
			return err
		}))
		g.requireProblem(`union "v"`, text)
	}
}

// TestUnionAtOneInstant: a commit that adds 1 to a member on one board, and takes 1 from it on another, is in a union with both changes or with
// none, while four goroutines commit.
func TestUnionAtOneInstant(t *testing.T) {
	g := newGame(t, false)
	plus, minus := g.define(counting("plus", board.All, board.Hour)), g.define(counting("minus", board.All, board.Hour))
	member := func(i int) string { return fmt.Sprintf("a member with a name that takes space: %d", i) }
	const members = 1000
	change := func(i int) error {
		at := g.clock.Now()
		a, b := board.Submission{Member: member(i), Score: board.Ints(1), At: at}, board.Submission{Member: member(i), Score: board.Ints(-1), At: at}
		keys, err := hintsOf(plus).Submit(t.Context(), nil, a)
		if err == nil {
			keys, err = hintsOf(minus).Submit(t.Context(), keys, b)
		}
		if err != nil {
			return err
		}
		return g.e.Update(t.Context(), func(tx *engine.Tx) error {
			if _, err := in(plus, tx).Apply(a); err != nil {
				return err
			}
			_, err := in(minus, tx).Apply(b)
			return err
		}, keys...)
	}
	for i := range members {
		require.NoError(t, change(i))
	}
	var stop atomic.Bool
	var done sync.WaitGroup
	var commits atomic.Int64
	for w := range 4 {
		done.Go(func() {
			rng := rand.New(rand.NewPCG(1, uint64(w)))
			for !stop.Load() {
				if err := change(rng.IntN(members)); err != nil {
					t.Error(err)
					return
				}
				commits.Add(1)
			}
		})
	}
	for i := range howMany(60) {
		window := []string{"all", "hour"}[i%2]
		rows := g.united(board.UnionSpec{Sources: []board.UnionSource{{Board: "plus", Window: window}, {Board: "minus"}}})
		require.Len(t, rows, members)
		for _, row := range rows {
			require.Zero(t, row.Score.Int(0), row.Member)
		}
	}
	stop.Store(true)
	done.Wait()
	require.Greater(t, commits.Load(), int64(100))
}
