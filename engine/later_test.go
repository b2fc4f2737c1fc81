package engine

import (
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/internal/powercut"
	"github.com/zrankdb/zrank/persist"
)

// later adds a member by UpdateLater.
func later(t *testing.T, e *Engine, key, member string) uint64 {
	t.Helper()
	seq, err := e.UpdateLater(t.Context(), func(tx *Tx) error { add(t, tx, key, member, 1); return nil }, key)
	require.NoError(t, err)
	return seq
}

// TestUpdateLater: while the disk does not answer, UpdateLater commits, and others see that; a power cut would lose it. One Acknowledge waits for all.
func TestUpdateLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, mem := &flushGate{}, memfs.NewCrashable()
		close(g.shut())
		e := mustOpen(t, errorfs.Wrap(mem, g), Options{StallTimeout: time.Hour})
		open := g.shut()
		var seqs []uint64
		for i := range 5 {
			seqs = append(seqs, later(t, e, "a", fmt.Sprint(i)))
		}
		require.Equal(t, []uint64{1, 2, 3, 4, 5}, seqs)
		require.EqualValues(t, 5, later(t, e, "a", "4"), "nothing changed, but what was there may be lost")
		mustView(t, e, []string{"a"}, func(tx *Tx) { require.Equal(t, 5, named(t, tx, "a").Len()) })
		require.Zero(t, e.DurableSeq())
		require.Zero(t, membersLeft(t, mem), "nothing has been acknowledged")

		returned := make(chan error, 3)
		for _, seq := range []uint64{1, 5, 5} {
			go func() { returned <- e.Acknowledge(t.Context(), seq) }()
		}
		require.NoError(t, e.Acknowledge(t.Context(), 0))
		synctest.Wait()
		require.Empty(t, returned)
		close(open)
		for range 3 {
			require.NoError(t, <-returned)
		}
		require.Equal(t, 5, membersLeft(t, mem))
		require.NoError(t, e.Close())
		_, err := e.UpdateLater(t.Context(), nil)
		require.ErrorIs(t, err, ErrClosed)
		require.NoError(t, e.Acknowledge(t.Context(), 5), "Close has made it durable")
		require.ErrorIs(t, e.Acknowledge(t.Context(), 6), ErrClosed)
	})
}

// membersLeft returns how many members the set a has after a power cut that takes all that was not flushed.
func membersLeft(t *testing.T, mem *memfs.FS) (n int) {
	e := mustOpen(t, powercut.Clone(mem, 0, 1), Options{})
	mustView(t, e, []string{"a"}, func(tx *Tx) { n = named(t, tx, "a").Len() })
	require.NoError(t, e.Close())
	return n
}

// TestUpdateLaterCounts: each UpdateLater counts as an Update, and a slow Acknowledge as a slow call; an Update counts once.
func TestUpdateLaterCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var h heard
		g := &flushGate{}
		close(g.shut())
		e := mustOpen(t, errorfs.Wrap(memfs.New(), g), Options{StallTimeout: time.Hour, OnEvent: h.add})
		open := g.shut()
		seq := later(t, e, "a", "m")
		var wg sync.WaitGroup
		wg.Go(func() { require.NoError(t, e.Acknowledge(t.Context(), seq)) })
		wg.Go(func() { mustUpdate(t, e, []string{"b"}, func(tx *Tx) { add(t, tx, "b", "m", 1) }) })
		time.Sleep(time.Second)
		close(open)
		wg.Wait()
		st, err := e.Stats()
		require.NoError(t, err)
		require.EqualValues(t, 2, st.Updates.Count)
		require.EqualValues(t, 2, st.Commits)
		require.EqualValues(t, 2, st.SlowCalls)
		require.InDelta(t, time.Second, st.Updates.Max, float64(time.Millisecond), "if the update is not in the first flush, the log waits 1 ms for the other caller")
		ops := map[string]int{}
		for _, x := range h.take() {
			ops[x.Op]++
		}
		require.Equal(t, 1, ops["acknowledge"]+ops["update"], "two at the same moment, one event: %v", ops)
		require.NoError(t, e.Close())
	})
}

// TestUpdateLaterInBackground: snapshots and eviction begin without an Acknowledge too.
func TestUpdateLaterInBackground(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := mustOpen(t, persist.MemFS(), Options{Durability: None, SnapshotBytes: 1, MemoryLimit: 1})
		for i := range 20 {
			later(t, e, fmt.Sprint(i), "m")
			synctest.Wait()
		}
		st, err := e.Stats()
		require.NoError(t, err)
		t.Logf("%d snapshots, %d sets left memory", st.Snapshots.Taken, st.Evicted)
		require.Positive(t, st.Snapshots.Taken)
		require.Positive(t, st.Evicted)
		require.NoError(t, e.Close())
	})
}

// TestUpdateLaterInMemory has nothing to wait for.
func TestUpdateLaterInMemory(t *testing.T) {
	e, err := New(Options{})
	require.NoError(t, err)
	seq := later(t, e, "a", "m")
	require.EqualValues(t, 1, seq)
	require.NoError(t, e.Acknowledge(t.Context(), seq))
	require.NoError(t, e.Close())
}
