package local

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
)

// pairs is the number of pairs of members that take each other's places.
const pairs = 6

func pair(i int) (first, second string) { return fmt.Sprint("a", i), fmt.Sprint("b", i) }

// TestGroupsRenameRace: while goroutines give members each other's places in both directions, others move them, hide and show them, and rename them on the board. In the end one of
// each pair is in a guild, and all guilds have the points of their members.
func TestGroupsRenameRace(t *testing.T) {
	g := newGame(t, false)
	arena := g.define(board.Spec{Name: "arena", Op: board.Sum})
	guilds, err := g.bs.DefineGroups(t.Context(), "guild")
	require.NoError(t, err)
	for i := range 3 {
		require.NoError(t, guilds.Create(t.Context(), fmt.Sprint("guild", i), nil))
	}
	for i := range pairs {
		first, _ := pair(i)
		require.NoError(t, guilds.Join(t.Context(), first, "guild0"))
	}
	var boards []board.Board
	for _, points := range []board.Points{board.Follow, board.Stay, board.SinceJoining} {
		boards = append(boards, g.define(board.Spec{Name: string(points), Derived: &board.Derived{From: "arena", Groups: "guild", Points: points}}))
	}
	g.raceRenames(arena, guilds)
	for i := range pairs {
		first, second := pair(i)
		_, one, err := guilds.Of(t.Context(), first)
		require.NoError(t, err)
		_, other, err := guilds.Of(t.Context(), second)
		require.NoError(t, err)
		require.NotEqual(t, one, other, "one of %q and %q is in a guild", first, second)
	}
	for _, b := range boards {
		corrected, err := b.Rebuild(context.Background())
		require.NoError(t, err)
		require.Zero(t, corrected, b.Name())
	}
}

// raceRenames runs the goroutines to their end.
func (g *game) raceRenames(arena board.Board, guilds board.Groups) {
	var wg sync.WaitGroup
	run := func(seed uint64, do func(rng *rand.Rand, first, second string) error) {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(seed, 7))
			for range 300 {
				first, second := pair(rng.IntN(pairs))
				err := do(rng, first, second)
				for _, allowed := range []error{board.ErrInGroup, board.ErrNotInGroup, board.ErrHidden, board.ErrNotHidden, board.ErrExists, board.ErrBusy} {
					if errors.Is(err, allowed) {
						err = nil
					}
				}
				if err != nil {
					g.t.Error(err)
					return
				}
			}
		})
	}
	ctx := context.Background()
	run(1, func(_ *rand.Rand, first, second string) error { return guilds.Rename(ctx, first, second) })
	run(2, func(_ *rand.Rand, first, second string) error { return guilds.Rename(ctx, second, first) })
	run(3, func(rng *rand.Rand, first, _ string) error {
		return guilds.Move(ctx, first, fmt.Sprint("guild", rng.IntN(3)))
	})
	run(4, func(rng *rand.Rand, first, second string) error {
		_, err := arena.Submit(ctx, board.Submission{Member: []string{first, second}[rng.IntN(2)], Score: board.Ints(int64(rng.IntN(9)))})
		return err
	})
	run(5, func(_ *rand.Rand, first, second string) error {
		_, err := arena.Rename(ctx, first, second, ops)
		return err
	})
	run(6, func(_ *rand.Rand, first, _ string) error {
		_, err := arena.Hide(ctx, first, ops)
		if err == nil {
			_, err = arena.Show(ctx, first, ops)
		}
		return err
	})
	wg.Wait()
}
