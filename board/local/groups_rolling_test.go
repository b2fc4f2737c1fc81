package local

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/engine"
)

// rolledGuilds is rolled, with boards of guilds and of alliances that follow it. Members play for the guild ada, which is in the alliance ada.
func (g *game) rolledGuilds(op board.GroupOp, members ...string) (arena, guilds, alliances board.Board) {
	ctx := context.Background()
	arena = g.rolled(board.Sum)
	for kind, joined := range map[string][]string{"guild": members, "alliance": {"ada"}} {
		k, err := g.bs.DefineGroups(ctx, kind)
		require.NoError(g.t, err)
		require.NoError(g.t, k.Create(ctx, "ada", nil))
		for _, name := range joined {
			require.NoError(g.t, k.Join(ctx, name, "ada"))
		}
	}
	guilds = g.define(board.Spec{Name: "guilds", MaxMeta: 10, Derived: &board.Derived{From: "arena", Groups: "guild", Op: op}})
	alliances = g.define(board.Spec{Name: "alliances", MaxMeta: 10, Derived: &board.Derived{From: "guilds", Groups: "alliance"}})
	return arena, guilds, alliances
}

// TestGroupsRollingEveryRead: each call that reads a board of groups finds a result of a member gone that has just left, by itself.
func TestGroupsRollingEveryRead(t *testing.T) {
	ctx := t.Context()
	reads := rollingReads(t)
	for _, refused := range []string{"Remove", "Submit", "InTx"} {
		delete(reads, refused)
	}
	length := func(b board.Board, tx *engine.Tx) error {
		r, err := in(b, tx).Live("w")
		if err != nil {
			return err
		}
		n, err := r.Len(ctx)
		return none(n, err)
	}
	reads["in a View"] = func(g *game, b board.Board) error {
		return g.e.View(ctx, func(tx *engine.Tx) error { return length(b, tx) })
	}
	reads["in an Update"] = func(g *game, b board.Board) error {
		return g.e.Update(ctx, func(tx *engine.Tx) error { return length(b, tx) })
	}
	reads["Union"] = func(g *game, b board.Board) error {
		r, err := g.bs.Union(ctx, board.UnionSpec{Sources: []board.UnionSource{{Board: b.Name(), Window: "w"}}})
		require.NoError(t, err)
		n, err := r.Len(ctx)
		return none(n, err)
	}
	for name, read := range reads {
		for depth := range 2 {
			left := func(after time.Duration) error {
				g := newGame(t, false)
				arena, guilds, alliances := g.rolledGuilds("", "p")
				g.score(arena, "p", 5)
				g.jump(after)
				return read(g, []board.Board{guilds, alliances}[depth])
			}
			require.NoError(t, left(10*time.Second-us), "%s %d", name, depth)
			err := left(10 * time.Second)
			require.True(t, errors.Is(err, errNone) || errors.Is(err, board.ErrNoPeriod) || errors.Is(err, board.ErrNotRanked), "%s %d: %v", name, depth, err)
		}
	}
}

// TestGroupsRollingReached: a group has come to its score when the last result left that has changed it, whenever somebody finds out.
func TestGroupsRollingReached(t *testing.T) {
	g := newGame(t, false)
	arena, guilds, alliances := g.rolledGuilds("", "p", "q")
	begin := g.clock.Now()
	for _, member := range []string{"p", "q", "p", "q"} {
		g.score(arena, member, 5)
		g.jump(time.Second)
	}
	g.jump(8 * time.Second)
	for _, b := range []board.Board{guilds, alliances} {
		r, err := b.Live(t.Context(), "w")
		require.NoError(t, err)
		row, ok, err := r.Rank(t.Context(), "ada")
		require.NoError(t, err)
		require.True(t, ok)
		require.Equal(t, board.Int(5), row.Score.At(0), b.Name())
		require.True(t, row.Reached.Equal(begin.Add(12*time.Second)), "%s: %v", b.Name(), row.Reached)
	}
}

