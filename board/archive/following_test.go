package archive

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/internal/cutcontext"
	"github.com/zrankdb/zrank/internal/testclock"
)

// oneGroup makes a board "results" whose member ada is in the group red, and another group.
func (w *world) oneGroup(spec board.Spec) board.Groups {
	ctx := context.Background()
	g, err := w.boards.DefineGroups(ctx, "guild")
	require.NoError(w.t, err)
	require.NoError(w.t, g.Create(ctx, "red", nil))
	require.NoError(w.t, g.Create(ctx, "blue", nil))
	require.NoError(w.t, g.Join(ctx, "ada", "red"))
	_, err = w.boards.Define(ctx, spec)
	require.NoError(w.t, err)
	return g
}

// leaves makes the board "results", and a board that follows it, in which ada has left points to the group red.
func (w *world) leaves() {
	ctx := context.Background()
	source, derived := pointsSpecs()
	g := w.oneGroup(source)
	_, err := w.board("results").Submit(ctx, board.Submission{Member: "ada", Score: board.Ints(7, 1)})
	require.NoError(w.t, err)
	_, err = w.boards.Define(ctx, derived[0])
	require.NoError(w.t, err)
	require.NoError(w.t, g.Move(ctx, "ada", "blue"))
}

// returned returns the files of the same two boards, of which the second is made while ada is away from the group red, to which she then returns.
func (w *world) returned() (results, stay string) {
	ctx := context.Background()
	source, derived := pointsSpecs()
	g := w.oneGroup(source)
	_, err := w.board("results").Submit(ctx, board.Submission{Member: "ada", Score: board.Ints(7, 1)})
	require.NoError(w.t, err)
	require.NoError(w.t, g.Move(ctx, "ada", "blue"))
	_, err = w.boards.Define(ctx, derived[0])
	require.NoError(w.t, err)
	require.NoError(w.t, g.Move(ctx, "ada", "red"))
	return w.write("results"), w.write("stay")
}

// TestSourceChanges migrates the board that a derived board follows while that is being read.
func TestSourceChanges(t *testing.T) {
	two := board.Spec{Name: "results", Op: board.Sum, Windows: []board.Window{board.All, board.Day}, Columns: []board.Column{{Name: "points"}, {Name: "wins"}}}
	less := two
	less.Windows = two.Windows[:1]
	one := two
	one.Columns = two.Columns[:1]
	for _, to := range []board.Spec{less, one} {
		clock := testclock.New()
		w, o := newWorld(t, clock), newWorld(t, clock)
		for _, x := range []*world{w, o} {
			x.oneGroup(two)
			_, err := x.board("results").Submit(t.Context(), board.Submission{Member: "ada", Score: board.Ints(7, 1)})
			require.NoError(t, err)
		}
		_, err := w.boards.Define(t.Context(), board.Spec{Name: "guilds", Derived: &board.Derived{From: "results", Groups: "guild"}})
		require.NoError(t, err)
		text := w.write("guilds")
		head, rest, _ := strings.Cut(text, "\n")
		changed := false
		_, err = Read(t.Context(), io.MultiReader(strings.NewReader(head+"\n"), readerFunc(func([]byte) (int, error) {
			if !changed {
				changed = true
				_, err := o.boards.Migrate(t.Context(), to)
				require.NoError(t, err)
			}
			return 0, io.EOF
		}), strings.NewReader(rest)), o.boards, Options{})
		require.True(t, changed)
		require.ErrorIs(t, err, board.ErrSpec)
		noneOf(t, o, "guilds")
		_, err = o.boards.Check(t.Context(), nil)
		require.NoError(t, err)
	}
}

type readerFunc func(b []byte) (int, error)

func (f readerFunc) Read(b []byte) (int, error) { return f(b) }

