package engine

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/matrix"
	"github.com/zrankdb/zrank/persist"
)

// scatter adds members first to last with random scores to a set, in commits of 10,000.
func scatter(t testing.TB, e *Engine, key string, first, last int) {
	rng := rand.New(rand.NewPCG(uint64(first), 1))
	member := make([]byte, 20)
	for first < last {
		mustUpdate(t, e, []string{key}, func(tx *Tx) {
			s := named(t, tx, key)
			for n := min(first+10_000, last); first < n; first++ {
				binary.BigEndian.PutUint64(member, uint64(first)*0x9e3779b97f4a7c15)
				_, err := s.Add(member, float64(rng.Int64N(1<<40)))
				require.NoError(t, err)
			}
		})
	}
}

// increments increments random members of random sets, one in each commit, until the log has this many bytes.
func increments(t testing.TB, e *Engine, keys []string, members int, log int64) (n int) {
	rng := rand.New(rand.NewPCG(7, 1))
	member := make([]byte, 20)
	for ; e.store.LogBytes() < log; n++ {
		key := keys[rng.IntN(len(keys))]
		binary.BigEndian.PutUint64(member, uint64(rng.IntN(members))*0x9e3779b97f4a7c15)
		mustUpdate(t, e, []string{key}, func(tx *Tx) {
			_, err := named(t, tx, key).IncrBy(member, 1)
			require.NoError(t, err)
		})
	}
	require.NoError(t, e.Flush())
	return n
}

// TestOpenFigures prints how long Open and the first use of a set take; with -args -long for realistic sizes. To repeat:
//
//	go test -run TestOpenFigures -v -timeout 30m ./engine -args -long
func TestOpenFigures(t *testing.T) {
	members := matrix.Pick(20_000, 10_000_000)
	t.Run("clean close", func(t *testing.T) {
		fs, dir := vfs.Default, t.TempDir()
		e := openAt(t, fs, dir)
		scatter(t, e, "big", 0, members)
		require.NoError(t, e.Snapshot())
		require.NoError(t, e.Close())
		start := time.Now()
		e = openAt(t, fs, dir)
		opened := time.Since(start)
		mustView(t, e, []string{"big"}, func(tx *Tx) { require.Equal(t, members, named(t, tx, "big").Len()) })
		t.Logf("%d members in one set: open after a clean close %v, first touch %v", members, opened, time.Since(start)-opened)
		require.NoError(t, e.Close())
	})
	for _, sets := range []int{1, 1000} {
		t.Run(fmt.Sprintf("killed, %d sets", sets), func(t *testing.T) { openAfterKill(t, sets) })
	}
	t.Run("small sets", func(t *testing.T) {
		fs, dir, n := vfs.Default, t.TempDir(), matrix.Pick(2000, 1_000_000)
		e := openAt(t, fs, dir)
		for i := 0; i < n; i++ {
			key := fmt.Sprintf("player:%d", i)
			mustUpdate(t, e, []string{key}, func(tx *Tx) { add(t, tx, key, "score", 1) })
		}
		require.NoError(t, e.Snapshot())
		require.NoError(t, e.Close())
		start := time.Now()
		e = openAt(t, fs, dir)
		t.Logf("%d sets of one member: open after a clean close %v, of that %v for the names", n, time.Since(start), e.Recovery().Duration)
		require.NoError(t, e.Close())
	})
}

// openAfterKill measures Open after a kill, with a million members in this many sets and 64 MB of log.
func openAfterKill(t *testing.T, sets int) {
	fs, dir := vfs.Default, t.TempDir()
	members, log := matrix.Pick(20_000, 1_000_000), int64(max(1<<20, matrix.Pick(1<<20, 64<<20)))
	e := openAt(t, fs, dir)
	var keys []string
	for i := range sets {
		keys = append(keys, fmt.Sprint("set", i))
		scatter(t, e, keys[i], 0, members/sets)
	}
	require.NoError(t, e.Snapshot())
	n := increments(t, e, keys, members/sets, log)
	left := t.TempDir() + "/left"
	ok, err := vfs.Clone(fs, fs, dir, left, vfs.CloneSync)
	require.NoError(t, err)
	require.True(t, ok)
	require.NoError(t, e.Close())
	start := time.Now()
	e = openAt(t, fs, left)
	opened, r := time.Since(start), e.Recovery()
	require.Equal(t, sets, r.Loaded)
	t.Logf("%d members in %d sets, killed with %d MiB of log, %d increments: open %v, of that the store's check of the log %v and replay %v",
		members, sets, log>>20, n, opened, opened-r.Duration, r.Duration)
	require.NoError(t, e.Close())
}

func openAt(t testing.TB, fs persist.FS, dir string) *Engine {
	e, err := Open(dir, Options{FS: fs, Durability: None, SnapshotBytes: -1})
	require.NoError(t, err)
	return e
}
