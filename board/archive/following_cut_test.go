package archive

import (
	"context"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/internal/powercut"
	"github.com/zrankdb/zrank/internal/testclock"
)

// TestPointsCut cuts the power while a derived board with points is made where the groups are others, at every change of the disk: it is there whole or not at all.
func TestPointsCut(t *testing.T) {
	clock := testclock.New()
	results, stay := newWorld(t, clock).returned()

	var disks []*memfs.FS
	mem, on := memfs.NewCrashable(), false
	e, err := engine.Open("data", engine.Options{Clock: clock.Now, FS: powercut.Before(mem, func(errorfs.Op) {
		if on {
			disks = append(disks, powercut.Clone(mem, 50*(len(disks)%3), uint64(len(disks))))
		}
	})})
	require.NoError(t, err)
	boards, err := local.Open(e, local.Options{})
	require.NoError(t, err)
	o := &world{t: t, e: e, boards: boards, clock: clock}
	other, err := boards.DefineGroups(t.Context(), "guild")
	require.NoError(t, err)
	require.NoError(t, other.Create(t.Context(), "blue", nil))
	require.NoError(t, other.Create(t.Context(), "red", nil))
	require.NoError(t, other.Join(t.Context(), "ada", "blue"))
	o.read(results)
	require.NoError(t, e.Barrier(t.Context()))
	on = true
	o.read(stay)
	require.NoError(t, e.Barrier(t.Context()))
	on = false
	disks = append(disks, powercut.Clone(mem, 0, 1))
	want := o.write("stay")
	require.NotEqual(t, stay, want) // the scores are corrected
	o.close()
	there := 0
	for i, disk := range disks {
		x := &world{t: t, fs: disk, clock: clock}
		x.open()
		if len(x.boards.All()) == 1 {
			noneOf(t, x, "stay")
			x.read(stay)
		} else {
			there++
		}
		require.Equal(t, want, x.write("stay"), i)
		_, err := x.boards.Check(t.Context(), nil)
		require.NoError(t, err)
		x.close()
	}
	require.Positive(t, there)
	require.Less(t, there, len(disks))
}

// TestDissolvedVacant dissolves a group that has only what members have left to it, in a period that the board of the members has not opened.
func TestDissolvedVacant(t *testing.T) {
	clock := testclock.New()
	w, o := newWorld(t, clock), newWorld(t, clock)
	w.leaves()
	source, _ := pointsSpecs()
	og := o.oneGroup(source)
	o.read(w.write("stay"))
	require.Len(t, rows(t, o.board("stay"), "all", "all"), 1)
	require.NoError(t, og.Leave(t.Context(), "ada"))
	_, err := o.boards.Check(t.Context(), nil)
	require.NoError(t, err)
	require.NoError(t, og.Dissolve(t.Context(), "red"))
	_, err = o.boards.Check(t.Context(), nil)
	require.NoError(t, err)
	_, err = o.board("stay").Period(t.Context(), "all", "all")
	require.ErrorIs(t, err, board.ErrNoPeriod) // no group is in it any more
}

// TestDissolvedAfterRemoval is TestDissolvedVacant of a board that no file has made: its members were removed before a restart.
func TestDissolvedAfterRemoval(t *testing.T) {
	clock := testclock.New()
	w := newWorld(t, clock)
	w.leaves()
	_, err := w.board("results").Remove(t.Context(), "ada")
	require.NoError(t, err)
	require.Len(t, rows(t, w.board("stay"), "all", "all"), 1)
	w.close()
	w.open()
	g, err := w.boards.Groups(t.Context(), "guild")
	require.NoError(t, err)
	require.NoError(t, g.Dissolve(t.Context(), "red"))
	_, err = w.board("stay").Period(t.Context(), "all", "all")
	require.ErrorIs(t, err, board.ErrNoPeriod) // no group is in it any more
	_, err = w.boards.Check(t.Context(), nil)
	require.NoError(t, err)
}

// TestDerivedAll writes a derived board with a feed and awards, of groups of groups, that follows one of the best with hidden members, and makes it elsewhere.
func TestDerivedAll(t *testing.T) {
	clock := testclock.New()
	w, o := newWorld(t, clock), newWorld(t, clock)
	top := specOfTest("top with all")
	paid := specOfTest("paid").Awards
	first := board.Spec{Name: "guilds", Feed: &board.Feed{}, Awards: paid, Derived: &board.Derived{From: top.Name, Groups: "guild", Points: board.Stay, Least: 2}}
	second := board.Spec{Name: "lands", Feed: &board.Feed{}, Awards: paid, Derived: &board.Derived{From: "guilds", Groups: "land", Points: board.SinceJoining}}
	for _, x := range []*world{w, o} {
		x.guilds("red", "red", "red", "blue", "blue", "green", "green", "blue")
		x.lands("north", "north", "south")
	}
	_, err := w.boards.Define(t.Context(), top)
	require.NoError(t, err)
	for _, d := range []board.Spec{first, second} {
		_, err := w.boards.Define(t.Context(), d)
		require.NoError(t, err)
	}
	w.play(top, 3)
	names := []string{top.Name, "guilds", "lands"}
	for _, name := range names {
		o.read(w.write(name))
	}
	check := func() {
		t.Helper()
		for _, name := range names {
			require.Equal(t, w.write(name), o.write(name))
			same(t, w.board(name), o.board(name))
		}
		for _, x := range []*world{w, o} {
			_, err := x.boards.Check(t.Context(), nil)
			require.NoError(t, err)
		}
	}
	check()
	wander(t, top.Name, w, o)
	check()
	o.close()
	o.open()
	clock.Add(24 * time.Hour)
	for _, x := range []*world{w, o} {
		_, err := x.boards.CloseDue(t.Context())
		require.NoError(t, err)
		_, err = x.boards.SettleDue(t.Context())
		require.NoError(t, err)
	}
	check()
}

// lands makes groups of groups.
func (w *world) lands(in ...string) {
	ctx := context.Background()
	g, err := w.boards.DefineGroups(ctx, "land")
	require.NoError(w.t, err)
	for _, land := range []string{"north", "south"} {
		require.NoError(w.t, g.Create(ctx, land, nil))
	}
	for i, land := range in {
		require.NoError(w.t, g.Join(ctx, []string{"red", "blue", "green"}[i], land))
	}
}

// wander submits results, and moves members between groups and these between theirs, in every world the same.
func wander(t *testing.T, name string, worlds ...*world) {
	for i := range 40 {
		for _, x := range worlds {
			g, err := x.boards.Groups(t.Context(), "guild")
			require.NoError(t, err)
			l, err := x.boards.Groups(t.Context(), "land")
			require.NoError(t, err)
			member := members[[]int{0, 1, 2, 4, 5, 6, 7}[i%7]]
			if _, err := x.board(name).Submit(t.Context(), board.Submission{Member: member, Score: board.Ints(int64(i % 5))}); err != nil {
				require.ErrorIs(t, err, board.ErrHidden)
			}
			if group := []string{"red", "blue", "green"}[i%3]; i%4 == 0 {
				in, _, err := g.Of(t.Context(), member)
				require.NoError(t, err)
				if in != group {
					require.NoError(t, g.Move(t.Context(), member, group))
				}
			}
			if group, land := []string{"red", "blue", "green"}[i%3], []string{"north", "south"}[i/3%2]; i%5 == 0 {
				in, _, err := l.Of(t.Context(), group)
				require.NoError(t, err)
				if in != land {
					require.NoError(t, l.Move(t.Context(), group, land))
				}
			}
		}
		worlds[0].clock.Add(time.Microsecond)
	}
}