// TestGroupsRollingEnds: the score of a group that is out of range is at that end of the range, and right again when it is back.
func TestGroupsRollingEnds(t *testing.T) {
	for op, want := range map[board.GroupOp][]string{
		"":                 {"ada 2 3", "ada 9223372036854775807 2", "ada 3 2", "ada 9223372036854775807 3"},
		board.GroupAverage: {"ada 0.667 3 2", "ada 9223372036854775.807 2 9223372036854775807", "ada 1.500 2 3", "ada 9223372036854775.807 3 9223372036854775807"},
	} {
		g := newGame(t, true)
		arena, guilds, alliances := g.rolledGuilds(op, "p", "q", "r")
		shows := func(i int) {
			t.Helper()
			require.Equal(t, want[i], g.live(guilds, "w"))
			for _, b := range []board.Board{guilds, alliances} {
				corrected, err := b.Rebuild(t.Context())
				require.NoError(t, err)
				require.Zero(t, corrected, b.Name())
			}
			rep, err := g.bs.Check(t.Context(), nil)
			require.NoError(t, err)
			require.Empty(t, rep.Problems)
		}
		g.score(arena, "p", math.MinInt64+1)
		g.jump(time.Second)
		g.score(arena, "q", math.MaxInt64-1)
		g.score(arena, "r", 3)
		shows(0)
		g.jump(9 * time.Second)
		shows(1)
		g.score(arena, "q", 1-math.MaxInt64)
		shows(2)
		g.score(arena, "q", math.MaxInt64-1)
		kind, err := g.bs.Groups(t.Context(), "guild")
		require.NoError(t, err)
		g.score(arena, "s", 7)
		require.NoError(t, kind.JoinAll(t.Context(), []board.Joining{{Member: "s", Group: "ada"}}, nil))
		shows(3)
	}
}

// TestGroupsRollingDefault: a new board of groups has the rolling windows too, unless it cannot have them; one that is there keeps the windows that it has.
func TestGroupsRollingDefault(t *testing.T) {
	g := newGame(t, true)
	g.rolled(board.Sum, board.All)
	_, err := g.bs.DefineGroups(t.Context(), "guild")
	require.NoError(t, err)
	d := &board.Derived{From: "arena", Groups: "guild"}
	names := func(spec board.Spec) (names []string) {
		for _, w := range g.define(spec).Spec().Windows {
			names = append(names, w.Name)
		}
		return names
	}
	require.Equal(t, []string{"w", "all"}, names(board.Spec{Name: "both", Derived: d}))
	require.Equal(t, []string{"all"}, names(board.Spec{Name: "top", Derived: d, Top: &board.Top{N: 1}}))
	require.Equal(t, []string{"all"}, names(board.Spec{Name: "growing", Derived: d, PartMembers: 1}))
	require.Equal(t, []string{"all"}, names(board.Spec{Name: "stay", Derived: &board.Derived{From: "arena", Groups: "guild", Points: board.Stay}}))
	g.define(board.Spec{Name: "old", Derived: d, Windows: []board.Window{board.All}})
	g.reopen()
	require.Equal(t, []string{"all"}, names(board.Spec{Name: "old", Derived: d}))
}

// TestGroupsMigrateWindow: a board of groups that gets another window by a migration has the scores of its groups there.
func TestGroupsMigrateWindow(t *testing.T) {
	g := newGame(t, true)
	arena, _, _ := g.rolledGuilds("", "p")
	g.score(arena, "p", 5)
	spec := board.Spec{Name: "arena", Op: board.Sum, MaxMeta: 10, Windows: []board.Window{board.Rolling("w", 10*time.Second), board.All, board.Day}}
	g.migrate(spec)
	g.score(g.board("arena"), "p", 2)
	spec = g.board("guilds").Spec()
	spec.Columns, spec.Op = nil, ""
	spec.Windows = append(spec.Windows, board.All, board.Day)
	g.migrate(spec)
	for _, w := range []string{"w", "all", "day"} {
		require.Equal(t, map[string]string{"w": "ada 7 1", "all": "ada 2 1", "day": "ada 2 1"}[w], g.live(g.board("guilds"), w), w)
	}
}

// TestGroupsRollingRace: while members submit, go from guild to guild, are hidden and shown, and results leave, every View sees the guilds' points as those of the members.
func TestGroupsRollingRace(t *testing.T) {
	g := newGame(t, false)
	arena := g.define(board.Spec{Name: "arena", Op: board.Sum, Windows: []board.Window{board.Rolling("all", time.Hour)}})
	guilds, err := g.bs.DefineGroups(t.Context(), "guild")
	require.NoError(t, err)
	rng := rand.New(rand.NewPCG(1, 1))
	for i := range 4 {
		require.NoError(t, guilds.Create(t.Context(), fmt.Sprint("guild", i), nil))
	}
	for i := range racers {
		require.NoError(t, guilds.Join(t.Context(), fmt.Sprint("m", i), fmt.Sprint("guild", rng.IntN(4))))
	}
	sum := g.define(board.Spec{Name: "sum", Derived: &board.Derived{From: "arena", Groups: "guild"}})
	stop := g.raceGroups(arena, guilds)
	for range 200 {
		require.NoError(t, g.compareInView(arena, sum))
	}
	stop()
	corrected, err := sum.Rebuild(t.Context())
	require.NoError(t, err)
	require.Zero(t, corrected)
}
