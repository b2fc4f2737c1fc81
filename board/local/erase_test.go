package local

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/audit"
	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/board/window"
	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/internal/traces"
)

// eraseSpecs are boards that keep a member's name in all places that there are.
func eraseSpecs() []board.Spec {
	days := []board.Window{{Kind: window.Day}, board.All}
	plan := []awards.Plan{{Window: "day", Tiers: medals, Claim: true}}
	return []board.Spec{
		{Name: "arena", Op: board.Sum, Windows: days, MaxMeta: 64, BestRanks: true, Journal: 1000, Awards: plan},
		{Name: "cup", Op: board.BestOf, K: 2, Windows: days, MaxMeta: 64, Awards: plan},
		{Name: "parts", Op: board.Last, Windows: days, Parts: 3, Ties: board.ByMember},
		{Name: "top", Windows: days, Top: &board.Top{N: 3, Reserve: 2}},
	}
}

// fillWith plays four days in which a member takes part, and leaves its name wherever it can be.
func (g *game) fillWith(name string) {
	ctx := context.Background()
	for day := range 4 {
		for _, b := range g.bs.All() {
			for i, member := range []string{"ada", name, "bob", "cid", "dan", "eve"} {
				sub := board.Submission{Member: member, Score: board.Ints(int64(10*day + i)), Once: fmt.Sprint(member, " ", day)}
				if b.Spec().MaxMeta > 0 {
					sub.Meta = []byte(member)
				}
				_, err := b.Submit(ctx, sub)
				require.NoError(g.t, err)
			}
			require.NoError(g.t, b.SaveBaseline(ctx, "all", fmt.Sprint(day)))
		}
		require.NoError(g.t, g.bs.StoreUnion(ctx, "both", board.UnionSpec{Sources: []board.UnionSource{{Board: "arena", Window: "all"}, {Board: "top", Window: "all"}}}))
		if day == 1 {
			require.NoError(g.t, g.e.Snapshot())
		}
		g.settle()
	}
	arena := g.board("arena")
	_, err := arena.Resettle(ctx, "day", "2026-11-21", awards.Resettlement{Without: []string{name}})
	require.NoError(g.t, err)
	_, err = arena.Ban(ctx, name, board.Action{By: "ops " + name, Reason: "because of " + name})
	require.NoError(g.t, err)
	_, err = arena.Ban(ctx, "bob", board.Action{By: "ops", Reason: "plays with " + name})
	require.NoError(g.t, err)
}

// TestErase: after an erasure and a compaction no file has the name of the member, and everything else is as it was.
func TestErase(t *testing.T) { testErase(t) }

func testErase(t testing.TB) {
	ctx := context.Background()
	g := newGame(t, true, func(g *game) { g.mem = memfs.NewCrashable() })
	for _, spec := range eraseSpecs() {
		g.define(spec)
	}
	name := traces.Name(7, 40)
	g.fillWith(name)
	found, err := traces.Find(g.mem, "db", name)
	require.NoError(t, err)
	require.NotEmpty(t, found)

	dry, err := g.bs.Erase(ctx, name, board.Action{By: "privacy", DryRun: true})
	require.NoError(t, err)
	require.Equal(t, []string{"both"}, dry.Unions)
	receipt, err := g.bs.Erase(ctx, name, board.Action{By: "privacy", Reason: "request 12"})
	require.NoError(t, err)
	require.Equal(t, []string{"both"}, receipt.Unions)
	require.Len(t, receipt.Boards, 4)
	require.Len(t, dry.Boards, 4)
	for boardName, m := range receipt.Boards {
		g.equalDry(dry.Boards[boardName], m)
	}
	require.Empty(t, receipt.Boards["arena"].Places, "banned")
	require.Len(t, receipt.Boards["cup"].Places, 5)
	require.Equal(t, "[{award  4} {baseline all 0 1} {baseline all 1 1} {baseline all 2 1} {baseline all 3 1} {Once key  1}]", fmt.Sprint(receipt.Boards["cup"].Traces))
	require.ErrorIs(t, errorOf(g.board("arena").Submit(t.Context(), board.Submission{Member: name, Score: board.Ints(1)})), board.ErrBanned)
	require.NoError(t, g.e.Snapshot())
	check, err := g.bs.Check(ctx, nil)
	require.NoError(t, err)
	require.Empty(t, check.Problems)
	_, err = g.e.Compact(ctx, nil)
	require.NoError(t, err)
	g.erased(name)
	require.NoError(t, g.e.Backup(ctx, "copy"))
	found, err = traces.Find(g.mem, "copy", name)
	require.NoError(t, err)
	require.Empty(t, found)
	g.stillBanned(name)
}

// erased requires that no file has a name.
func (g *game) erased(name string) {
	found, err := traces.Find(g.mem, "db", name)
	require.NoError(g.t, err)
	require.Empty(g.t, found)
	for _, line := range g.logged.take() {
		require.NotContains(g.t, line, name)
	}
}

// stillBanned requires that a ban outlives the erasure and a restart, that the audit log finds it, and that Unban ends it.
func (g *game) stillBanned(name string) {
	t := g.t
	g.reopen()
	b := g.board("arena")
	require.ErrorIs(t, errorOf(b.Submit(t.Context(), board.Submission{Member: name, Score: board.Ints(1)})), board.ErrBanned)
	var kinds []string
	for e, err := range b.Audit(t.Context(), audit.Filter{Member: name}) {
		require.NoError(t, err)
		require.Empty(t, e.Member)
		require.Len(t, e.Hash, 64)
		require.NotContains(t, e.By+e.Reason, name)
		kinds = append(kinds, string(e.Kind))
	}
	require.Equal(t, []string{"ban", "erase"}, kinds)
	_, err := b.Unban(t.Context(), name, ops)
	require.NoError(t, err)
	_, err = b.Submit(t.Context(), board.Submission{Member: name, Score: board.Ints(1)})
	require.NoError(t, err)
	empty, err := b.Erase(context.Background(), "nobody", ops)
	require.NoError(t, err)
	require.Empty(t, empty.Places)
	require.Empty(t, empty.Traces)
}
