package engine

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/invariants"
	"github.com/zrankdb/zrank/internal/matrix"
	"github.com/zrankdb/zrank/persist"
)

// counted compares the running counts with those of a walk over all sets. No call may run meanwhile; sets do not leave memory.
func counted(t testing.TB, e *Engine) {
	t.Helper()
	e.residency.Pause()
	defer e.residency.Sweeping.Unlock()
	var want, st Stats
	for _, s := range e.keys.All() {
		s.Mu.RLock()
		if s.Exists {
			want.Sets++
			want.Layers.Keyspace += len(s.Key)
		}
		if s.Exists && s.Entries != nil {
			want.Loaded++
			want.Members += s.Entries.Len()
			want.Memory += s.Entries.Size()
			index, table := s.Entries.Layers()
			want.Layers.Indexes += index
			want.Layers.Tables += table
			want.Layers.Listpacks += s.Entries.Size() - index - table
		}
		s.Mu.RUnlock()
	}
	want.Private = e.m.private.CountKept()
	sum := e.counters.Totals()
	st = Stats{Sets: sum.Sets, Loaded: sum.Loaded, Members: sum.Members,
		Layers: Layers{Keyspace: sum.Keys, Listpacks: sum.Listpacks, Indexes: sum.Indexes, Tables: sum.Tables}}
	require.Equal(t, want.Memory, int(e.keys.Accounts.Used.Load()))
	require.Equal(t, want.Layers, st.Layers)
	require.Equal(t, []int{want.Sets, want.Loaded, want.Members}, []int{st.Sets, st.Loaded, st.Members})
	require.Equal(t, want.Private, e.m.private.Kept())
	big := 0
	for _, s := range e.keys.All() {
		if s.Entries != nil && s.Exists && s.Entries.Encoding() == "skiplist" {
			big++
		}
	}
	require.Len(t, e.keys.Accounts.Layers, big)
}

// statsSteps does n random transactions on 40 keys, of all sizes up to 400 members, some of which fail.
func statsSteps(t *testing.T, e *Engine, rng *rand.Rand, n int) (commits, failed int) {
	for range n {
		key := fmt.Sprint("key", rng.IntN(40))
		before := e.store
		err := e.Update(t.Context(), func(tx *Tx) error {
			s := named(t, tx, key)
			switch rng.IntN(6) {
			case 0:
				_, err := s.PopMin(s.Len())
				require.NoError(t, err)
			case 1:
				_, err := s.PopMax(rng.IntN(200))
				require.NoError(t, err)
			case 2:
				require.NoError(t, tx.Put(key, []byte("v")))
			}
			for range rng.IntN(100) {
				add(t, tx, key, fmt.Sprintf("member:%04d", rng.IntN(400)), rng.Float64())
			}
			if rng.IntN(8) == 0 {
				return errStop
			}
			require.NoError(t, tx.Put("always", fmt.Append(nil, rng.Uint64())))
			return nil
		}, key, "other")
		require.Equal(t, before, e.store)
		if err == nil {
			commits++
		} else {
			require.ErrorIs(t, err, errStop)
			failed++
		}
	}
	return commits, failed
}

var errStop = fmt.Errorf("the closure says no")

// TestStatsCounted: after random transactions, rollbacks, snapshots, evictions, loads and reopens the figures are those of a
// walk over all sets.
func TestStatsCounted(t *testing.T) {
	const seed = 7
	rounds, total := matrix.Pick(20, 200), 0
	rng := rand.New(rand.NewPCG(seed, 0))
	for _, limit := range []int64{-1, 0, 64 << 10} {
		fs := persist.MemFS()
		open := func() *Engine {
			if limit < 0 {
				e, err := New(Options{})
				require.NoError(t, err)
				return e
			}
			return mustOpen(t, fs, Options{Durability: None, SnapshotBytes: -1, MemoryLimit: limit})
		}
		e, commits, failed := open(), 0, 0
		for range rounds {
			c, f := statsSteps(t, e, rng, 20)
			commits, failed, total = commits+c, failed+f, total+c+f
			if limit >= 0 && rng.IntN(3) == 0 {
				require.NoError(t, e.Snapshot())
			}
			if limit >= 0 && rng.IntN(3) == 0 {
				require.NoError(t, e.Close())
				e, commits, failed = open(), 0, 0
			}
			counted(t, e)
			st, err := e.Stats()
			require.NoError(t, err)
			require.EqualValues(t, commits, st.Commits)
			require.EqualValues(t, failed, st.RolledBack)
			require.EqualValues(t, commits+failed, st.Updates.Count)
		}
		require.NoError(t, e.Close())
	}
	t.Logf("seed %d: %d transactions, %d comparisons with a walk", seed, total, 3*rounds)
}

