package engine

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/memfs"
)

// TestExpireWhileLoading: a transaction waits until a set is loaded, and another of its sets expires meanwhile. The transaction reads the clock
// after that, so it cannot make the expired set persistent.
func TestExpireWhileLoading(t *testing.T) {
	mem, g := memfs.New(), &gate{}
	keys := manySets(t, mem, 1, 600)
	var now atomic.Int64
	now.Store(1_000_000)
	e := mustOpen(t, errorfs.Wrap(mem, g), Options{SnapshotBytes: -1, lazy: true, Clock: func() time.Time { return time.UnixMilli(now.Load()) }})
	require.NoError(t, setX(e, "a", 1))
	expireIn(t, e, "a", time.Second)
	shut := make(chan struct{})
	g.shut.Store(&shut)
	done := make(chan error)
	go func() {
		done <- e.Update(t.Context(), func(tx *Tx) error {
			_, err := named(t, tx, "a").Persist()
			return err
		}, "a", keys[0])
	}()
	for g.waiting.Load() == 0 {
		mustView(t, e, []string{"b"}, func(*Tx) {})
	}
	now.Add(2000)
	mustView(t, e, []string{"a"}, func(tx *Tx) { require.Zero(t, named(t, tx, "a").Len()) })
	close(shut)
	g.shut.Store(nil)
	require.NoError(t, <-done)
	mustView(t, e, []string{"a"}, func(tx *Tx) { require.Zero(t, named(t, tx, "a").Len(), "it was gone") })
	require.NoError(t, e.Close())
}
