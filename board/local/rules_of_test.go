package local

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/closing"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// TestRulesOf: with the rules that RulesOf returns for a key, the scores of the set decode to the submitted ones. Sets that are no rankings
// have no rules.
func TestRulesOf(t *testing.T) {
	g := newGame(t, false)
	race := g.define(board.Spec{Name: "cup/race", BestRanks: true, Windows: []board.Window{board.All, board.Day},
		Columns: []board.Column{{Name: "time", Kind: board.Float64, Order: board.Asc}, {Name: "laps"}}})
	_, err := race.Submit(t.Context(), board.Submission{Member: "ada", Score: board.Values(board.Float(-1.5), board.Int(3)), Once: "x"})
	require.NoError(t, err)
	require.NoError(t, race.SaveBaseline(context.Background(), "day", "noon"))

	for key, want := range map[string]string{
		"board/cup/race/all/all/v1":        "-1.5 3",
		"board/cup/race/day/2026-11-20/v1": "-1.5 3",
		"board/cup/race/.base.day/noon/v1": "-1.5 3",
	} {
		r, err := g.bs.RulesOf(key)
		require.NoError(t, err, key)
		require.NoError(t, g.e.View(t.Context(), func(tx *engine.Tx) error {
			s, err := tx.IntSet(key, state.FormOf(r))
			require.NoError(t, err)
			score, tie, ok := s.Get([]byte("ada"))
			require.True(t, ok, key)
			require.Equal(t, want, r.Decode(score, tie).Score.String())
			require.Equal(t, board.Float(-1.5), r.FirstColumn(score))
			return nil
		}, key))
	}
	for _, key := range []string{"board/cup/race/.once/all/v1", "board/cup/race/.best.day/all/v1", "board/cup/race/.tiers.day/all/v1"} {
		r, err := g.bs.RulesOf(key)
		require.NoError(t, err, key)
		require.Nil(t, r, key)
	}
	for key, want := range map[string]error{
		"arena":                       board.ErrNoBoard,
		"board/x":                     board.ErrNoBoard,
		"board/cup/all/all/v1":        board.ErrNoBoard,
		"board/cup/race/week/all/v1":  board.ErrNoWindow,
		"board/cup/race/all/all/v2":   board.ErrMigrating,
		"board/cup/race/.x/all/v1":    board.ErrNoWindow,
		"board/cup/race/day/x/v9":     board.ErrMigrating,
		"board/cup/race/.base.x/y/v1": board.ErrNoWindow,
	} {
		_, err := g.bs.RulesOf(key)
		require.ErrorIs(t, err, want, key)
	}
	require.NoError(t, g.bs.Close())
	_, err = g.bs.RulesOf("board/cup/race/all/all/v1")
	require.ErrorIs(t, err, board.ErrClosed)
}

// TestRulesOfEvicts: a closed period that was read by its key is evicted when it is idle.
func TestRulesOfEvicts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGame(t, true)
		play(g, g.define(keeping(0)), 1)
		require.NoError(t, g.e.Snapshot())
		key := "board/arena/day/2026-11-20/v1"
		r, err := g.bs.RulesOf(key)
		require.NoError(t, err)
		synctest.Wait() // until the closed period is indexed, and has left memory after that
		require.NoError(t, g.e.View(t.Context(), func(tx *engine.Tx) error {
			s, err := tx.IntSet(key, state.FormOf(r))
			require.Equal(t, 2, s.Len())
			return err
		}, key))
		require.True(t, loaded(t, g.e, key))
		g.jump(catalog.IdleAfter)
		time.Sleep(2 * closing.MaxSleep)
		synctest.Wait()
		require.False(t, loaded(t, g.e, key))
	})
}
