package local

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/window"
)

// TestGroupsCrash: after a power cut before any operation on the disk the groups have the scores of the members that they have, and members are in the group in which they
// were before the call that was cut or in the one after it. When a member takes the place of another one, one of the two is in the group.
func TestGroupsCrash(t *testing.T) {
	c := &crasher{}
	g := newGame(t, true, crashing(c))
	arena := g.define(board.Spec{Name: "arena", Op: board.Sum, Windows: []board.Window{board.All, {Kind: window.Hour}}})
	guilds, err := g.bs.DefineGroups(t.Context(), "guild")
	require.NoError(t, err)
	for i, points := range []board.Points{board.Follow, board.Stay, board.SinceJoining} {
		g.define(board.Spec{Name: fmt.Sprint("guilds", i), Derived: &board.Derived{From: "arena", Groups: "guild", Points: points}})
	}
	for i := range 3 {
		require.NoError(t, guilds.Create(t.Context(), fmt.Sprint("guild", i), nil))
	}
	rng := rand.New(rand.NewPCG(4, 4))
	in := map[string]string{}
	for range 60 {
		c.take()
		member, other, was := fmt.Sprint("m", rng.IntN(6)), "", ""
		before := in[member]
		switch n := rng.IntN(12); {
		case n < 5:
			g.score(arena, member, int64(rng.IntN(30)))
		case n < 7 && before != "":
			if to := fmt.Sprint("m", rng.IntN(6)); in[to] == "" {
				require.NoError(t, guilds.Rename(t.Context(), member, to))
				in[to], other = before, to
				delete(in, member)
			}
		case n < 10:
			was = g.stroll(guilds, in, member, fmt.Sprint("guild", rng.IntN(3)))
		case n < 11:
			g.clock.Add(40 * time.Minute)
			_, err := g.bs.CloseDue(t.Context())
			require.NoError(t, err)
		default:
			require.NoError(t, guilds.Dissolve(context.Background(), "guild2"))
			require.NoError(t, guilds.Create(t.Context(), "guild2", nil))
			for m, group := range in {
				if group == "guild2" {
					delete(in, m)
				}
			}
		}
		for i, d := range c.take() {
			if i%4 > 0 {
				continue
			}
			_, err := recovered(d.disk, g.clock.Now(), func(bs *Boards) error {
				if other != "" {
					if err := oneIn(bs, before, member, other); err != nil {
						return err
					}
				}
				return intact(bs, member, before, was, in[member])
			})
			require.NoError(t, err, d.point)
		}
	}
}

// stroll makes a member join a group, go to it, or leave its own, and returns the group in which it was.
func (g *game) stroll(guilds board.Groups, in map[string]string, member, to string) (was string) {
	ctx := context.Background()
	switch was = in[member]; was {
	case "":
		require.NoError(g.t, guilds.Join(ctx, member, to))
	case to:
		require.NoError(g.t, guilds.Leave(ctx, member))
		delete(in, member)
		return was
	default:
		require.NoError(g.t, guilds.Move(ctx, member, to))
	}
	in[member] = to
	return was
}

// oneIn returns an error unless one of two members is in a group.
func oneIn(bs *Boards, group, member, other string) error {
	ctx := context.Background()
	guilds, err := bs.Groups(ctx, "guild")
	if err != nil {
		return err
	}
	first, _, err := guilds.Of(ctx, member)
	if err != nil {
		return err
	}
	second, _, err := guilds.Of(ctx, other)
	if err != nil {
		return err
	}
	if (first == group) == (second == group) {
		return fmt.Errorf("%q is in %q and %q in %q, want one of them in %q", member, first, other, second, group)
	}
	return nil
}

// intact returns an error unless all groups have the scores of their members, and a member is in one of some groups.
func intact(bs *Boards, member string, groups ...string) error {
	ctx := context.Background()
	for _, b := range bs.All() {
		if b.Spec().Derived == nil {
			continue
		}
		if n, err := b.Rebuild(ctx); n > 0 || err != nil {
			return fmt.Errorf("%s: %d groups did not have the scores of their members, %w", b.Name(), n, err)
		}
	}
	guilds, err := bs.Groups(ctx, "guild")
	if err != nil {
		return err
	}
	is, _, err := guilds.Of(ctx, member)
	if err != nil {
		return err
	}
	for _, group := range groups {
		if is == group {
			return nil
		}
	}
	return fmt.Errorf("%q is in %q, not in one of %q", member, is, groups)
}
