package archive

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/internal/testclock"
)

// guilds makes the groups of the test: in one world other ones.
func (w *world) guilds(of ...string) {
	ctx := context.Background()
	g, err := w.boards.DefineGroups(ctx, "guild")
	require.NoError(w.t, err)
	for _, group := range []string{"red", "blue", "green"} {
		require.NoError(w.t, g.Create(ctx, group, nil))
	}
	for i, group := range of {
		require.NoError(w.t, g.Join(ctx, members[i], group))
	}
}

// derivedSpecs are boards that follow "sum".
func derivedSpecs() []board.Spec {
	return []board.Spec{
		{Name: "guilds", Derived: &board.Derived{From: "sum", Groups: "guild"}},
		{Name: "guilds best", Derived: &board.Derived{From: "sum", Groups: "guild", Op: board.GroupBestOf, K: 2, Least: 3}, Ties: board.LastToReach, Windows: []board.Window{board.Day}},
		{Name: "guilds average", Derived: &board.Derived{From: "sum", Groups: "guild", Op: board.GroupAverage}},
	}
}

// TestDerived writes derived boards and what they follow, and makes them again where there are the same groups.
func TestDerived(t *testing.T) {
	clock := testclock.New()
	w, o := newWorld(t, clock), newWorld(t, clock)
	in := []string{"red", "red", "red", "blue", "blue", "green", "green", "blue"}
	w.guilds(in...)
	o.guilds(in...)
	spec := specOfTest("sum")
	_, err := w.boards.Define(t.Context(), spec)
	require.NoError(t, err)
	for _, d := range derivedSpecs() {
		_, err := w.boards.Define(t.Context(), d)
		require.NoError(t, err)
	}
	w.play(spec, 3)
	text := w.write("sum")
	for _, d := range derivedSpecs() {
		text += w.write(d.Name)
	}
	require.Contains(t, w.write("guilds best"), `"hidden":true`) // it has too few members
	o.read(text)
	check := func() {
		t.Helper()
		var a, b string
		for _, x := range append(derivedSpecs(), spec) {
			a, b = a+w.write(x.Name), b+o.write(x.Name)
			same(t, w.board(x.Name), o.board(x.Name))
		}
		require.Equal(t, a, b)
		_, err := o.boards.Check(t.Context(), nil)
		require.NoError(t, err)
	}
	check()
	for _, x := range []*world{w, o} { // both follow
		_, err := x.board("sum").Submit(t.Context(), board.Submission{Member: "fay", Score: board.Ints(77)})
		require.NoError(t, err)
	}
	check()
	o.close()
	o.open()
	check()
	for i := range 30 {
		for _, x := range []*world{w, o} {
			_, err := x.board("sum").Submit(t.Context(), board.Submission{Member: []string{"ada", "bea", "eve", "fay", "\xff\x00", "base64:x"}[i%6], Score: board.Ints(int64(i % 5))})
			require.NoError(t, err)
		}
		clock.Add(time.Microsecond)
	}
	check()
	clock.Add(24 * time.Hour)
	for _, x := range []*world{w, o} {
		_, err := x.boards.CloseDue(t.Context())
		require.NoError(t, err)
		_, err = x.board("sum").Submit(t.Context(), board.Submission{Member: "ada", Score: board.Ints(3)})
		require.NoError(t, err)
	}
	check()
	require.ErrorIs(t, o.boards.Drop(t.Context(), "sum"), board.ErrFollowed)
}

// TestDerivedElsewhere makes a derived board where the groups have other members, or are not there.
func TestDerivedElsewhere(t *testing.T) {
	clock := testclock.New()
	w := newWorld(t, clock)
	w.guilds("red", "red", "blue", "blue", "red", "blue", "red")
	spec := specOfTest("sum")
	_, err := w.boards.Define(t.Context(), spec)
	require.NoError(t, err)
	_, err = w.boards.Define(t.Context(), derivedSpecs()[0])
	require.NoError(t, err)
	w.play(spec, 3)
	source, text := w.write("sum"), w.write("guilds")

	o := newWorld(t, clock)
	refused := func(want error) {
		t.Helper()
		_, err := Read(t.Context(), strings.NewReader(text), o.boards, Options{})
		require.ErrorIs(t, err, want)
		require.ErrorIs(t, err, ErrFile)
		_, err = o.boards.Board(t.Context(), "guilds")
		require.ErrorIs(t, err, board.ErrNoBoard)
	}
	refused(board.ErrNoGroups)
	o.guilds("blue", "red", "red", "green", "green", "green", "blue")
	refused(board.ErrNoBoard)
	o.read(source)
	for old, wrong := range map[string]string{`"from":"sum"`: `"from":"guilds"`, `"op":"sum","points"`: `"op":"count","points"`, `"groups":"guild"`: `"groups":"club"`} {
		require.Contains(t, text, old)
		_, err := Read(t.Context(), strings.NewReader(strings.Replace(text, old, wrong, 1)), o.boards, Options{})
		require.ErrorIs(t, err, ErrFile, wrong)
	}
	o.read(text)
	_, err = o.boards.Check(t.Context(), nil)
	require.NoError(t, err)
	n, err := o.board("guilds").Rebuild(t.Context())
	require.NoError(t, err)
	require.Zero(t, n)
	closed := w.board("guilds")
	require.Equal(t, rows(t, closed, "day", "2026-11-20"), rows(t, o.board("guilds"), "day", "2026-11-20")) // it stays as it was closed
	require.NotEqual(t, rows(t, closed, "all", "all"), rows(t, o.board("guilds"), "all", "all"))
}
