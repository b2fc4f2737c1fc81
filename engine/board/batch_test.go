package board

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board/internal/submit"
	"github.com/zrankdb/zrank/engine/board/window"
)

// many returns so many submissions of one member each.
func many(n int) []Submission {
	subs := make([]Submission, n)
	for i := range subs {
		subs[i] = Submission{Member: fmt.Sprint(i), Score: Ints(1)}
	}
	return subs
}

// ofNone requires that an error is one of these and of no submission.
func ofNone(t *testing.T, err error, want ...error) {
	t.Helper()
	for _, want := range want {
		require.ErrorIs(t, err, want)
	}
	require.False(t, errors.As(err, new(*BatchError)), "%v", err)
}

// TestBatchEndedMeanwhile: an error of the board or the engine during a batch names no submission.
func TestBatchEndedMeanwhile(t *testing.T) {
	for _, row := range []struct {
		name string
		end  func(g *game) error
		over func(g *game, b *Board) bool
		want []error
	}{
		{"Boards.Close", func(g *game) error { return g.bs.Close() }, func(g *game, _ *Board) bool { return g.bs.catalog.IsStopped() }, []error{ErrClosed}},
		{"Engine.Close", func(g *game) error { return g.e.Close() }, func(g *game, _ *Board) bool {
			select {
			case <-g.e.Done():
				return true
			default:
				return false
			}
		}, []error{ErrClosed, engine.ErrClosed}},
		{"Drop", func(g *game) error { return g.bs.Drop("arena") }, func(_ *game, b *Board) bool { _, err := b.Live("all"); return errors.Is(err, ErrNoBoard) }, []error{ErrNoBoard}},
	} {
		g := newGame(t, true)
		b := g.define(counting("arena", All, Day))
		subs, n, done := many(200), 0, make(chan error, 1)
		err := submit.Batch(b.core(), make([]Change, len(subs)), subs, func(Row, bool) (Score, bool) {
			if n++; n == 160 {
				go func() { done <- row.end(g) }()
				for !row.over(g, b) {
					runtime.Gosched()
				}
			}
			return Ints(1), true
		})
		ofNone(t, err, row.want...)
		require.NoError(t, <-done, row.name)
		_, err = b.SubmitAll(many(3))
		ofNone(t, err, row.want...)
		_, err = b.Submit(many(1)[0])
		ofNone(t, err, row.want...)
	}
}

// TestBatchesWhileClosing: a batch during Close counts as a whole, or returns ErrClosed.
func TestBatchesWhileClosing(t *testing.T) {
	for round := range howMany(40) {
		g := newGame(t, true)
		b := g.define(counting("arena", All, Day))
		var all sync.WaitGroup
		var counted atomic.Int64
		for range 3 {
			all.Go(func() {
				for {
					changes, err := b.SubmitAll(many(50))
					if err != nil {
						if !errors.Is(err, ErrClosed) || errors.As(err, new(*BatchError)) || round%2 == 1 && !errors.Is(err, engine.ErrClosed) {
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
		live, err := g.board("arena").Live("all")
		require.NoError(t, err)
		for row, err := range live.All() {
			require.NoError(t, err)
			sum += row.Score.Int(0)
		}
		require.GreaterOrEqual(t, sum, counted.Load(), "what was acknowledged")
		require.Zero(t, sum%50, "all of a batch or nothing")
	}
}

// TestBatchErrors: an error of a submission names it, at whatever step it is found; an error of the engine names none.
func TestBatchErrors(t *testing.T) { synctest.Test(t, testBatchErrors) }

func testBatchErrors(t *testing.T) {
	g := newGame(t, true, func(g *game) { g.mem = diskOf(1000) })
	b := g.define(Spec{Name: "arena", Op: Sum, Columns: []Column{{Name: "points", Max: new(Int(10))}}, Windows: []Window{All, Day}})
	for want, sub := range map[error]Submission{
		ErrMember:       {Score: Ints(1)},
		ErrBounds:       {Member: "ada", Score: Ints(11)},
		ErrColumns:      {Member: "ada", Score: Ints(1, 2), If: IfBetter},
		ErrTime:         {Member: "ada", Score: Ints(1), At: noon(24)},
		ErrPeriodClosed: {Member: "ada", Score: Ints(1), At: noon(-48)},
		ErrCount:        {Member: "ada", Score: Ints(1), Overtaken: -1},
	} {
		_, err := b.SubmitAll(append(many(2), sub))
		batch := new(BatchError)
		require.ErrorAs(t, err, &batch, "%v", want)
		require.Equal(t, 2, batch.Index)
		require.ErrorIs(t, batch.Err, want)
		if sub.At.IsZero() {
			sub.At = g.clock.Now()
		}
		keys, err := b.Keys(nil, Submission{Member: "ada", Score: Ints(1), At: g.clock.Now()})
		require.NoError(t, err)
		keys = append(keys, Key{Board: "arena", Kind: "day", Period: "2026-11-19", Version: 1}.String(), Key{Board: "arena", Kind: "day", Period: "2026-11-22", Version: 1}.String())
		err = g.e.Update(keys, func(tx *engine.Tx) error {
			_, one := b.In(tx).Submit(sub)
			_, two := b.In(tx).Apply(sub)
			ofNone(t, one, want)
			ofNone(t, two, want)
			return nil
		})
		require.NoError(t, err)
	}
	late := make([]Submission, engine.MaxKeys+1)
	for i := range late {
		late[i] = Submission{Member: "ada", Score: Ints(1), At: g.clock.Now().AddDate(0, 0, -i)}
	}
	days := g.define(counting("days", Window{Kind: window.Day, Grace: window.Forever}))
	_, err := days.SubmitAll(late)
	ofNone(t, err, engine.ErrTooManyKeys)
	free(g, 10)
	_, err = b.SubmitAll(many(2))
	ofNone(t, err, engine.ErrDiskFull)
}
