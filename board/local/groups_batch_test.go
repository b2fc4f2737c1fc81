package local

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/window"
	"github.com/zrankdb/zrank/engine"
)

// TestJoinTogether: members who join a group by one commit count for it as those do who join one after the other, with every operator, also after the period
// is closed. A board that is defined afterwards says so.
func TestJoinTogether(t *testing.T) {
	for _, derived := range []board.Derived{{}, {Op: board.GroupBest}, {Op: board.GroupBestOf, K: 2}, {Op: board.GroupAverage}, {Op: board.GroupCount}, {Points: board.Stay}, {Points: board.SinceJoining}} {
		t.Run(fmt.Sprint(derived.Op, " ", derived.Points), func(t *testing.T) {
			g := newGame(t, false)
			arena := g.define(board.Spec{Name: "arena", Op: board.Sum, Windows: []board.Window{{Kind: window.Day}, board.All}})
			k, err := g.bs.DefineGroups(t.Context(), "guild")
			require.NoError(t, err)
			for _, name := range []string{"wolves", "bears"} {
				require.NoError(t, k.Create(t.Context(), name, nil))
			}
			derived.From, derived.Groups = "arena", "guild"
			first := g.define(board.Spec{Name: "first", Derived: &derived})
			var list []board.Joining
			for i, name := range []string{"ada", "bea", "cyd", "dan", "eve", "fay"} {
				_, err := arena.Submit(t.Context(), board.Submission{Member: name, Score: board.Ints(int64(60 - 10*i))})
				require.NoError(t, err)
				list = append(list, board.Joining{Member: name, Group: []string{"wolves", "wolves", "bears"}[i%3]})
			}
			require.NoError(t, k.JoinAll(t.Context(), list, nil))
			n, err := first.Rebuild(context.Background())
			require.NoError(t, err)
			require.Zero(t, n, "groups had other scores than their members make")
			live, err := first.Live(t.Context(), "day")
			require.NoError(t, err)
			was := standings(t, live)
			if derived.Points == "" { // else a new board counts all points
				second, err := g.define(board.Spec{Name: "second", Derived: &derived}).Live(t.Context(), "day")
				require.NoError(t, err)
				require.Equal(t, standings(t, second), was)
			}
			info, err := arena.CloseNow(t.Context(), "day")
			require.NoError(t, err)
			closed, err := first.Period(t.Context(), "day", info.Period)
			require.NoError(t, err)
			require.True(t, infoOf(closed).Closed)
			require.Equal(t, was, standings(t, closed))
		})
	}
}

// joinAll makes several members that are in no group join groups, by one commit.
func (s *societies) joinAll(kind string) {
	g, err := s.bs.Groups(context.Background(), kind)
	require.NoError(s.t, err)
	groups := slices.Sorted(maps.Keys(s.groups[kind]))
	var list []board.Joining
	for _, i := range s.rng.Perm(20)[:1+s.rng.IntN(12)] {
		if member := fmt.Sprint("m", i); len(groups) > 0 && s.in[kind][member] == "" {
			list = append(list, board.Joining{Member: member, Group: groups[s.rng.IntN(min(2, len(groups)))]})
		}
	}
	require.NoError(s.t, g.JoinAll(context.Background(), list, nil))
	for _, j := range list {
		s.moved(kind, j.Member, "", j.Group)
	}
}

// rebuildClosed computes the closed periods of a board again: all of them are as their members of then make them.
func (s *societies) rebuildClosed(b board.Board) {
	for _, p := range s.closedOf(b) {
		n, err := b.RebuildPeriod(context.Background(), "day", p)
		if !errors.Is(err, board.ErrNoPeriod) { // the board that is followed does not keep it
			require.NoError(s.t, err)
			require.Zero(s.t, n, "%s of %s", p, b.Name())
		}
	}
}

// closedWrong returns a game with a board of groups by their best members, and one by the sum with at least two, whose closed day lacks members that the groups have. A commit in which members did not see
// each other would have left the same. An earlier version has closed the day, so that nobody knows who was in which group then.
func closedWrong(t *testing.T) (g *game, arena board.Board, day string) {
	g = newGame(t, true)
	arena = g.define(board.Spec{Name: "arena", Op: board.Sum, Windows: []board.Window{{Kind: window.Day}}})
	k, err := g.bs.DefineGroups(t.Context(), "guild")
	require.NoError(t, err)
	for i, name := range []string{"wolves", "bears", "gone"} {
		require.NoError(t, k.Create(t.Context(), name, nil))
		g.score(arena, []string{"cyd", "bob", "zoe"}[i], int64(10+i))
		require.NoError(t, k.Join(t.Context(), []string{"cyd", "bob", "zoe"}[i], name))
	}
	g.define(board.Spec{Name: "best", Derived: &board.Derived{From: "arena", Groups: "guild", Op: board.GroupBest}})
	g.define(board.Spec{Name: "sum", Derived: &board.Derived{From: "arena", Groups: "guild", Least: 2}})
	g.score(arena, "ada", 30)
	g.score(arena, "bea", 20)
	g.score(arena, "new", 99)
	info, err := arena.CloseNow(t.Context(), "day")
	require.NoError(t, err)
	g.clock.Add(time.Hour)
	for _, name := range []string{"best", "sum"} {
		require.NoError(t, g.bs.catalog.Owner.Update(t.Context(), nil, func(tx *engine.Tx) error { return tx.Delete(boardkey.Since(name)) }))
	}
	g.reopen()
	arena = g.board("arena")
	k, err = g.bs.Groups(t.Context(), "guild")
	require.NoError(t, err)
	require.NoError(t, k.Create(t.Context(), "since", nil))
	require.NoError(t, k.JoinAll(t.Context(), []board.Joining{{Member: "ada", Group: "wolves"}, {Member: "bea", Group: "wolves"}, {Member: "new", Group: "since"}}, nil))
	require.NoError(t, k.Dissolve(t.Context(), "gone"))
	g.index()
	return g, arena, info.Period
}

