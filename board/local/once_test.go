package local

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/window"
)

// once returns a submission with a Once key.
func once(member, key string, score int64) board.Submission {
	return board.Submission{Member: member, Score: board.Ints(score), Once: key}
}

// TestB7: a submission with a Once key counts once for as long as OnceFor says, across every kind of restart.
func TestB7(t *testing.T) {
	g := newGame(t, true)
	spec := counting("arena", board.Day, board.All)
	spec.OnceFor = window.Duration(30 * time.Hour)
	b := g.define(spec)
	c, err := b.Submit(t.Context(), once("ada", "game 1", 5))
	require.NoError(t, err)
	require.False(t, c.Duplicate)
	for _, restart := range []func(){func() {}, g.reopenBoards, g.reopen, func() { g.powerCut(0, 1) }, func() { g.powerCut(50, 2) }} {
		restart()
		c, err = g.board("arena").Submit(t.Context(), once("ada", "game 1", 5))
		require.NoError(t, err)
		require.True(t, c.Duplicate)
		require.False(t, hasChanged(c))
		require.Equal(t, board.Ints(5), c.After.Score)
		require.Equal(t, c.Before, c.After)
		require.Equal(t, 1, c.Len)
	}
	b = g.board("arena")
	c, err = b.Submit(t.Context(), once("bob", "game 1", 7))
	require.NoError(t, err)
	require.True(t, c.Duplicate, "a Once key counts for all members")
	require.Zero(t, c.After.Rank)
	sub := once("ada", "game 1", 5)
	sub.At = g.clock.Now()
	g.jump(24 * time.Hour)
	g.closeDue(1)
	c, err = b.Submit(t.Context(), sub)
	require.NoError(t, err)
	require.True(t, c.Duplicate, "its period is closed by now")
	require.Equal(t, "2026-11-20", c.Period)
	g.jump(6*time.Hour - time.Millisecond)
	c, err = b.Submit(t.Context(), once("ada", "game 1", 5))
	require.NoError(t, err)
	require.True(t, c.Duplicate)
	g.jump(time.Millisecond)
	counts(t, b, once("ada", "game 1", 5), "it is forgotten")
	require.Equal(t, "ada 10", g.live(b, "all"))
}

// counts submits what is no duplicate.
func counts(t *testing.T, b board.Board, sub board.Submission, why string) {
	t.Helper()
	c, err := b.Submit(t.Context(), sub)
	require.NoError(t, err)
	require.False(t, c.Duplicate, why)
}

// TestB7Batch: a Once key counts once in a batch too; the key of a refused submission is not used.
func TestB7Batch(t *testing.T) {
	g := newGame(t, false)
	b := g.define(board.Spec{Name: "arena", Op: board.Sum, Columns: []board.Column{{Max: new(board.Int(100))}}})
	changes, err := b.SubmitAll(t.Context(), []board.Submission{once("ada", "x", 1), once("ada", "x", 1), once("ada", "y", 1)})
	require.NoError(t, err)
	require.Equal(t, []bool{false, true, false}, []bool{changes[0].Duplicate, changes[1].Duplicate, changes[2].Duplicate})
	require.Equal(t, "ada 2", g.live(b, "all"))
	_, err = b.SubmitAll(t.Context(), []board.Submission{once("bob", "z", 1), once("bob", "w", 1000)})
	require.ErrorIs(t, err, board.ErrBounds)
	_, err = b.Submit(t.Context(), once("bob", "v", 1000))
	require.ErrorIs(t, err, board.ErrBounds)
	for _, key := range []string{"z", "w", "v"} {
		counts(t, b, once("bob", key, 1), key)
	}
	sub := once("bob", "u", 1)
	sub.If = board.IfNew
	c, err := b.Submit(t.Context(), sub)
	require.NoError(t, err)
	require.True(t, c.Skipped)
	counts(t, b, once("bob", "u", 1), "what was skipped has not counted")
	require.Equal(t, "bob 4, ada 2", g.live(b, "all"))
}

// TestB7Retries: retries from several goroutines count once.
func TestB7Retries(t *testing.T) {
	g := newGame(t, true)
	b := g.define(counting("arena", board.All, board.Day))
	var wg sync.WaitGroup
	var first atomic.Int64
	n := howMany(200)
	for range 4 {
		wg.Go(func() {
			for i := range n {
				c, err := b.Submit(t.Context(), once("ada", fmt.Sprint(i), 1))
				if err != nil {
					t.Error(err)
				}
				if !c.Duplicate {
					first.Add(1)
				}
			}
		})
	}
	wg.Wait()
	require.Equal(t, int64(n), first.Load())
	require.Equal(t, fmt.Sprint("ada ", n), g.live(b, "all"))
	require.Equal(t, fmt.Sprint("ada ", n), g.live(b, "day"))
}

// TestOnceForgets: submissions with new Once keys delete expired ones.
func TestOnceForgets(t *testing.T) {
	g := newGame(t, false)
	b := g.define(counting("arena"))
	for i := range 100 {
		_, err := b.Submit(t.Context(), once("ada", fmt.Sprint("old", i), 1))
		require.NoError(t, err)
	}
	g.jump(24 * time.Hour)
	for i := range 7 {
		_, err := b.Submit(t.Context(), once("ada", fmt.Sprint("new", i), 1))
		require.NoError(t, err)
	}
	u, ok, err := g.e.Usage(coreOf(b).State().OnceKey)
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, 7, u.Members, "16 at a time")
	require.Equal(t, "ada 107", g.live(b, "all"))
}
