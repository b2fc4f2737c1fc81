package archive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/testclock"
)

// pointsSpecs are a board with decimals and more columns than are added up, and boards whose points do not follow the members.
func pointsSpecs() (source board.Spec, derived []board.Spec) {
	days := []board.Window{board.All, board.Day}
	source = board.Spec{Name: "results", Op: board.Sum, Windows: days, Columns: []board.Column{{Name: "points", Decimals: 2}, {Name: "wins"}}}
	return source, []board.Spec{
		{Name: "stay", Derived: &board.Derived{From: "results", Groups: "guild", Points: board.Stay}},
		{Name: "since", Derived: &board.Derived{From: "results", Groups: "guild", Points: board.SinceJoining, Least: 2}},
	}
}

// roam submits random results and lets random members join, leave and change their groups, in every world the same.
func roam(t *testing.T, r *rand.Rand, n int, worlds ...*world) {
	for range n {
		member, group := members[r.IntN(len(members))], []string{"red", "\xff", "base64:"}[r.IntN(3)]
		score := board.Values(board.Decimal(int64(r.IntN(900)-200), 2), board.Int(int64(r.IntN(4))))
		what, hides := r.IntN(10), r.IntN(2) == 0
		for _, w := range worlds {
			g, err := w.boards.Groups(t.Context(), "guild")
			require.NoError(t, err)
			in, ok, err := g.Of(t.Context(), member)
			require.NoError(t, err)
			switch {
			case what < 5:
				_, err = w.board("results").Submit(t.Context(), board.Submission{Member: member, Score: score})
			case !ok:
				err = g.Join(t.Context(), member, group)
			case what < 7 || in == group:
				err = g.Leave(t.Context(), member)
			case what < 9:
				err = g.Move(t.Context(), member, group)
			case hides:
				_, err = w.board("results").Hide(t.Context(), member, action)
			default:
				_, err = w.board("results").Show(t.Context(), member, action)
			}
			if errors.Is(err, board.ErrHidden) || errors.Is(err, board.ErrNotHidden) {
				continue
			}
			require.NoError(t, err)
		}
		worlds[0].clock.Add(time.Microsecond)
	}
}

// leaveForGood lets members leave points to a group that then is gone, and to one that stays; one of them is erased.
func (w *world) leaveForGood(g board.Groups) {
	ctx := context.Background()
	for _, member := range []string{"erased", "renamed"} {
		require.NoError(w.t, g.Join(ctx, member, "gone"))
		_, err := w.board("results").Submit(ctx, board.Submission{Member: member, Score: board.Ints(50, 1)})
		require.NoError(w.t, err)
		require.NoError(w.t, g.Move(ctx, member, "red"))
		require.NoError(w.t, g.Leave(ctx, member))
	}
	require.NoError(w.t, g.Dissolve(w.t.Context(), "gone"))
	_, err := w.boards.Erase(w.t.Context(), "erased", action)
	require.NoError(w.t, err)
}

// TestPoints writes boards of groups whose points do not follow the members, and makes them again: both live on in the same way, with members who come back to what they have left.
func TestPoints(t *testing.T) {
	clock := testclock.New()
	w, o := newWorld(t, clock), newWorld(t, clock)
	g, err := w.boards.DefineGroups(t.Context(), "guild")
	require.NoError(t, err)
	for _, group := range []string{"red", "gone", "\xff", "base64:"} { // in a file they are in another order
		require.NoError(t, g.Create(t.Context(), group, nil))
	}
	source, derived := pointsSpecs()
	for _, spec := range append([]board.Spec{source}, derived...) {
		_, err := w.boards.Define(t.Context(), spec)
		require.NoError(t, err)
	}
	r := rand.New(rand.NewPCG(26, 1))
	roam(t, r, 120, w)
	w.leaveForGood(g)
	text := w.writeGroups("guild") + w.write("results")
	for _, d := range derived {
		file := w.write(d.Name)
		require.Contains(t, file, `{"points":"`)
		require.Contains(t, file, `,"base":{"group":"`)
		require.NotContains(t, file, "gone")
		text += file
	}
	require.Contains(t, text, `,"left":[{"group":"`)
	o.read(text)
	check := func() {
		t.Helper()
		for _, x := range append(derived, source) {
			require.Equal(t, w.write(x.Name), o.write(x.Name))
			same(t, w.board(x.Name), o.board(x.Name))
		}
		for _, x := range []*world{w, o} {
			_, err := x.boards.Check(t.Context(), nil)
			require.NoError(t, err)
		}
	}
	check()
	require.Equal(t, text[strings.Index(text, `{"board"`):], o.write("results")+o.write("stay")+o.write("since"))
	for range 6 {
		roam(t, r, 40, w, o)
		check()
	}
	o.close()
	o.open()
	check()
	clock.Add(24 * time.Hour)
	for _, x := range []*world{w, o} {
		_, err := x.boards.CloseDue(t.Context())
		require.NoError(t, err)
	}
	roam(t, r, 60, w, o)
	check()
}

