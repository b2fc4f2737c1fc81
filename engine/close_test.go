package engine

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/matrix"
	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/internal/powercut"
	"github.com/zrankdb/zrank/persist"
)

// calls calls every method that must fail after Close, and returns the errors by name.
func calls(e *Engine) map[string]error {
	ctx := context.Background()
	never := func(*Tx) error { panic("the closure must not run") }
	_, keys := e.Keys("")
	_, stats := e.Stats()
	_, _, pop := e.PopMinWait(ctx, "a")
	return map[string]error{
		"pop":      pop,
		"feed":     feedEnd(e.Feed(ctx, 0)),
		"update":   e.Update(ctx, never, "a"),
		"view":     e.View(ctx, never, "a"),
		"keys":     keys,
		"stats":    stats,
		"snapshot": e.Snapshot(),
		"flush":    e.Flush(),
	}
}

// TestClosed: after Close every call returns ErrClosed, and a second Close returns nil.
func TestClosed(t *testing.T) {
	onBoth(t, func(t *testing.T, e *Engine) {
		mustUpdate(t, e, []string{"a"}, func(tx *Tx) { add(t, tx, "a", "x", 1) })
		require.NoError(t, e.Snapshot())
		require.NoError(t, e.Flush())
		require.NoError(t, e.Close())
		for call, err := range calls(e) {
			require.ErrorIs(t, err, ErrClosed, call)
		}
		require.NoError(t, e.Close())
	})
}

// TestClosedBelow: if Close comes while a call is under way, the call returns the engine's ErrClosed, not the store's.
func TestClosedBelow(t *testing.T) {
	fs := persist.MemFS()
	e := mustOpen(t, fs, Options{})
	mustUpdate(t, e, []string{"a"}, func(tx *Tx) { add(t, tx, "a", "x", 1) })
	require.NoError(t, e.Snapshot())
	require.NoError(t, e.Close())
	e = mustOpen(t, fs, Options{})
	require.NoError(t, e.store.Close()) // to the calls it looks as if Close had just begun
	_, stats := e.Stats()
	require.ErrorIs(t, stats, ErrClosed)
	require.ErrorIs(t, e.Snapshot(), ErrClosed)
	require.ErrorIs(t, e.Flush(), ErrClosed)
	require.ErrorIs(t, e.View(t.Context(), nil, "a"), ErrClosed, "the set cannot be loaded")
	require.ErrorIs(t, e.Update(t.Context(), func(tx *Tx) error { add(t, tx, "b", "x", 1); return nil }, "b"), ErrClosed)
	mustView(t, e, nil, func(tx *Tx) {
		_, _, err := tx.Get("k")
		require.ErrorIs(t, err, ErrClosed)
		for _, err := range tx.Scan("") {
			require.ErrorIs(t, err, ErrClosed)
		}
	})
	require.NoError(t, e.Close())
}

// TestRow42CloseUnderLoad: Close comes while many goroutines call the engine. Each call ends with its result or ErrClosed, and every commit that
// Update has acknowledged is there after the next Open.
func TestRow42CloseUnderLoad(t *testing.T) {
	rounds, total := times(matrix.Pick(10, 1000)), 0
	for round := range rounds {
		fs := memfs.New()
		e := mustOpen(t, fs, Options{Durability: Durability(round % 3), SnapshotBytes: 1})
		var wg sync.WaitGroup
		var acked [4]int
		for i := range acked {
			key := string(rune('a' + i))
			wg.Go(func() {
				for {
					err := e.Update(t.Context(), func(tx *Tx) error {
						add(t, tx, key, "x", float64(acked[i]+1))
						add(t, tx, "all", key, float64(acked[i]+1))
						return nil
					}, key, "all")
					if err != nil {
						require.ErrorIs(t, err, ErrClosed)
						return
					}
					acked[i]++
				}
			})
		}
		for _, call := range []func() error{e.Snapshot, e.Flush, func() error { return e.View(t.Context(), func(*Tx) error { return nil }, "a") },
			func() error { _, err := e.Stats(); return err }} {
			wg.Go(func() {
				for {
					if err := call(); err != nil {
						require.ErrorIs(t, err, ErrClosed)
						return
					}
				}
			})
		}
		for e.store.LastSeq() < 50 {
			mustView(t, e, []string{"a"}, func(*Tx) {})
		}
		require.NoError(t, e.Close())
		wg.Wait()
		e = mustOpen(t, fs, Options{})
		mustView(t, e, []string{"a", "b", "c", "d", "all"}, func(tx *Tx) {
			for i, n := range acked {
				key := string(rune('a' + i))
				got, _ := named(t, tx, key).Score([]byte("x"))
				same, _ := named(t, tx, "all").Score([]byte(key))
				require.Equal(t, got, same)
				require.GreaterOrEqual(t, int(got), n)
				total += n
			}
		})
		require.NoError(t, e.Close())
	}
	matrix.Row(t, 42, "%d times closed under 8 goroutines, all levels: %d commits acknowledged, 0 lost, 0 panics, every later call ErrClosed", rounds, total)
}

// TestInterval: at level Interval a commit is on the disk after the interval, by the clock, and at None after Flush.
func TestInterval(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		mem := memfs.NewCrashable()
		e := mustOpen(t, mem, Options{Durability: Interval, Interval: time.Second})
		left := func() (keys []string) {
			e := mustOpen(t, powercut.Clone(mem, 0, 1), Options{})
			defer func() { require.NoError(t, e.Close()) }()
			keys, err := e.Keys("")
			require.NoError(t, err)
			return keys
		}
		mustUpdate(t, e, []string{"a"}, func(tx *Tx) { add(t, tx, "a", "x", 1) })
		synctest.Wait()
		require.Empty(t, left())
		<-time.After(1001 * time.Millisecond)
		synctest.Wait()
		require.Equal(t, []string{"a"}, left())
		mustUpdate(t, e, []string{"b"}, func(tx *Tx) { add(t, tx, "b", "x", 1) })
		require.NoError(t, e.Flush())
		require.Equal(t, []string{"a", "b"}, left())
		require.NoError(t, e.Close())
	})
}

// TestClock: Now is the injected clock's, or the system's.
func TestClock(t *testing.T) {
	at := time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)
	e, err := New(Options{Clock: func() time.Time { return at }})
	require.NoError(t, err)
	require.Equal(t, at, e.Now())
	synctest.Test(t, func(t *testing.T) {
		e, err := New(Options{})
		require.NoError(t, err)
		require.Equal(t, time.Now(), e.Now())
	})
}
