package local

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/window"
)

// seasonal is a board of members with seasons, guilds that follow it, and alliances that follow these.
func (g *game) seasonal(seasons ...board.Season) (arena board.Board) {
	ctx := context.Background()
	arena = g.define(board.Spec{Name: "arena", Op: board.Sum, Windows: []board.Window{board.All, {Kind: window.Seasons, Seasons: seasons}}})
	for kind, in := range map[string]map[string]string{"guild": {"m0": "one", "m1": "two", "m2": "one"}, "alliance": {"one": "one", "two": "two"}} {
		groups, err := g.bs.DefineGroups(ctx, kind)
		require.NoError(g.t, err)
		require.NoError(g.t, groups.Create(ctx, "one", nil))
		require.NoError(g.t, groups.Create(ctx, "two", nil))
		for member, group := range in {
			require.NoError(g.t, groups.Join(ctx, member, group))
		}
	}
	g.define(board.Spec{Name: "guilds", Derived: &board.Derived{From: "arena", Groups: "guild"}})
	g.define(board.Spec{Name: "alliances", Derived: &board.Derived{From: "guilds", Groups: "alliance"}, Windows: []board.Window{{Kind: window.Seasons, Seasons: seasons, Keep: 2}}})
	g.define(board.Spec{Name: "all guilds", Derived: &board.Derived{From: "arena", Groups: "guild"}, Windows: []board.Window{board.All}})
	return arena
}

func season(g *game, i int) board.Season {
	start := g.clock.Now().Truncate(time.Hour).AddDate(0, i, 0)
	return board.Season{Name: fmt.Sprint("s", i), Start: start, End: start.AddDate(0, 1, 0)}
}

// TestGroupsMigrate: boards that follow take further seasons from their source with it, and nothing else: what they cannot follow is refused.
func TestGroupsMigrate(t *testing.T) {
	g := newGame(t, true)
	first, second := season(g, 0), season(g, 1)
	arena := g.seasonal(first)
	g.score(arena, "m0", 5)
	g.score(arena, "m1", 7)
	require.Equal(t, "two 7 1, one 5 1", g.live(g.board("alliances"), "seasons"))
	spec := arena.Spec()
	spec.Windows = []board.Window{board.All, {Kind: window.Seasons, Seasons: []board.Season{first, second}}}
	g.migrate(spec)
	arena = g.board("arena")
	for name, version := range map[string]int{"guilds": 2, "alliances": 2, "all guilds": 1} {
		require.Equal(t, version, g.board(name).Version(), name)
	}
	require.Equal(t, 2, g.board("alliances").Spec().Windows[0].Keep)
	g.score(arena, "m2", 1)
	require.Equal(t, "two 7 1, one 6 1", g.live(g.board("alliances"), "seasons"))
	g.jump(second.Start.Sub(g.clock.Now()))
	_, err := g.bs.CloseDue(t.Context())
	require.NoError(t, err)
	g.score(arena, "m2", 3)
	g.reopen()
	g.score(g.board("arena"), "m1", 2)
	require.Equal(t, "one 3 1, two 2 1", g.live(g.board("alliances"), "seasons"))
	require.Equal(t, "two 7 1, one 6 2", g.show(g.board("guilds").LastClosed(t.Context(), "seasons")))
	rep, err := g.bs.Check(t.Context(), nil)
	require.NoError(t, err)
	require.Empty(t, rep.Problems)

	for what, change := range map[string]func(*board.Spec){
		"window": func(s *board.Spec) { s.Windows = s.Windows[:1] },
		"column": func(s *board.Spec) { s.Columns = append(s.Columns, board.Column{Name: "wins"}) },
	} {
		spec := g.board("arena").Spec()
		change(&spec)
		_, err := g.bs.Migrate(t.Context(), spec)
		require.ErrorIs(t, err, board.ErrFollowed, what)
	}
	require.Equal(t, 2, g.board("arena").Version())
}

// TestGroupsMigrateCrash: a power cut during a migration leaves all boards as they were, or all as they are afterwards.
func TestGroupsMigrateCrash(t *testing.T) { cutGroupsMigration(t) }

func cutGroupsMigration(t testing.TB) {
	c := &crasher{}
	g := newGame(t, true, crashing(c))
	first := season(g, 0)
	arena := g.seasonal(first)
	g.score(arena, "m0", 5)
	g.score(arena, "m1", 7)
	before, err := dump(g.bs)
	require.NoError(t, err)
	c.take()
	spec := arena.Spec()
	spec.Windows = []board.Window{board.All, {Kind: window.Seasons, Seasons: []board.Season{first, season(g, 1)}}}
	g.migrate(spec)
	after, err := dump(g.bs)
	require.NoError(t, err)
	old, next := g.recoveredAs(t, c, before, after)
	require.Positive(t, old)
	require.Positive(t, next)
}
