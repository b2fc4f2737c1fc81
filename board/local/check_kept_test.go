package local

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/check"
	"github.com/zrankdb/zrank/engine"
)

// TestCheckKept: a check compares the number of ranked members with that of members with kept results, in each period.
func TestCheckKept(t *testing.T) {
	g := newGame(t, true)
	b := g.define(board.Spec{Name: "arena", Op: board.BestOf, K: 2, Windows: []board.Window{board.All, board.Day}})
	for _, member := range []string{"ada", "bob", "cy"} {
		g.score(b, member, 3)
	}
	_, err := b.Remove(t.Context(), "cy")
	require.NoError(t, err)
	g.requireSound(0, 0)
	owner := g.bs.catalog.Owner
	key := boardkey.Kept("arena", "day", "2026-11-20", "ada")
	require.NoError(t, owner.Update(t.Context(), nil, func(tx *engine.Tx) error { return tx.Delete(key) }))
	g.requireProblem(check.Where("arena", "day", "2026-11-20"), "has 2 members, and 1 members have kept results")
	_, err = b.Submit(t.Context(), board.Submission{Member: "ada", Score: board.Ints(1)})
	require.ErrorContains(t, err, "cannot be read: 0 bytes")
	require.NoError(t, g.bs.Drop(t.Context(), "arena"))
	g.requireSound(0, 0)
	require.NoError(t, g.e.View(t.Context(), func(tx *engine.Tx) error {
		for kv, err := range tx.Scan(boardkey.KeptPrefix()) {
			t.Error(kv, err)
		}
		return nil
	}))
}
