package engine

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/persist"
)

// TestUsages compares Usages with Usage of each key: sets in memory, on the disk, changed since, renamed, expired and gone.
func TestUsages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fs := persist.MemFS()
		e := mustOpen(t, fs, Options{SnapshotBytes: -1})
		keys := []string{"absent", "expired", "gone", "new name", "old name"}
		for i := range 300 {
			keys = append(keys, fmt.Sprintf("set:%03d", 299-i))
		}
		for _, key := range append(keys[1:3:3], keys[4:]...) {
			require.NoError(t, setX(e, key, 1))
		}
		_, err := e.ExpireAt(t.Context(), "expired", e.Now().Add(time.Hour))
		require.NoError(t, err)
		requireUsages(t, e, keys, 303)
		require.NoError(t, e.Snapshot())
		require.NoError(t, e.Close())

		e = mustOpen(t, fs, Options{SnapshotBytes: -1})
		requireUsages(t, e, keys, 303)
		require.NoError(t, e.Rename(t.Context(), "old name", "new name"))
		_, err = e.Delete(t.Context(), "gone")
		require.NoError(t, err)
		time.Sleep(2 * time.Hour)
		for _, key := range []string{"set:007", "set:008"} { // loaded; one of them changed
			mustView(t, e, []string{key}, func(*Tx) {})
		}
		require.NoError(t, setX(e, "set:008", 2))
		requireUsages(t, e, keys, 301)
		require.NoError(t, e.Snapshot())
		require.NoError(t, e.Unload(keys...))
		requireUsages(t, e, keys, 301)
		require.NoError(t, e.Close())
		_, err = e.Usages(keys)
		require.ErrorIs(t, err, ErrClosed)
	})
}

// requireUsages checks that so many of the keys have sets, and that Usages differs from Usage only in Disk.
func requireUsages(t *testing.T, e *Engine, keys []string, exist int) {
	t.Helper()
	all, err := e.Usages(keys)
	require.NoError(t, err)
	require.Len(t, all, len(keys))
	for i, key := range keys {
		u, ok, err := e.Usage(key)
		require.NoError(t, err)
		if ok {
			exist--
		}
		require.LessOrEqual(t, all[i].Disk, u.Disk)
		u.Disk = all[i].Disk
		require.Equal(t, u, all[i], key)
	}
	require.Zero(t, exist)
}

// TestUsagesWhileSetsGo: Usages of sets that are made, snapshotted, evicted and dropped meanwhile returns no error, and no state that no
// set has had.
func TestUsagesWhileSetsGo(t *testing.T) {
	e := mustOpen(t, persist.MemFS(), Options{SnapshotBytes: -1})
	keys := []string{"a", "b"}
	done := make(chan error)
	go func() {
		defer close(done)
		for i := range times(300) {
			if err := setX(e, keys[i%2], float64(i)); err != nil {
				done <- err
			}
			_ = e.Snapshot()
			_ = e.Unload(keys...)
			if _, err := e.Delete(t.Context(), keys[i/2%2]); err != nil {
				done <- err
			}
		}
	}()
	for running := true; running; {
		select {
		case err := <-done:
			require.NoError(t, err)
			running = false
		default:
		}
		all, err := e.Usages(keys)
		require.NoError(t, err)
		for _, u := range all {
			require.LessOrEqual(t, u.Members, 1)
		}
	}
	require.NoError(t, e.Close())
}