// TestStatsOfSnapshot: a set that changes while a snapshot writes it counts for what it takes afterwards.
func TestStatsOfSnapshot(t *testing.T) {
	for _, members := range []int{10, 400} {
		e := mustOpen(t, persist.MemFS(), Options{Durability: None, SnapshotBytes: -1})
		change := func() {
			require.NoError(t, e.Update(t.Context(), func(tx *Tx) error {
				for range members {
					add(t, tx, "key", fmt.Sprintf("member:%04d", named(t, tx, "key").Len()), 1)
				}
				return nil
			}, "key"))
		}
		change()
		pages := 0
		e.checkpoints.Paged = func(page []byte) []byte {
			if pages++; pages == 1 {
				change()
			}
			return page
		}
		require.NoError(t, e.Snapshot())
		require.Positive(t, pages)
		counted(t, e)
		require.NoError(t, e.Close())
	}
}

// TestStatsTimes: lag, snapshots and waits, in a bubble with fake time.
func TestStatsTimes(t *testing.T) {
	for _, level := range []Durability{Sync, Interval, None} {
		synctest.Test(t, func(t *testing.T) {
			fs := persist.MemFS()
			e := mustOpen(t, fs, Options{Durability: level, Interval: time.Minute, SnapshotBytes: -1})
			stats := func() Stats {
				st, err := e.Stats()
				require.NoError(t, err)
				return st
			}
			require.Zero(t, stats().Lag)
			require.Zero(t, stats().Snapshots)
			require.NoError(t, setX(e, "a", 1))
			time.Sleep(10 * time.Second)
			require.NoError(t, setX(e, "a", 2))
			time.Sleep(10 * time.Second)
			st := stats()
			require.EqualValues(t, 2, st.LastSeq)
			if level == Sync {
				require.Zero(t, st.Lag)
				require.EqualValues(t, 2, st.DurableSeq)
				require.LessOrEqual(t, st.DiskWaits, uint64(2), "one that comes late need not wait")
			} else {
				require.Equal(t, 20*time.Second, st.Lag)
				require.Zero(t, st.DurableSeq)
			}
			require.NoError(t, e.Snapshot())
			require.Zero(t, stats().Lag)
			time.Sleep(5 * time.Second)
			st = stats()
			require.EqualValues(t, 1, st.Snapshots.Taken)
			require.Equal(t, 5*time.Second, st.Snapshots.Age)
			require.Positive(t, st.Snapshots.Bytes)
			require.NoError(t, setX(e, "a", 3))
			time.Sleep(3 * time.Second)
			if st = stats(); level != Sync {
				require.Equal(t, 3*time.Second, st.Lag)
			}
			require.NoError(t, e.Flush())
			require.Zero(t, stats().Lag)
			require.NoError(t, e.Close())
			e = mustOpen(t, fs, Options{})
			st = stats()
			require.Equal(t, 8*time.Second, st.Snapshots.Age, "across a reopen")
			require.Zero(t, st.Snapshots.Taken)
			require.Zero(t, st.Commits)
			require.NoError(t, e.Close())
		})
	}
}

// TestKeyspaceBytes compares Layers.Keyspace with what the heap holds for sets of one member, or on the disk only.
func TestKeyspaceBytes(t *testing.T) {
	if invariants.Enabled {
		t.Skip("checks keep memory of their own")
	}
	n := max(matrix.Pick(40_000, 400_000), 40_000) // of fewer a store's own memory is too large a part
	fill := func(e *Engine) {
		keys := make([]string, 100)
		for i := 0; i < n; i += len(keys) {
			for j := range keys {
				keys[j] = fmt.Sprintf("player:%08d", i+j)
			}
			mustUpdate(t, e, keys, func(tx *Tx) {
				for _, key := range keys {
					add(t, tx, key, "x", 1)
				}
			})
		}
	}
	fs := persist.MemFS()
	stored := mustOpen(t, fs, Options{Durability: None})
	fill(stored)
	require.NoError(t, stored.Snapshot())
	require.NoError(t, stored.Close())
	require.NoError(t, mustOpen(t, fs, Options{}).Close()) // deletes the files of the log, which are in memory too
	inMemory := func(fill func(*Engine)) *Engine {
		e, err := New(Options{})
		require.NoError(t, err)
		fill(e)
		return e
	}
	heldBy := func(open func() *Engine) (*Engine, int) {
		before := heapBytes()
		e := open()
		return e, heapBytes() - before
	}
	for name, open := range map[string]struct{ empty, full func() *Engine }{
		"memory": {func() *Engine { return inMemory(func(*Engine) {}) }, func() *Engine { return inMemory(fill) }},
		"cold":   {func() *Engine { return mustOpen(t, persist.MemFS(), Options{}) }, func() *Engine { return mustOpen(t, fs, Options{}) }},
	} {
		empty, own := heldBy(open.empty)
		require.NoError(t, empty.Close())
		e, held := heldBy(open.full)
		held -= own
		st, err := e.Stats()
		require.NoError(t, err)
		require.Equal(t, n, st.Sets)
		reported := st.Memory + st.Layers.Keyspace
		t.Logf("%s: %d sets: the heap holds %d bytes a set, the figures say %d, %d of them for the keyspace",
			name, n, held/n, reported/n, st.Layers.Keyspace/n)
		require.InDelta(t, held, reported, float64(held)/4, name)
		require.NoError(t, e.Close())
	}
}

// heapBytes returns the bytes of the heap in use after garbage collection.
func heapBytes() int {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}
