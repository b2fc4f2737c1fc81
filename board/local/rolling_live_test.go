package local

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/engine"
)

// TestRollingLive: writers and readers of a rolling window by the real clock. Each result is the time at which it leaves, so no reader may see a score
// that is not after the time at which it began to read.
func TestRollingLive(t *testing.T) {
	const writers, members = 4, 50
	span := 30 * time.Millisecond
	e, err := engine.New(engine.Options{})
	require.NoError(t, err)
	bs, err := Open(e, Options{})
	require.NoError(t, err)
	b, err := bs.Define(t.Context(), board.Spec{Name: "arena", Op: board.Max, Windows: []board.Window{board.Rolling("w", span)}})
	require.NoError(t, err)
	live, err := b.Live(t.Context(), "w")
	require.NoError(t, err)
	end := time.Now().Add(time.Duration(howMany(12)) * 100 * time.Millisecond)
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(w), 1))
			for time.Now().Before(end) {
				at := e.Now()
				_, err := b.Submit(t.Context(), board.Submission{Member: fmt.Sprint(rng.IntN(members)), Score: board.Ints(at.Add(span).UnixMicro()), At: at})
				if err != nil && !errors.Is(err, board.ErrPeriodClosed) { // a writer may wait for longer than the span
					t.Error(err)
				}
			}
		})
		wg.Go(func() { readRolling(t, e, b, live, end, w) })
	}
	wg.Wait()
	require.NoError(t, bs.Close())
	require.NoError(t, e.Close())
}

// readRolling reads until a time, in a way of its own, and checks every row that it gets.
func readRolling(t *testing.T, e *engine.Engine, b board.Board, live board.Ranking, end time.Time, way int) {
	check := func(began int64, rows []board.Row) {
		for _, row := range rows {
			if row.Score.Int(0) <= began {
				t.Errorf("way %d: %s has left %d us before", way, row.Member, began-row.Score.Int(0))
			}
		}
	}
	for time.Now().Before(end) {
		began := e.Now().UnixMicro()
		var rows []board.Row
		var err error
		switch way {
		case 0:
			rows, err = live.Top(t.Context(), 100)
		case 1:
			err = live.View(t.Context(), func(r board.Ranking) error { rows, err = r.Top(t.Context(), 100); return err })
		case 2:
			var pinned board.Ranking
			if pinned, err = live.Pin(t.Context()); err == nil {
				rows, err = pinned.Top(t.Context(), 100)
			}
		default:
			var at time.Time
			var ok bool
			if at, ok, err = b.NextChange(t.Context(), "w", "7"); ok && at.UnixMicro() <= began {
				t.Errorf("NextChange is %v, before %d", at, began)
			}
		}
		if err != nil {
			t.Error(err)
		}
		check(began, rows)
	}
}
