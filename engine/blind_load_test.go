package engine

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/internal/traces"
	"github.com/zrankdb/zrank/persist"
)

// bigBlindSets makes sets that have blocks of their own in Pebble's tables, and closes the engine.
func bigBlindSets(t *testing.T, fs persist.FS, keys ...string) blindSets {
	e, b, r := mustOpen(t, fs, Options{SnapshotBytes: -1}), blindSets{}, rand.New(rand.NewPCG(5, 5))
	for _, key := range keys {
		b.fill(t, e, key, 2)
		require.NoError(t, ownerOf(t, e).UpdateBlind(t.Context(), nil, []string{key}, func(tx *Tx) error {
			for range 600 {
				require.NoError(t, b.put(tx, ownerOf(t, e), key, fmt.Sprintf("%0400x", r.Uint64()), blindEntry{1, blindTie(1)}))
			}
			return nil
		}))
	}
	require.NoError(t, e.Snapshot())
	require.NoError(t, e.Close())
	e = mustOpen(t, fs, Options{SnapshotBytes: -1}) // what was in Pebble's log goes to tables
	require.NoError(t, e.Close())
	return b
}

// TestBlindWhileLoading: blind writes go on while a set is being read, and the readers see them.
func TestBlindWhileLoading(t *testing.T) {
	mem, g := memfs.New(), &gate{}
	b := bigBlindSets(t, mem, "board/a")
	e := mustOpen(t, errorfs.Wrap(mem, g), Options{SnapshotBytes: -1})
	o := ownerOf(t, e)
	remove := func(member string) {
		require.NoError(t, o.UpdateBlind(t.Context(), nil, []string{"board/a"}, func(tx *Tx) error { return b.remove(tx, o, "board/a", member) }))
	}
	remove("m0000") // reads the record
	shut, done := make(chan struct{}), make(chan error, 2)
	g.shut.Store(&shut)
	for range 2 {
		go func() { done <- e.View(t.Context(), func(*Tx) error { return nil }, "board/a") }()
	}
	for g.waiting.Load() == 0 {
		runtime.Gosched()
	}
	remove("m0001")
	close(shut)
	g.shut.Store(nil)
	require.NoError(t, <-done)
	require.NoError(t, <-done)
	require.NoError(t, b.equal(e))
	require.EqualValues(t, 1, e.residency.Loads.Load())
	require.NoError(t, sound(e, 1))
	require.NoError(t, e.Close())
}

// TestBlindReadError: if the record of a set has no facts, nothing has changed and nothing stays locked. If a snapshot cannot read a set with blind
// writes, it fails; the next one has them.
func TestBlindReadError(t *testing.T) {
	mem, g := memfs.New(), &gate{}
	b := bigBlindSets(t, mem, "board/a", "board/b")
	e := mustOpen(t, mem, Options{SnapshotBytes: -1})
	sn, err := e.store.Snapshot(e.store.LastSeq())
	require.NoError(t, err)
	require.NoError(t, sn.WriteSet("board/bad", []byte("12345678"), e.store.LastSeq(), 1, slices.Values([][]byte(nil))))
	require.NoError(t, sn.Publish())
	require.NoError(t, e.Close())
	e = mustOpen(t, errorfs.Wrap(mem, g), Options{SnapshotBytes: -1})
	o := ownerOf(t, e)
	for _, key := range []string{"board/bad", "board/bad", "board/b"} {
		err := o.UpdateBlind(t.Context(), nil, []string{"board/a", key}, func(tx *Tx) error { return b.remove(tx, o, "board/a", "m0000") })
		if key == "board/bad" {
			require.ErrorIs(t, err, ErrCorrupt)
			require.ErrorContains(t, err, key)
		} else {
			require.NoError(t, err)
		}
		require.NoError(t, b.sealed(e, o))
	}
	g.broken.Store(true)
	require.ErrorIs(t, e.Snapshot(), syscall.EIO)
	g.broken.Store(false)
	require.NoError(t, b.sealed(e, o))
	require.NoError(t, e.Snapshot())
	require.NoError(t, b.equal(e))
	require.NoError(t, e.Close())
}

// TestBlindExpiry: a set keeps its expiry, and from then on there is no set.
func TestBlindExpiry(t *testing.T) {
	var at atomic.Int64
	at.Store(1000)
	mem := memfs.NewCrashable()
	opts := Options{SnapshotBytes: -1, Clock: func() time.Time { return time.Unix(at.Load(), 0) }}
	e := mustOpen(t, mem, opts)
	o, b := ownerOf(t, e), blindSets{}
	b.fill(t, e, "board/a", 10)
	require.NoError(t, o.Update(t.Context(), []string{"board/a"}, func(tx *Tx) error {
		s, err := tx.IntSet("board/a", blindForm)
		require.NoError(t, err)
		return second(s.ExpireAt(time.Unix(2000, 0)))
	}))
	require.NoError(t, e.Snapshot())
	require.NoError(t, e.Unload("board/a"))
	remove := func(member string) error {
		return o.UpdateBlind(t.Context(), nil, []string{"board/a"}, func(tx *Tx) error { return b.remove(tx, o, "board/a", member) })
	}
	require.NoError(t, remove("m0001"))
	mem = cutAndClose(t, e, mem)
	e = mustOpen(t, mem, opts)
	o = ownerOf(t, e)
	require.NoError(t, b.sealed(e, o))
	expires, _, err := e.Expiry("board/a")
	require.NoError(t, err)
	require.Equal(t, time.Unix(2000, 0), expires)
	require.NoError(t, sound(e, 1))
	require.NoError(t, e.Unload("board/a"))
	require.NoError(t, remove("m0002"))
	at.Store(2000)
	require.ErrorIs(t, remove("m0003"), ErrNoSet)
	require.NoError(t, e.Snapshot())
	require.NoError(t, e.Close())
}

// TestBlindErased: after a blind removal and a Compact no file has a trace of the member.
func TestBlindErased(t *testing.T) {
	mem, name := memfs.New(), traces.Name(4, 40)
	e := mustOpen(t, mem, Options{SnapshotBytes: -1})
	o, b := ownerOf(t, e), blindSets{}
	b.fill(t, e, "board/a", 3000)
	x := blindEntry{5, blindTie(7)}
	require.NoError(t, o.UpdateBlind(t.Context(), nil, []string{"board/a"}, func(tx *Tx) error { return b.put(tx, o, "board/a", name, x) }))
	require.NoError(t, e.Snapshot())
	require.NoError(t, e.Unload("board/a"))
	require.NoError(t, o.UpdateBlind(t.Context(), nil, []string{"board/a"}, func(tx *Tx) error { return b.remove(tx, o, "board/a", name) }))
	found, err := traces.Find(mem, "db", name)
	require.NoError(t, err)
	require.NotEmpty(t, found)
	_, err = e.Compact(t.Context(), nil)
	require.NoError(t, err)
	found, err = traces.Find(mem, "db", name)
	require.NoError(t, err)
	require.Empty(t, found)
	require.Equal(t, []bool{false}, loadedSets(t, e, "board/a"))
	require.NoError(t, b.equal(e))
	require.NoError(t, e.Close())
}
