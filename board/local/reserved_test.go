package local

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/engine"
)

// TestClosedPeriodBySets: a program cannot change a closed period or its record through the engine, not even in a transaction that submits to
// the board.
func TestClosedPeriodBySets(t *testing.T) {
	g := newGame(t, true)
	b := g.define(counting("arena", board.Day))
	g.score(b, "ada", 5)
	g.score(b, "bob", 3)
	g.jump(24 * time.Hour)
	g.closeDue(1)
	closed, err := b.LastClosed(t.Context(), "day")
	require.NoError(t, err)
	key := Key{Board: "arena", Kind: "day", Period: infoOf(closed).Period, Version: 1}.String()
	before, err := dump(g.bs)
	require.NoError(t, err)
	expectReserved := func(tx *engine.Tx) { // tries to change the closed period
		s, err := tx.IntSet(key, coreOf(b).State().Form)
		require.NoError(t, err)
		_, err = s.Remove([]byte("bob"))
		require.ErrorIs(t, err, engine.ErrReserved)
		require.ErrorIs(t, tx.Delete(boardkey.Record("arena", "day", infoOf(closed).Period)), engine.ErrReserved)
	}
	require.NoError(t, g.e.Update(t.Context(), func(tx *engine.Tx) error { expectReserved(tx); return nil }, key))
	_, err = g.e.Delete(t.Context(), key)
	require.ErrorIs(t, err, engine.ErrReserved)
	require.Equal(t, before, ignoreError(dump(g.bs)))
	sub := board.Submission{Member: "cyd", Score: board.Ints(1), At: g.e.Now()}
	keys, err := hintsOf(b).Submit(t.Context(), []string{key}, sub)
	require.NoError(t, err)
	require.NoError(t, g.e.Update(t.Context(), func(tx *engine.Tx) error {
		_, err := in(b, tx).Submit(sub)
		require.NoError(t, err)
		expectReserved(tx)
		_, err = in(b, tx).Apply(board.Submission{Member: "dan", Score: board.Ints(2), At: sub.At})
		require.NoError(t, err)
		expectReserved(tx)
		return nil
	}, keys...))
	require.Equal(t, "ada 5, bob 3", g.show(b.LastClosed(t.Context(), "day")))
	require.Equal(t, "dan 2, cyd 1", g.live(b, "day"))
}

func ignoreError[T any](x T, _ error) T { return x }
