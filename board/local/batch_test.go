package local

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/submit"
	"github.com/zrankdb/zrank/board/window"
	"github.com/zrankdb/zrank/engine"
)

// manySubmissions returns n submissions, each of another member.
func manySubmissions(n int) []board.Submission {
	subs := make([]board.Submission, n)
	for i := range subs {
		subs[i] = board.Submission{Member: fmt.Sprint(i), Score: board.Ints(1)}
	}
	return subs
}

// requireNoBatchError requires that an error wraps all of want, and is no BatchError.
func requireNoBatchError(t *testing.T, err error, want ...error) {
	t.Helper()
	for _, want := range want {
		require.ErrorIs(t, err, want)
	}
	require.False(t, errors.As(err, new(*board.BatchError)), "%v", err)
}

// TestBatchEndedMeanwhile: an error of the board or the engine during a batch names no submission.
func TestBatchEndedMeanwhile(t *testing.T) {
	for _, row := range []struct {
		name string
		end  func(g *game) error
		over func(g *game, b board.Board) bool // end has taken effect
		want []error
	}{
		{"Boards.Close", func(g *game) error { return g.bs.Close() }, func(g *game, _ board.Board) bool { return g.bs.catalog.IsStopped() }, []error{board.ErrClosed}},
		{"Engine.Close", func(g *game) error { return g.e.Close() }, func(g *game, _ board.Board) bool {
			select {
			case <-g.e.Done():
				return true
			default:
				return false
			}
		}, []error{board.ErrClosed, engine.ErrClosed}},
		{"Drop", func(g *game) error { return g.bs.Drop(t.Context(), "arena") }, func(_ *game, b board.Board) bool {
			_, err := b.Live(t.Context(), "all")
			return errors.Is(err, board.ErrNoBoard)
		}, []error{board.ErrNoBoard}},
	} {
		g := newGame(t, true)
		b := g.define(counting("arena", board.All, board.Day))
		subs, n, done := manySubmissions(200), 0, make(chan error, 1)
		err := submit.Batch(t.Context(), coreOf(b), make([]board.Change, len(subs)), subs, func(board.Row, bool) (board.Score, bool) {
			if n++; n == 160 {
				go func() { done <- row.end(g) }() // in the middle of the batch
				for !row.over(g, b) {
					runtime.Gosched()
				}
			}
			return board.Ints(1), true
		})
		requireNoBatchError(t, err, row.want...)
		require.NoError(t, <-done, row.name)
		_, err = b.SubmitAll(t.Context(), manySubmissions(3))
		requireNoBatchError(t, err, row.want...)
		_, err = b.Submit(t.Context(), manySubmissions(1)[0])
		requireNoBatchError(t, err, row.want...)
	}
}

// TestBatchesWhileClosing: a batch during Close is applied as a whole, or returns ErrClosed and changes nothing.
func TestBatchesWhileClosing(t *testing.T) {
	for round := range howMany(40) {
		g := newGame(t, true)
		b := g.define(counting("arena", board.All, board.Day))
		var all sync.WaitGroup
		var counted atomic.Int64
		for range 3 {
			all.Go(func() {
				for {
					changes, err := b.SubmitAll(t.Context(), manySubmissions(50))
					if err != nil {
						if !errors.Is(err, board.ErrClosed) || errors.As(err, new(*board.BatchError)) || round%2 == 1 && !errors.Is(err, engine.ErrClosed) {
							t.Errorf("round %d: %v", round, err)
						}
						return
					}
					counted.Add(int64(len(changes)))
				}
			})
		}
		for counted.Load() < int64(50*(round%7)) && !t.Failed() {
			runtime.Gosched()
		}
		if round%2 == 0 {
			require.NoError(t, g.bs.Close())
		} else {
			require.NoError(t, g.e.Close())
		}
		all.Wait()
		g.reopen()
		sum := int64(0)
		live, err := g.board("arena").Live(t.Context(), "all")
		require.NoError(t, err)
		for row, err := range live.All(t.Context()) {
			require.NoError(t, err)
			sum += row.Score.Int(0)
		}
		require.GreaterOrEqual(t, sum, counted.Load(), "what was acknowledged")
		require.Zero(t, sum%50, "all of a batch or nothing")
	}
}

// TestBatchErrors: an error in a submission names the submission, whichever step finds it. An error of the engine names none.
func TestBatchErrors(t *testing.T) { synctest.Test(t, testBatchErrors) }

// testBatchErrors is TestBatchErrors in a bubble, in which free waits for the engine.
func testBatchErrors(t *testing.T) {
	g := newGame(t, true, func(g *game) { g.mem = diskOf(1000) })
	b := g.define(board.Spec{Name: "arena", Op: board.Sum, Columns: []board.Column{{Name: "points", Max: new(board.Int(10))}}, Windows: []board.Window{board.All, board.Day}})
	for want, sub := range map[error]board.Submission{
		board.ErrMember:       {Score: board.Ints(1)},
		board.ErrBounds:       {Member: "ada", Score: board.Ints(11)},
		board.ErrColumns:      {Member: "ada", Score: board.Ints(1, 2), If: board.IfBetter},
		board.ErrTime:         {Member: "ada", Score: board.Ints(1), At: noon(24)},
		board.ErrPeriodClosed: {Member: "ada", Score: board.Ints(1), At: noon(-48)},
		board.ErrCount:        {Member: "ada", Score: board.Ints(1), Overtaken: -1},
	} {
		_, err := b.SubmitAll(t.Context(), append(manySubmissions(2), sub))
		batch := new(board.BatchError)
		require.ErrorAs(t, err, &batch, "%v", want)
		require.Equal(t, 2, batch.Index)
		require.ErrorIs(t, batch.Err, want)
		if sub.At.IsZero() {
			sub.At = g.clock.Now()
		}
		keys, err := hintsOf(b).Submit(t.Context(), nil, board.Submission{Member: "ada", Score: board.Ints(1), At: g.clock.Now()})
		require.NoError(t, err)
		keys = append(keys, Key{Board: "arena", Kind: "day", Period: "2026-11-19", Version: 1}.String(), Key{Board: "arena", Kind: "day", Period: "2026-11-22", Version: 1}.String())
		err = g.e.Update(t.Context(), func(tx *engine.Tx) error {
			_, one := in(b, tx).Submit(sub)
			_, two := in(b, tx).Apply(sub)
			requireNoBatchError(t, one, want)
			requireNoBatchError(t, two, want)
			return nil
		}, keys...)
		require.NoError(t, err)
	}
	late := make([]board.Submission, engine.MaxKeys+1)
	for i := range late {
		late[i] = board.Submission{Member: "ada", Score: board.Ints(1), At: g.clock.Now().AddDate(0, 0, -i)}
	}
	days := g.define(counting("days", board.Window{Kind: window.Day, Grace: window.Forever}))
	_, err := days.SubmitAll(t.Context(), late)
	requireNoBatchError(t, err, engine.ErrTooManyKeys)
	free(g, 10)
	_, err = b.SubmitAll(t.Context(), manySubmissions(2))
	requireNoBatchError(t, err, engine.ErrDiskFull)
}
