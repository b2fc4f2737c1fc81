package engine

import (
	"bytes"
	"context"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/goroutine"
	"github.com/zrankdb/zrank/internal/hangtest"
	"github.com/zrankdb/zrank/persist"
	"github.com/zrankdb/zrank/zset"
)

// reportWaits returns options under which every call that waits for a lock is reported at once, independent of speed, and the channel of the reports.
func reportWaits() (Options, chan Event) {
	reports := make(chan Event, 1000)
	return Options{SlowCall: time.Nanosecond, SnapshotBytes: -1, OnEvent: func(v Event) {
		if v.Waiting {
			reports <- v
		}
	}}, reports
}

// onBothTold is onBoth with reportWaits.
func onBothTold(t *testing.T, f func(t *testing.T, e *Engine, reports chan Event)) {
	for _, stored := range []bool{false, true} {
		o, reports := reportWaits()
		e, err := New(o)
		if stored {
			e = mustOpen(t, persist.MemFS(), o)
		}
		require.NoError(t, err)
		hangtest.Do(t, func() { f(t, e, reports) })
		require.Empty(t, e.locks.Waits.All)
		require.NoError(t, e.Close())
	}
}

// TestSlowWait: a closure starts a goroutine that waits for a key of the closure. That wait is reported, with the holder of the key, while it lasts.
// The closure here waits for the event; if it waited for the goroutine, both would hang for ever.
func TestSlowWait(t *testing.T) {
	for way, run := range map[string]func(e *Engine, ctx context.Context, fn func(*Tx) error, keys ...string) error{"update": (*Engine).Update, "view": (*Engine).View} {
		t.Run(way, func(t *testing.T) {
			onBothTold(t, func(t *testing.T, e *Engine, reports chan Event) {
				var wg sync.WaitGroup
				require.NoError(t, run(e, t.Context(), func(*Tx) error {
					caller := make(chan int64, 1)
					wg.Go(func() {
						caller <- goroutine.ID()
						require.NoError(t, setX(e, "b", 1))
					})
					v := <-reports
					st, err := e.Stats()
					require.NoError(t, err)
					require.Equal(t, 1, st.Waiting)
					require.GreaterOrEqual(t, st.LongestWait, v.Duration)
					require.Positive(t, v.Duration)
					require.Len(t, v.Holders, 1)
					h := v.Holders[0]
					require.Equal(t, Event{Kind: EventSlowCall, Waiting: true, Op: "update", Key: "b", Keys: []string{"b"}, N: 1,
						Goroutine: <-caller, Duration: v.Duration, Holders: v.Holders}, v)
					require.Equal(t, Holder{Op: way, Keys: []string{"a", "b"}, N: 2, Goroutine: goroutine.ID(), Duration: h.Duration}, h)
					if way == "update" {
						require.Positive(t, h.Duration)
					}
					return nil
				}, "b", "a"))
				wg.Wait()
				st, err := e.Stats()
				require.NoError(t, err)
				require.Zero(t, st.Waiting)
				require.Zero(t, st.LongestWait)
				require.Empty(t, reports, "once")
			})
		})
	}
}

// TestSlowWaitChain: if a call waits for a key that another waiting call has locked, the report names that call.
func TestSlowWaitChain(t *testing.T) {
	onBothTold(t, func(t *testing.T, e *Engine, reports chan Event) {
		var wg sync.WaitGroup
		mustView(t, e, []string{"c"}, func(*Tx) {
			wg.Go(func() { require.NoError(t, e.Update(t.Context(), idle, "a", "c")) })
			first := <-reports
			require.Equal(t, "c", first.Key)
			wg.Go(func() { require.NoError(t, e.View(t.Context(), idle, "a")) })
			second := <-reports
			require.Equal(t, "view", second.Op)
			require.Equal(t, "a", second.Key)
			require.Len(t, second.Holders, 1)
			h := second.Holders[0]
			require.Equal(t, Holder{Op: "update", Keys: []string{"a", "c"}, N: 2, Goroutine: first.Goroutine, Duration: h.Duration, Waiting: true}, h)
		})
		wg.Wait()
	})
}

// TestSlowWaitPrivate: a wait for the lock of the private keys is reported too.
func TestSlowWaitPrivate(t *testing.T) {
	onBothTold(t, func(t *testing.T, e *Engine, reports chan Event) {
		var wg sync.WaitGroup
		mustUpdate(t, e, []string{"a"}, func(tx *Tx) {
			require.NoError(t, tx.Put("k", nil))
			wg.Go(func() {
				mustView(t, e, []string{"b"}, func(tx *Tx) {
					_, _, err := tx.Get("k")
					require.NoError(t, err)
				})
			})
			v := <-reports
			require.True(t, v.Private)
			require.Equal(t, []string{"b"}, v.Keys)
			require.Len(t, v.Holders, 1)
			require.Equal(t, []string{"a"}, v.Holders[0].Keys)
			require.Equal(t, goroutine.ID(), v.Holders[0].Goroutine)
		})
		wg.Wait()
	})
}

// TestSlowWaitCalls: every kind of call that waits for a key is reported under its own name. If several calls wait at once, each is reported.
func TestSlowWaitCalls(t *testing.T) {
	o, reports := reportWaits()
	e := mustOpen(t, persist.MemFS(), o)
	ctx := context.Background()
	mustUpdate(t, e, []string{"a"}, func(tx *Tx) { add(t, tx, "a", "x", 1) })
	calls := map[string]func() error{
		"look":     func() error { return errorOf(e.Keys("")) },
		"usage":    func() error { return errorOf2(e.Usage("a")) },
		"unload":   func() error { return e.Unload("a") },
		"snapshot": e.Snapshot,
		"check":    func() error { return errorOf(e.Check(ctx, nil)) },
		"view":     func() error { return errorOf(e.Union(ctx, zset.Combine[float64]{}, "a")) },
		"update":   func() error { return errorOf2(e.PopMinWait(ctx, "a")) },
	}
	for name, call := range calls {
		hangtest.Do(t, func() {
			var wg sync.WaitGroup
			mustUpdate(t, e, []string{"a"}, func(tx *Tx) {
				add(t, tx, "a", "x", 1)
				add(t, tx, "a", name, 1)
				wg.Go(func() { require.NoError(t, call()) })
				v := <-reports
				require.Equal(t, name, v.Op)
				require.Equal(t, "a", v.Key)
				require.Len(t, v.Holders, 1)
			})
			wg.Wait()
		})
	}
	hangtest.Do(t, func() {
		var wg sync.WaitGroup
		mustUpdate(t, e, []string{"a"}, func(tx *Tx) {
			callers := map[int64]bool{}
			for range 3 {
				wg.Go(func() { require.NoError(t, setX(e, "a", 1)) })
			}
			for range 3 {
				callers[(<-reports).Goroutine] = true
			}
			require.Len(t, callers, 3)
		})
		wg.Wait()
	})
	require.NoError(t, e.Close())
}

// TestSlowWaitUnheard: without a listener, or if no call counts as slow, no timer is started.
func TestSlowWaitUnheard(t *testing.T) {
	var said bytes.Buffer
	for _, o := range []Options{{}, {SlowCall: -1, OnEvent: func(Event) {}}} {
		e, err := New(o)
		require.NoError(t, err)
		require.False(t, e.locks.Slow.Observed)
		require.NoError(t, e.Close())
	}
	e, err := New(Options{Logger: slog.New(slog.NewTextHandler(&said, nil))})
	require.NoError(t, err)
	require.True(t, e.locks.Slow.Observed)
	require.NoError(t, e.Close())
}
