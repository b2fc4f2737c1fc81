package local

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/engine"
)

// TestCheckTiers: a check finds an entry of a tier that there cannot be, and one of the lowest tier (CO6).
func TestCheckTiers(t *testing.T) {
	for _, tier := range []int64{0, board.MaxTiers} {
		g := newGame(t, true)
		b := g.define(board.Spec{Name: "arena", Windows: []board.Window{{Name: "week", Kind: board.Week.Kind}}, Leagues: &board.Leagues{Window: "week", Tiers: []string{"a", "b"}, Size: 2}})
		_, err := b.SetTier(t.Context(), "m0", "b", ops)
		require.NoError(t, err)
		g.requireSound(0, 0)
		key := Key{Board: "arena", Kind: ".tiers.week", Period: "all", Version: 1}.String()
		require.NoError(t, coreOf(b).Owner().Update(t.Context(), []string{key}, func(tx *engine.Tx) error {
			set, err := tx.IntSet(key, engine.Form{})
			require.NoError(t, err)
			return errorOf(set.Add([]byte("m0"), tier))
		}))
		rep := g.checkBoth()
		require.Len(t, rep.Problems, 1)
		require.Equal(t, fmt.Sprintf("member \"m0\" has tier %d", tier), rep.Problems[0].What)
	}
}

// TestErasedTier: tiers stay when the leagues of a board are taken away. An erasure removes them then too, and a member that gets another name takes them along.
func TestErasedTier(t *testing.T) {
	g := newGame(t, true)
	spec := board.Spec{Name: "arena", Windows: []board.Window{{Name: "week", Kind: board.Week.Kind}}, Leagues: &board.Leagues{Window: "week", Tiers: []string{"a", "b"}, Size: 2}}
	b := g.define(spec)
	for _, member := range []string{"ada", "bob"} {
		_, err := b.SetTier(t.Context(), member, "b", ops)
		require.NoError(t, err)
	}
	without := spec
	without.Leagues = nil
	ctx := context.Background()
	b, err := g.bs.Migrate(ctx, without)
	require.NoError(t, err)
	r, err := b.Erase(ctx, "ada", ops)
	require.NoError(t, err)
	require.Equal(t, "[{tier  1}]", fmt.Sprint(r.Traces))
	_, err = b.Rename(ctx, "bob", "cyd", ops)
	require.NoError(t, err)
	b, err = g.bs.Migrate(ctx, spec)
	require.NoError(t, err)
	for member, want := range map[string]string{"ada": "a", "bob": "a", "cyd": "b"} {
		tier, err := b.Tier(ctx, member)
		require.NoError(t, err)
		require.Equal(t, want, tier, member)
	}
}

// TestDroppedTiers: Drop deletes the tiers of a board, and Migrate those of a window that the board has no more.
func TestDroppedTiers(t *testing.T) {
	g := newGame(t, true)
	spec := board.Spec{Name: "arena", Windows: []board.Window{board.All, {Name: "week", Kind: board.Week.Kind}}, Leagues: &board.Leagues{Window: "week", Tiers: []string{"a", "b"}, Size: 2}}
	without := board.Spec{Name: "arena", Windows: []board.Window{board.All}}
	for _, remove := range []func(){
		func() { require.NoError(t, g.bs.Drop(t.Context(), "arena")) },
		func() { require.NoError(t, errorOf(g.bs.Migrate(context.Background(), without))) },
	} {
		b, err := g.bs.Define(t.Context(), spec)
		require.NoError(t, err)
		require.NoError(t, errorOf(b.SetTier(t.Context(), "ada", "b", ops)))
		require.Equal(t, []string{"board/arena/.tiers.week/all/v1"}, g.sets())
		remove()
		require.Empty(t, g.sets())
	}
	b, err := g.bs.Migrate(context.Background(), spec)
	require.NoError(t, err)
	tier, err := b.Tier(t.Context(), "ada")
	require.NoError(t, err)
	require.Equal(t, "a", tier)
}