// TestPointsElsewhere reads points where the groups are others: what follows from them then counts.
func TestPointsElsewhere(t *testing.T) {
	clock := testclock.New()
	w, o := newWorld(t, clock), newWorld(t, clock)
	source, derived := pointsSpecs()
	for _, x := range []*world{w, o} {
		g, err := x.boards.DefineGroups(t.Context(), "guild")
		require.NoError(t, err)
		require.NoError(t, g.Create(t.Context(), "red", nil))
		if x == w {
			require.NoError(t, g.Create(t.Context(), "\xff", nil))
		}
		require.NoError(t, g.Create(t.Context(), "base64:", nil))
	}
	_, err := w.boards.Define(t.Context(), source)
	require.NoError(t, err)
	_, err = w.boards.Define(t.Context(), derived[0])
	require.NoError(t, err)
	roam(t, rand.New(rand.NewPCG(26, 2)), 150, w)
	o.read(w.write("results"))
	o.read(w.write("stay"))
	_, err = o.boards.Check(t.Context(), nil)
	require.NoError(t, err)
	n, err := o.board("stay").Rebuild(t.Context())
	require.NoError(t, err)
	require.Zero(t, n)
	require.Equal(t, 2, len(rows(t, o.board("stay"), "all", "all"))) // what members have left to the two groups
}

// noneOf checks that nothing is stored of a board.
func noneOf(t *testing.T, w *world, name string) {
	require.NoError(t, w.e.View(t.Context(), func(tx *engine.Tx) error {
		for kv, err := range tx.Scan("") {
			require.NoError(t, err)
			require.NotContains(t, string(kv.Key), name)
		}
		return nil
	}))
}

// TestPointsBad gives Read points that there cannot be.
func TestPointsBad(t *testing.T) {
	clock := testclock.New()
	w, o := newWorld(t, clock), newWorld(t, clock)
	for _, x := range []*world{w, o} {
		g, err := x.boards.DefineGroups(t.Context(), "guild")
		require.NoError(t, err)
		require.NoError(t, g.Create(t.Context(), "red", nil))
		require.NoError(t, g.Join(t.Context(), "ada", "red"))
		_, err = x.boards.Define(t.Context(), board.Spec{Name: "results", Op: board.Sum, Windows: []board.Window{board.Day}})
		require.NoError(t, err)
		_, err = x.board("results").Submit(t.Context(), board.Submission{Member: "ada", Score: board.Ints(7)})
		require.NoError(t, err)
	}
	_, derived := pointsSpecs()
	_, err := w.boards.Define(t.Context(), derived[0])
	require.NoError(t, err)
	g, err := w.boards.Groups(t.Context(), "guild")
	require.NoError(t, err)
	require.NoError(t, g.Leave(t.Context(), "ada"))
	require.NoError(t, g.Join(t.Context(), "ada", "red"))
	text := w.write("stay")
	line := `{"points":"ada","base":{"group":"red","score":0}}` + "\n"
	require.Contains(t, text, line)
	for _, x := range []struct{ old, wrong, why string }{
		{line, line + line, "there twice"},
		{`"points":"ada"`, `"points":""`, "is no member"},
		{`"score":0}}`, `"score":[0,1]}}`, "column"},
		{`,"base":{"group":"red","score":0}`, ``, "are none"},
		{`"points":"stay"`, `"points":"follow"`, "follow the members"},
		{line, `{"points":"ada","left":[{"group":"red","score":` + fmt.Sprint(int64(math.MaxInt64)) + `}]}` + "\n", "overflow"},
	} {
		require.Contains(t, text, x.old)
		_, err := Read(t.Context(), strings.NewReader(strings.Replace(text, x.old, x.wrong, 1)), o.boards, Options{})
		require.ErrorIs(t, err, ErrFile, x.wrong)
		require.ErrorContains(t, err, x.why)
		require.Len(t, o.boards.All(), 1, x.wrong)
		noneOf(t, o, "stay")
	}
	closed := strings.Replace(text, `"end":`, `"closedAt":"2026-11-21T00:00:00Z","end":`, 1)
	_, err = Read(t.Context(), strings.NewReader(closed), o.boards, Options{})
	require.ErrorContains(t, err, "not behind an open period")
	o.read(text)

	g, err = o.boards.Groups(t.Context(), "guild")
	require.NoError(t, err)
	require.NoError(t, o.boards.Drop(t.Context(), "stay"))
	require.NoError(t, g.Create(t.Context(), "blue", nil))
	require.NoError(t, g.Move(t.Context(), "ada", "blue"))
	o.read(strings.Replace(text, `"base":{"group":"red","score":0}`, `"base":{"group":"red","score":5}`, 1)) // what does not count for the one group counts for another
	list := rows(t, o.board("stay"), "day", "2026-11-20")
	require.Len(t, list, 1)
	require.Equal(t, "blue 7 1", fmt.Sprint(list[0].Member, " ", list[0].Score))
}

// TestPointsChange lets a member leave its group while the board is written, which changes nothing but points.
func TestPointsChange(t *testing.T) {
	w := newWorld(t, testclock.New())
	source, derived := pointsSpecs()
	g, err := w.boards.DefineGroups(t.Context(), "guild")
	require.NoError(t, err)
	require.NoError(t, g.Create(t.Context(), "red", nil))
	require.NoError(t, g.Join(t.Context(), "ada", "red"))
	_, err = w.boards.Define(t.Context(), source)
	require.NoError(t, err)
	_, err = w.board("results").Submit(t.Context(), board.Submission{Member: "ada", Score: board.Ints(7, 1)})
	require.NoError(t, err)
	_, err = w.boards.Define(t.Context(), derived[0])
	require.NoError(t, err)
	left := false
	_, err = Write(t.Context(), io.Discard, w.boards, "stay", Options{Progress: func(int) {
		if !left {
			left = true
			return
		}
		require.NoError(t, g.Leave(t.Context(), "ada")) // amid the second window
	}})
	require.ErrorIs(t, err, ErrChanged)
	_, err = Write(t.Context(), io.Discard, w.boards, "stay", Options{})
	require.NoError(t, err)
}
