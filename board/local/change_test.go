package local

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/invariants"
)

// TestOvertakenOfMany: Overtaken has the rows right behind the member, as many as the submission asks for, with ordinal ranks, in a transaction
// too.
func TestOvertakenOfMany(t *testing.T) {
	g, rng := newGame(t, false), rand.New(rand.NewPCG(1, 2))
	b := g.define(board.Spec{Name: "arena", Op: board.Last, Windows: []board.Window{board.All, board.Day}})
	members := fewer(3000)
	for i := range members {
		g.score(b, fmt.Sprint(i), rng.Int64N(500))
	}
	all, err := b.Live(t.Context(), "all")
	require.NoError(t, err)
	for i := range howMany(200) {
		asked := []int{0, 1, 10, board.MaxOvertaken}[i%4]
		sub := board.Submission{Member: fmt.Sprint(rng.IntN(members + 100)), Score: board.Ints(rng.Int64N(500)), Overtaken: asked, At: g.clock.Now()}
		c := g.inTx(b, sub)
		require.LessOrEqual(t, len(c.Overtaken), min(asked, c.Passed))
		require.Equal(t, min(asked, c.Passed), len(c.Overtaken))
		want, err := all.Places(t.Context(), c.After.Rank+1, c.After.Rank+len(c.Overtaken))
		require.NoError(t, err)
		require.Equal(t, want, c.Overtaken)
		require.Equal(t, c.Overtaken, c.Others[0].Overtaken)
	}
}

// inTx submits in a transaction.
func (g *game) inTx(b board.Board, sub board.Submission) (c board.Change) {
	g.t.Helper()
	keys, err := hintsOf(b).Submit(context.Background(), nil, sub)
	require.NoError(g.t, err)
	require.NoError(g.t, g.e.Update(context.Background(), func(tx *engine.Tx) (err error) {
		c, err = in(b, tx).Submit(sub)
		return err
	}, keys...))
	return c
}

// TestOvertakenCostsNothingUnasked: a submission without Overtaken allocates nothing for it.
func TestOvertakenCostsNothingUnasked(t *testing.T) {
	if invariants.Enabled {
		t.Skip("under the race detector a sync.Pool drops what it has at random")
	}
	g := newGame(t, false)
	b := g.define(board.Spec{Name: "arena", Op: board.Last})
	for i := range 200 {
		g.score(b, fmt.Sprint("player", i), int64(i))
	}
	score := int64(0)
	allocations := func(asked int, next func()) float64 { // next sets score
		return testing.AllocsPerRun(100, func() {
			next()
			if _, err := b.Submit(t.Context(), board.Submission{Member: "player7", Score: board.Ints(score), Overtaken: asked}); err != nil {
				t.Fatal(err)
			}
		})
	}
	inTurns := func() { score = 999 - score }       // first and last in turn
	falling := func() { score = min(score, 0) - 1 } // last, and passes nobody
	unasked, asked := allocations(0, inTurns), allocations(100, inTurns)
	require.Greater(t, asked, unasked)
	require.Equal(t, unasked, allocations(100, falling), "nor does a submission that passes nobody")
}