// TestRebuildPeriod: a check tells, as a note and not as a problem, that groups of closed periods have other scores than their present members make, and RebuildPeriod gives them those: also to a group that
// had too few members. Groups that were dissolved since keep theirs, those that were made since get none. The record, the index and the disk agree.
func TestRebuildPeriod(t *testing.T) {
	g, arena, day := closedWrong(t)
	best, sum := g.board("best"), g.board("sum")
	require.Equal(t, "gone 12 1, bears 11 1, wolves 10 1", g.period(best, "day", day))
	_, err := sum.Period(t.Context(), "day", day)
	require.ErrorIs(t, err, board.ErrNoPeriod, "no group had two members")
	rep := g.checkBoth()
	require.Empty(t, rep.Problems)
	require.Len(t, rep.Notes, 2)
	require.Equal(t, `board "best", window "day"`, rep.Notes[0].Where)
	require.Contains(t, rep.Notes[0].What, fmt.Sprintf(`in 1 closed periods groups have other scores than their present members make, the last of them %q, where "wolves" has 10 1 and not 30 3`, day))
	for _, b := range []board.Board{best, sum} {
		n, err := b.RebuildPeriod(t.Context(), "day", day)
		require.NoError(t, err)
		require.Equal(t, 1, n)
	}
	require.Equal(t, "wolves 30 3, gone 12 1, bears 11 1", g.period(best, "day", day))
	require.Equal(t, "wolves 60 3", g.period(sum, "day", day))
	check := func() {
		t.Helper()
		rep := g.checkBoth()
		require.Empty(t, rep.Problems)
		require.Empty(t, rep.Notes)
	}
	check()
	g.index()
	check()
	g.reopen()
	check()
	arena, best, sum = g.board("arena"), g.board("best"), g.board("sum")
	m, err := best.Member(t.Context(), "wolves")
	require.NoError(t, err)
	require.Equal(t, 1, m.Windows[0].Places[0].Rank)

	_, err = arena.Ban(t.Context(), "ada", ops)
	require.NoError(t, err)
	_, err = arena.Ban(t.Context(), "bob", ops)
	require.NoError(t, err)
	require.Equal(t, "wolves 30 3, gone 12 1, bears 11 1", g.period(best, "day", day), "a ban does not reach it")
	require.Len(t, g.checkBoth().Notes, 2)
	for _, b := range []board.Board{best, sum} {
		_, err := b.RebuildPeriod(t.Context(), "day", day)
		require.NoError(t, err)
	}
	require.Equal(t, "wolves 20 2, gone 12 1", g.period(best, "day", day))
	require.Equal(t, "wolves 30 2", g.period(sum, "day", day))
	check()
	g.index()
	check()
}

// TestRebuildPeriodRefused: RebuildPeriod says why it cannot compute a period.
func TestRebuildPeriodRefused(t *testing.T) {
	g, arena, day := closedWrong(t)
	for _, c := range []struct {
		b              board.Board
		window, period string
		want           error
	}{{arena, "day", day, board.ErrNotDerived}, {g.board("best"), "week", day, board.ErrNoWindow}, {g.board("best"), "day", "x", board.ErrNoPeriod}, {g.board("best"), "day", "2001-01-01", board.ErrNoPeriod},
		{g.board("best"), "day", "2100-01-01", board.ErrPeriodOpen}} {
		_, err := c.b.RebuildPeriod(t.Context(), c.window, c.period)
		require.ErrorIs(t, err, c.want)
	}
}

// standings returns the rows of a ranking as text, best first.
func standings(t *testing.T, r board.Ranking) (list []string) {
	t.Helper()
	rows, err := r.Top(t.Context(), 100)
	require.NoError(t, err)
	for _, row := range rows {
		list = append(list, fmt.Sprint(row.Rank, " ", row.Member, " ", row.Score))
	}
	return list
}