// TestSourceEmpty reads a derived board where the board that it follows has no results.
func TestSourceEmpty(t *testing.T) {
	clock := testclock.New()
	spec := board.Spec{Name: "results", Op: board.Sum, Windows: []board.Window{board.All, board.Day}}
	for _, how := range []board.Points{board.Follow, board.Stay, board.SinceJoining} {
		w, o := newWorld(t, clock), newWorld(t, clock)
		w.oneGroup(spec)
		_, err := w.board("results").Submit(t.Context(), board.Submission{Member: "ada", Score: board.Ints(7)})
		require.NoError(t, err)
		_, err = w.boards.Define(t.Context(), board.Spec{Name: "guilds", Derived: &board.Derived{From: "results", Groups: "guild", Points: how}})
		require.NoError(t, err)
		o.oneGroup(spec)
		o.read(w.write("guilds"))
		for _, window := range []string{"all", "day"} {
			k, err := o.board("guilds").Live(t.Context(), window)
			require.NoError(t, err)
			list, err := k.Top(t.Context(), 10)
			require.NoError(t, err)
			require.Empty(t, list, "%s %s", how, window)
		}
		_, err = o.board("results").Submit(t.Context(), board.Submission{Member: "ada", Score: board.Ints(2)})
		require.NoError(t, err)
		k, err := o.board("guilds").Live(t.Context(), "day")
		require.NoError(t, err)
		list, err := k.Top(t.Context(), 10)
		require.NoError(t, err)
		require.Len(t, list, 1)
		require.Equal(t, board.Ints(2, 1), list[0].Score, how)
		_, err = o.boards.Check(t.Context(), nil)
		require.NoError(t, err)
	}
}

// TestSpecDefaults reads boards whose specs leave out what has a default: they are what Define makes of these.
func TestSpecDefaults(t *testing.T) {
	clock := testclock.New()
	specs := specsOfTests()
	specs = append(specs, derivedSpecs()...)
	w, o := newWorld(t, clock), newWorld(t, clock)
	w.guilds()
	o.guilds()
	for _, spec := range specs {
		_, err := w.boards.Define(t.Context(), spec)
		require.NoError(t, err)
		text, err := json.Marshal(spec)
		require.NoError(t, err)
		name, err := json.Marshal(spec.Name)
		require.NoError(t, err)
		o.read(`{"board":` + string(text) + `,"format":1}` + "\n" + `{"ended":` + string(name) + `,"lines":2}` + "\n")
		require.Equal(t, w.board(spec.Name).Spec(), o.board(spec.Name).Spec())
		first := func(x *world) string {
			head, _, _ := strings.Cut(x.write(spec.Name), "\n")
			return head
		}
		require.Equal(t, first(w), first(o))
	}
	o.close()
	o.open()
	for _, spec := range specs {
		_, err := o.boards.Define(t.Context(), spec)
		require.NoError(t, err)
	}
}

// TestPointsHeld lets a member change its group while the board is held to be written: the change waits, and what is written is as it was before.
func TestPointsHeld(t *testing.T) {
	w := newWorld(t, testclock.New())
	g := w.oneGroup(board.Spec{Name: "results", Op: board.Sum})
	_, err := w.board("results").Submit(t.Context(), board.Submission{Member: "ada", Score: board.Ints(7)})
	require.NoError(t, err)
	_, err = w.boards.Define(t.Context(), board.Spec{Name: "guilds", Derived: &board.Derived{From: "results", Groups: "guild", Points: board.Stay}})
	require.NoError(t, err)
	require.NoError(t, g.Move(t.Context(), "ada", "blue"))
	want := w.write("guilds")
	require.Contains(t, want, `"base":{"group":"blue","score":`)
	var got bytes.Buffer
	moved := make(chan error, 1)
	_, err = Write(t.Context(), &got, w.boards, "guilds", Options{Hold: true, Progress: func(int) {
		go func() { moved <- g.Move(t.Context(), "ada", "red") }()
		for !waiting("groups.(*Kind).Update(", "catalog.(*Board).Writable(") {
			runtime.Gosched()
		}
	}})
	require.NoError(t, err)
	require.NoError(t, <-moved)
	require.Equal(t, want, got.String())
}

