package local

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
)

// TestRevertOfHidden: a revert changes the entry of a hidden member, which it has when it is shown.
func TestRevertOfHidden(t *testing.T) {
	ctx := context.Background()
	for _, top := range []*board.Top{nil, {N: 1}} {
		g := newGame(t, true)
		b := g.define(board.Spec{Name: "arena", Op: board.Sum, Windows: []board.Window{board.All, board.Day}, Journal: 10, Top: top})
		g.score(b, "ada", 3)
		g.score(b, "bob", 5)
		_, err := b.Hide(ctx, "ada", ops)
		require.NoError(t, err)
		g.score(b, "ada", 4)
		did, err := b.Revert(ctx, "ada", board.Reversion{Row: 1}, ops)
		require.NoError(t, err)
		require.Len(t, did.Places, 2)
		require.True(t, did.Places[0].Hidden)
		require.Equal(t, [2]int{}, [2]int{did.Places[0].Rank, did.Places[0].NewRank})
		shown, err := b.Show(ctx, "ada", ops)
		require.NoError(t, err)
		require.Equal(t, board.Ints(4), shown.Places[0].NewScore)
		require.Equal(t, 2, shown.Places[0].NewRank)
		g.requireSound(0, 0)
	}
}

// TestRevertOfHiddenInClosed is TestRevertOfHidden in a closed period.
func TestRevertOfHiddenInClosed(t *testing.T) {
	ctx := context.Background()
	for _, top := range []*board.Top{nil, {N: 1}} {
		g := newGame(t, true)
		b := g.define(board.Spec{Name: "arena", Op: board.Sum, Windows: []board.Window{board.Day}, Journal: 10, Top: top})
		for _, member := range []string{"ada", "bob", "cy"} {
			g.score(b, member, 3)
			g.score(b, member, 4)
		}
		g.clock.Add(24 * time.Hour)
		for _, member := range []string{"ada", "bob"} {
			_, err := b.Hide(ctx, member, ops)
			require.NoError(t, err)
		}
		for row, member := range map[uint64]string{1: "ada", 3: "bob", 4: "bob", 5: "cy"} {
			did, err := b.Revert(ctx, member, board.Reversion{Row: row}, ops)
			require.NoError(t, err)
			require.Len(t, did.Places, 1)
			require.Equal(t, member != "cy", did.Places[0].Hidden)
			g.requireSound(1, 0)
		}
		for _, member := range []string{"ada", "bob"} {
			shown, err := b.Show(ctx, member, ops)
			require.NoError(t, err)
			require.Equal(t, member == "ada", len(shown.Places) == 1)
		}
		g.requireSound(1, 0)
		r, err := b.Period(t.Context(), "day", "2026-11-20")
		require.NoError(t, err)
		row, ok, err := r.Rank(t.Context(), "ada")
		require.NoError(t, err)
		require.True(t, ok)
		require.Equal(t, board.Ints(4), row.Score)
	}
}
