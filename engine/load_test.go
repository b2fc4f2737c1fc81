package engine

import (
	"fmt"
	"io"
	"math/rand/v2"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/matrix"
	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/internal/powercut"
	"github.com/zrankdb/zrank/persist"
)

// manySets makes sets of n members each, so big that each has its own blocks in Pebble's tables, and closes the engine.
func manySets(t testing.TB, fs persist.FS, sets, n int) (keys []string) {
	e := mustOpen(t, fs, Options{Durability: None, SnapshotBytes: -1})
	rng := rand.New(rand.NewPCG(12, 1))
	for i := range sets {
		key := fmt.Sprintf("set%02d", i)
		keys = append(keys, key)
		mustUpdate(t, e, []string{key}, func(tx *Tx) {
			for j := range n {
				add(t, tx, key, fmt.Sprintf("%d:%0400x", j, rng.Uint64()), float64(j))
			}
		})
	}
	require.NoError(t, e.Snapshot())
	require.NoError(t, e.Close())
	e = mustOpen(t, fs, Options{SnapshotBytes: -1}) // what was in Pebble's log goes to tables
	require.NoError(t, e.Close())
	return keys
}

// readsTable reports whether an operation reads a table for a set. It leaves out Pebble's reads for its own statistics, because the store stops if
// one of those fails.
func readsTable(op errorfs.Op) bool {
	return strings.HasSuffix(op.Path, ".sst") && op.Kind == errorfs.OpFileReadAt &&
		!strings.Contains(string(debug.Stack()), "collectTableStats")
}

// gate makes reads of tables for sets wait or fail.
type gate struct {
	shut    atomic.Pointer[chan struct{}] // nil: open
	broken  atomic.Bool
	waiting atomic.Int64
}

func (g *gate) String() string { return "gate" }

func (g *gate) MaybeError(op errorfs.Op) error {
	if !g.broken.Load() && g.shut.Load() == nil || !readsTable(op) {
		return nil
	}
	if g.broken.Load() {
		return syscall.EIO
	}
	if shut := g.shut.Load(); shut != nil {
		g.waiting.Add(1)
		<-*shut
	}
	return nil
}

// TestLoadHoldsUpNobody: while a set is being loaded, goroutines that want it wait for that one load. Goroutines that want other sets do not wait,
// even if waiting transactions name these sets too.
func TestLoadHoldsUpNobody(t *testing.T) {
	mem, g := memfs.New(), &gate{}
	const n = 600
	keys := manySets(t, mem, 3, n)
	e := mustOpen(t, errorfs.Wrap(mem, g), Options{SnapshotBytes: -1})
	mustView(t, e, keys[1:2], func(*Tx) {})
	shut := make(chan struct{})
	g.shut.Store(&shut)
	var wg sync.WaitGroup
	var loaded atomic.Int64
	for i := range 8 {
		wg.Go(func() {
			do := func(tx *Tx) error {
				if named(t, tx, keys[0]).Len() < n {
					panic("half a set")
				}
				loaded.Add(1)
				return nil
			}
			if i%2 == 0 {
				require.NoError(t, e.View(t.Context(), do, keys[:2]...))
			} else {
				require.NoError(t, e.Update(t.Context(), do, keys[:2]...))
			}
		})
	}
	for g.waiting.Load() == 0 {
		mustView(t, e, keys[1:2], func(*Tx) {})
	}
	for i := range 100 {
		mustUpdate(t, e, keys[1:2], func(tx *Tx) { add(t, tx, keys[1], "x", float64(i)) })
		mustView(t, e, keys[1:2], func(*Tx) {})
	}
	st, err := e.Stats()
	require.NoError(t, err)
	require.Equal(t, 1, st.Loaded)
	require.Zero(t, loaded.Load())
	close(shut)
	g.shut.Store(nil)
	wg.Wait()
	require.EqualValues(t, 2, e.residency.Loads.Load())
	counted(t, e)
	require.NoError(t, e.Close())
}