// waiting reports whether a goroutine is in all of some functions.
func waiting(in ...string) bool {
	text := make([]byte, 1<<20)
	for _, stack := range strings.Split(string(text[:runtime.Stack(text, true)]), "\n\n") {
		n := 0
		for _, f := range in {
			if strings.Contains(stack, f) {
				n++
			}
		}
		if n == len(in) {
			return true
		}
	}
	return false
}

// TestPointsCancelled ends the context at every moment at which Read looks at it: then the board is there and reported, or nothing of it is.
func TestPointsCancelled(t *testing.T) {
	clock := testclock.New()
	results, stay := newWorld(t, clock).returned()
	files := map[string]string{"results": results, "stay": stay}
	for _, name := range []string{"results", "stay"} {
		for n := 0; ; n++ {
			o := newWorld(t, clock)
			g, err := o.boards.DefineGroups(t.Context(), "guild")
			require.NoError(t, err)
			require.NoError(t, g.Create(t.Context(), "red", nil))
			require.NoError(t, g.Create(t.Context(), "blue", nil))
			require.NoError(t, g.Join(t.Context(), "ada", "red"))
			if name != "results" {
				o.read(files["results"])
			}
			r, err := Read(cutcontext.After(n), strings.NewReader(files[name]), o.boards, Options{})
			if len(r.Boards) > 0 {
				require.Equal(t, files[name], o.write(name))
			} else {
				require.ErrorIs(t, err, context.Canceled)
				_, err := o.boards.Board(t.Context(), name)
				require.ErrorIs(t, err, board.ErrNoBoard, n)
				noneOf(t, o, name)
				o.read(files[name])
				require.Equal(t, files[name], o.write(name))
			}
			if err == nil {
				t.Log(name, n)
				break
			}
		}
	}
}

// TestRollingGroups reads a derived board with a rolling window, after results have left that were
// there when it was written.
func TestRollingGroups(t *testing.T) {
	clock := testclock.New()
	spec := board.Spec{Name: "results", Op: board.Sum, Windows: []board.Window{board.All, board.Rolling("1h", time.Hour)}}
	w, o := newWorld(t, clock), newWorld(t, clock)
	w.oneGroup(spec)
	submit := func(score int64, ago time.Duration) {
		sub := board.Submission{Member: "ada", Score: board.Ints(score), At: clock.Now().Add(-ago)}
		_, err := w.board("results").Submit(t.Context(), sub)
		require.NoError(t, err)
	}
	submit(7, 50*time.Minute)
	submit(2, 0)
	guilds := board.Spec{Name: "guilds", Derived: &board.Derived{From: "results", Groups: "guild"}}
	_, err := w.boards.Define(t.Context(), guilds)
	require.NoError(t, err)
	results, following := w.write("results"), w.write("guilds")
	clock.Add(10 * time.Minute)
	g, err := o.boards.DefineGroups(t.Context(), "guild")
	require.NoError(t, err)
	require.NoError(t, g.Create(t.Context(), "red", nil))
	require.NoError(t, g.Join(t.Context(), "ada", "red"))
	o.read(results)
	o.read(following)
	for _, want := range []int{1, 0} {
		for _, x := range []*world{w, o} {
			r, err := x.board("guilds").Live(t.Context(), "1h")
			require.NoError(t, err)
			rows, err := r.Top(t.Context(), 9)
			require.NoError(t, err)
			require.Len(t, rows, want)
			if want > 0 {
				require.Equal(t, board.Ints(2, 1), rows[0].Score)
			}
			rep, err := x.boards.Check(t.Context(), nil)
			require.NoError(t, err)
			require.Empty(t, rep.Problems)
		}
		clock.Add(time.Hour)
	}
}
