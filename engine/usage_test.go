package engine

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine/internal/keyspace"
	"github.com/zrankdb/zrank/internal/invariants"
	"github.com/zrankdb/zrank/persist"
)

// usage returns the usage of a set that exists.
func usage(t *testing.T, e *Engine, key string) Usage {
	t.Helper()
	u, ok, err := e.Usage(key)
	require.NoError(t, err)
	require.True(t, ok)
	return u
}

// unused checks that a set does not exist.
func unused(t *testing.T, e *Engine, key string) {
	t.Helper()
	_, ok, err := e.Usage(key)
	require.NoError(t, err)
	require.False(t, ok)
}

// TestUsage: a set through its life: never, in memory, snapshotted, changed, cold, loaded, gone.
func TestUsage(t *testing.T) {
	n := 20_000
	if invariants.Enabled {
		n = 1500
	}
	fs := persist.MemFS()
	e := mustOpen(t, fs, Options{SnapshotBytes: -1})
	unused(t, e, "big")
	require.NoError(t, setX(e, "small", 1))
	mustUpdate(t, e, []string{"big"}, func(tx *Tx) {
		for i := range n {
			add(t, tx, "big", fmt.Sprintf("member:%013d", i*7919%n), float64(i))
		}
	})
	u := usage(t, e, "small")
	require.Equal(t, Usage{Members: 1, Loaded: true, Encoding: "listpack", Memory: u.Memory, Keyspace: keyspace.PerSet + 5, Version: 1, LastCommit: 1, Dirty: true}, u)
	require.Positive(t, u.Memory)
	u = usage(t, e, "big")
	require.Equal(t, "skiplist", u.Encoding)
	require.Greater(t, u.Index, 5*n)
	require.Greater(t, u.Table, 28*n)
	require.InDelta(t, u.Memory, u.Index+u.Table, 500)
	require.EqualValues(t, n, u.Version)

	require.NoError(t, e.Snapshot())
	u = usage(t, e, "big")
	require.False(t, u.Dirty)
	require.Positive(t, u.Pages)
	require.EqualValues(t, 2, u.LastCommit)
	require.NoError(t, setX(e, "big", 1))
	u = usage(t, e, "big")
	require.True(t, u.Dirty)
	require.EqualValues(t, 3, u.LastCommit)
	require.NoError(t, e.Snapshot())
	loaded := usage(t, e, "big")
	require.NoError(t, e.Close())
	usageCold(t, fs, n, loaded)
}

// usageCold continues TestUsage with the set on the disk.
func usageCold(t *testing.T, fs persist.FS, n int, loaded Usage) {
	e := mustOpen(t, fs, Options{SnapshotBytes: -1}) // what Pebble had in memory is in files now
	u := usage(t, e, "big")
	require.Equal(t, Usage{Members: n + 1, Keyspace: loaded.Keyspace, Version: uint64(n) + 1, LastCommit: 3, Pages: loaded.Pages, Disk: u.Disk}, u)
	require.Greater(t, u.Disk, int64(2*n))
	require.Less(t, u.Disk, int64(64*n))
	require.Equal(t, u, usage(t, e, "big"), "it has not been read")
	st, err := e.Stats()
	require.NoError(t, err)
	require.Zero(t, st.Loads)
	small := usage(t, e, "small")
	require.Positive(t, small.Disk)
	require.LessOrEqual(t, small.Disk, u.Disk, "sets of a few pages share blocks")
	mustView(t, e, []string{"big"}, func(*Tx) {})
	require.Equal(t, n+1, usage(t, e, "big").Members)
	require.Equal(t, u.Disk, usage(t, e, "big").Disk)
	mustUpdate(t, e, []string{"big"}, func(tx *Tx) {
		_, err := named(t, tx, "big").PopMin(n + 1)
		require.NoError(t, err)
	})
	unused(t, e, "big")
	require.NoError(t, e.Close())
	_, _, err = e.Usage("big")
	require.ErrorIs(t, err, ErrClosed)
	t.Logf("%d members: %d bytes in memory, %d of them index and %d table; %d pages, %d bytes on the disk", n, loaded.Memory, loaded.Index, loaded.Table, u.Pages, u.Disk)
}

// TestUsageInMemory: without a store there is nothing on the disk.
func TestUsageInMemory(t *testing.T) {
	e, err := New(Options{})
	require.NoError(t, err)
	require.NoError(t, setX(e, "a", 1))
	u, ok, err := e.Usage("a")
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, Usage{Members: 1, Loaded: true, Encoding: "listpack", Memory: u.Memory, Keyspace: keyspace.PerSet + 1, Version: 1, LastCommit: 1}, u)
	require.NoError(t, e.Close())
}

// BenchmarkStats measures Stats, by the number of sets.
func BenchmarkStats(b *testing.B) {
	for _, sets := range []int{1, 1_000_000} {
		b.Run(fmt.Sprintf("sets=%d", sets), func(b *testing.B) {
			e := mustOpen(b, persist.MemFS(), Options{Durability: None, SnapshotBytes: -1})
			for i := 0; i < sets; i += 1000 {
				keys := make([]string, min(1000, sets))
				for j := range keys {
					keys[j] = fmt.Sprintf("set:%07d", i+j)
				}
				mustUpdate(b, e, keys, func(tx *Tx) {
					for _, key := range keys {
						add(b, tx, key, "x", 1)
					}
				})
			}
			b.ResetTimer()
			for b.Loop() {
				st, err := e.Stats()
				require.NoError(b, err)
				require.Equal(b, max(sets, 1), st.Sets)
			}
			require.NoError(b, e.Close())
		})
	}
}