// TestLoadAgain: if a set cannot be read, all calls that wait for it get the error, and the next use reads it again.
func TestLoadAgain(t *testing.T) {
	mem, g := memfs.New(), &gate{}
	const n = 600
	keys := manySets(t, mem, 3, n)
	e := mustOpen(t, errorfs.Wrap(mem, g), Options{SnapshotBytes: -1})
	g.broken.Store(true)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			require.ErrorIs(t, e.View(t.Context(), func(*Tx) error { return nil }, keys...), syscall.EIO)
			require.ErrorIs(t, e.Update(t.Context(), func(*Tx) error { return nil }, keys...), syscall.EIO)
		})
	}
	wg.Wait()
	counted(t, e)
	g.broken.Store(false)
	mustUpdate(t, e, keys, func(tx *Tx) {
		for _, key := range keys {
			require.Equal(t, n, named(t, tx, key).Len())
		}
	})
	require.NoError(t, e.Close())
}

// TestRow12Engine flips bits in Pebble's tables. If the engine opens, every use of a damaged set returns ErrCorrupt with the set's key, and all other
// sets are unchanged.
func TestRow12Engine(t *testing.T) {
	mem := memfs.NewCrashable()
	keys := manySets(t, mem, 8, 300)
	want := map[string]string{}
	e := mustOpen(t, mem, Options{SnapshotBytes: -1})
	for _, key := range keys {
		mustView(t, e, []string{key}, func(tx *Tx) { want[key] = entriesOf(named(t, tx, key)) })
	}
	require.NoError(t, e.Close())
	rng := rand.New(rand.NewPCG(12, 2))
	refused, opened, bad, good := 0, 0, 0, 0
	rounds := matrix.Pick(30, 2000)
	for range rounds {
		damaged := powercut.Clone(mem, 100, 1)
		flip(t, damaged, rng)
		e, err := Open("db", Options{FS: damaged, SnapshotBytes: -1})
		if err != nil {
			refused++
			continue
		}
		opened++
		for range 2 {
			for _, key := range keys {
				err := e.View(t.Context(), func(tx *Tx) error {
					require.True(t, want[key] == entriesOf(named(t, tx, key)), key)
					return nil
				}, key)
				if err == nil {
					good++
					continue
				}
				bad++
				require.ErrorIs(t, err, ErrCorrupt)
				require.ErrorContains(t, err, key)
			}
		}
		counted(t, e)
		require.NoError(t, e.Close())
	}
	require.Positive(t, bad, "no flip has damaged a set")
	matrix.Row(t, 12, "engine: %d flips in tables: %d refused by Open, %d opened; of %d sets touched twice, %d ErrCorrupt with the set's name, %d right, 0 wrong",
		rounds, refused, opened, opened*len(keys), bad, good)
}

func entriesOf(s *Set) string {
	var b strings.Builder
	for _, e := range s.Append(nil, 0, s.Len()) {
		fmt.Fprintf(&b, "%s=%v ", e.Member, e.Score)
	}
	return b.String()
}

// flip changes one bit of one of the tables.
func flip(t *testing.T, fs vfs.FS, rng *rand.Rand) {
	names, err := fs.List("db/db")
	require.NoError(t, err)
	var tables []string
	for _, name := range names {
		if strings.HasSuffix(name, ".sst") {
			tables = append(tables, fs.PathJoin("db/db", name))
		}
	}
	require.NotEmpty(t, tables)
	name := tables[rng.IntN(len(tables))]
	f, err := fs.Open(name)
	require.NoError(t, err)
	b, err := io.ReadAll(f)
	require.NoError(t, err)
	require.NoError(t, f.Close())
	b[rng.IntN(len(b))] ^= 1 << rng.IntN(8)
	f, err = fs.Create(name, vfs.WriteCategoryUnspecified)
	require.NoError(t, err)
	_, err = f.Write(b)
	require.NoError(t, err)
	require.NoError(t, f.Close())
}
