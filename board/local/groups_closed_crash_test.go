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
	"github.com/zrankdb/zrank/board/window"
)

// TestGroupsClosedCrash: after a power cut before any operation on the disk, while members of closed periods are moderated and members join, leave and are dissolved, the check finds the closed
// periods of groups as their members of then make them, and their digests right; also when what the cut has left is done.
func TestGroupsClosedCrash(t *testing.T) { cutClosedGroups(t, 40) }

func cutClosedGroups(t testing.TB, steps int) {
	c := &crasher{}
	g := newGame(t, true, crashing(c))
	arena := g.define(board.Spec{Name: "arena", Op: board.Sum, Windows: []board.Window{{Kind: window.Hour, Keep: 4}}})
	guilds, err := g.bs.DefineGroups(context.Background(), "guild")
	require.NoError(t, err)
	for i, d := range []board.Derived{{}, {Op: board.GroupBest}, {Points: board.Stay}} {
		d.From, d.Groups = "arena", "guild"
		g.define(board.Spec{Name: fmt.Sprint("guilds", i), Derived: &d})
	}
	for i := range 3 {
		require.NoError(t, guilds.Create(context.Background(), fmt.Sprint("guild", i), nil))
	}
	rng := rand.New(rand.NewPCG(7, 7))
	in := map[string]string{}
	for range steps {
		c.take()
		g.closedStep(arena, guilds, rng, in)
		for i, d := range c.take() {
			if i%4 > 0 {
				continue
			}
			_, err := recovered(d.disk, g.clock.Now(), asThen)
			require.NoError(t, err, d.point)
		}
	}
}

// closedStep makes a random step.
func (g *game) closedStep(arena board.Board, guilds board.Groups, rng *rand.Rand, in map[string]string) {
	ctx := context.Background()
	member, other := fmt.Sprint("m", rng.IntN(6)), fmt.Sprint("m", rng.IntN(8))
	var err error
	switch n := rng.IntN(14); {
	case n < 4:
		_, err = arena.Submit(ctx, board.Submission{Member: member, Score: board.Ints(int64(rng.IntN(30)))})
	case n < 7:
		g.stroll(guilds, in, member, fmt.Sprint("guild", rng.IntN(3)))
	case n < 9:
		g.clock.Add(40 * time.Minute)
		_, err = g.bs.CloseDue(ctx)
	case n < 10:
		require.NoError(g.t, guilds.Dissolve(ctx, "guild2"))
		require.NoError(g.t, guilds.Create(ctx, "guild2", nil))
		for m, group := range in {
			if group == "guild2" {
				delete(in, m)
			}
		}
	case n < 11:
		if _, err = arena.Ban(ctx, member, ops); err == nil {
			_, err = arena.Unban(ctx, member, ops)
		}
	case n < 12:
		if _, err = arena.Hide(ctx, member, ops); err == nil {
			_, err = arena.Show(ctx, member, ops)
		}
	case n < 13:
		_, err = arena.Rename(ctx, member, other, ops)
	default:
		_, err = arena.Merge(ctx, member, other, ops)
	}
	if !errors.Is(err, board.ErrExists) && !errors.Is(err, board.ErrAction) {
		require.NoError(g.t, err)
	}
}

// asThen returns an error unless all closed periods of groups are as their members of then make them, before and after what is left of changes is done.
func asThen(bs *Boards) error {
	ctx := context.Background()
	for _, b := range bs.All() {
		if b.Spec().Derived == nil {
			continue
		}
		periods, err := b.Periods(ctx, "hour")
		if err != nil {
			return err
		}
		for _, p := range periods {
			if !p.Closed {
				continue
			}
			n, err := b.RebuildPeriod(ctx, "hour", p.Period)
			if n > 0 || err != nil && !errors.Is(err, board.ErrNoPeriod) {
				return fmt.Errorf("%s of %s: %d groups did not have the scores of their members of then, %w", p.Period, b.Name(), n, err)
			}
		}
	}
	rep, err := bs.Check(ctx, nil)
	if err == nil && len(rep.Problems)+len(rep.Notes) > 0 {
		err = fmt.Errorf("%v %v", rep.Problems, rep.Notes)
	}
	return err
}

// TestGroupsClosedOutOfRange: a group of a closed period whose score would be out of range keeps it when a member leaves the period, and what counts for the member since it joined goes with its entry.
func TestGroupsClosedOutOfRange(t *testing.T) {
	g := newGame(t, true)
	arena := g.define(board.Spec{Name: "arena", Op: board.Sum, Windows: []board.Window{{Kind: window.Hour, Keep: 4}}})
	kind := must(g.bs.DefineGroups(t.Context(), "guild"))
	guilds := g.define(board.Spec{Name: "guilds", Derived: &board.Derived{From: "arena", Groups: "guild", Points: board.SinceJoining}})
	require.NoError(t, kind.Create(t.Context(), "wolves", nil))
	g.score(arena, "p", 10)
	for _, member := range []string{"p", "q", "r"} {
		require.NoError(t, kind.Join(t.Context(), member, "wolves"))
	}
	g.score(arena, "p", -15)
	g.score(arena, "q", math.MaxInt64)
	g.score(arena, "r", 10)
	require.Len(t, g.privates("board.points"), 1)
	g.clock.Add(time.Hour)
	must(g.bs.CloseDue(t.Context()))
	must(arena.Ban(t.Context(), "p", ops))
	require.Equal(t, "wolves 9223372036854775802 3", g.show(guilds.LastClosed(t.Context(), "hour")))
	require.Empty(t, g.privates("board.points"))
	rep := must(g.bs.Check(t.Context(), nil))
	require.Empty(t, rep.Problems)
}
