package engine

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/invariants"
	"github.com/zrankdb/zrank/internal/matrix"
	"github.com/zrankdb/zrank/persist"
)

// heldBytes are the resources that a process holds.
type heldBytes struct {
	goroutines, descriptors, heap, files int
	bytes                                int64 // of the files
}

// holds returns what the process holds, and how many files are below dir.
func holds(t *testing.T, fsys persist.FS, dir string) heldBytes {
	t.Helper()
	h := heldBytes{goroutines: runtime.NumGoroutine(), heap: heapBytes()}
	if list, err := os.ReadDir("/proc/self/fd"); err == nil {
		h.descriptors = len(list)
	}
	if fsys == vfs.Default {
		require.NoError(t, filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				info, _ := d.Info()
				h.files, h.bytes = h.files+1, h.bytes+info.Size()
			}
			return err
		}))
		return h
	}
	h.count(t, fsys, dir)
	return h
}

// count counts the files below dir.
func (h *heldBytes) count(t *testing.T, fsys persist.FS, dir string) {
	names, err := fsys.List(dir)
	require.NoError(t, err)
	for _, name := range names {
		path := fsys.PathJoin(dir, name)
		info, err := fsys.Stat(path)
		require.NoError(t, err)
		if info.IsDir() {
			h.count(t, fsys, path)
			continue
		}
		h.files, h.bytes = h.files+1, h.bytes+info.Size()
	}
}

// openCloseRound opens the engine, does a little of everything, and closes it.
func openCloseRound(t *testing.T, fsys persist.FS, dir string, i int) {
	e, err := Open(dir, Options{FS: fsys, Durability: Durability(i % 3), MemoryLimit: 1 << 20, OnEvent: func(Event) {}})
	require.NoError(t, err)
	key := fmt.Sprint("key", i%10)
	mustUpdate(t, e, []string{key}, func(tx *Tx) {
		add(t, tx, key, fmt.Sprint("member", i%300), float64(i))
		require.NoError(t, tx.Put("round", fmt.Append(nil, i)))
	})
	mustView(t, e, []string{key, "absent"}, func(*Tx) {})
	if i%4 == 0 {
		require.NoError(t, e.Snapshot())
	}
	_, err = e.Stats()
	require.NoError(t, err)
	_, _, err = e.Usage(key)
	require.NoError(t, err)
	require.NoError(t, e.Close())
}

// TestLeaks opens and closes an engine a thousand times: the numbers of goroutines, file descriptors, heap bytes and files do not grow.
func TestLeaks(t *testing.T) {
	if invariants.Enabled {
		t.Skip("checks keep memory of their own")
	}
	for _, row := range []struct {
		name   string
		fs     persist.FS
		rounds int
	}{{"memory", persist.MemFS(), matrix.Pick(150, 1000)}, {"directory", vfs.Default, matrix.Pick(50, 1000)}} {
		t.Run(row.name, func(t *testing.T) {
			rounds, dir := row.rounds, "db"
			if row.fs == vfs.Default {
				dir = filepath.Join(t.TempDir(), "db")
			}
			if testing.Short() {
				rounds = max(rounds/5, 50)
			}
			warm := rounds / 5 // by then sets, Pebble's tables and pools have their final size
			var before heldBytes
			for i := range rounds {
				if i == warm {
					before = holds(t, row.fs, dir)
				}
				openCloseRound(t, row.fs, dir, i)
			}
			var after heldBytes
			ended := func() bool { // Eventually calls it in another goroutine
				after = holds(t, row.fs, dir)
				return after.goroutines <= before.goroutines+1 && after.descriptors <= before.descriptors
			}
			require.Eventually(t, ended, 5*time.Minute, 20*time.Millisecond, "%+v, %+v", before, after)
			t.Logf("%d rounds of open and close: after %d %+v, after all %+v", rounds, warm, before, after)
			require.LessOrEqual(t, after.heap, before.heap+2<<20)
			require.LessOrEqual(t, after.files, before.files+8)
			require.LessOrEqual(t, after.bytes, 2*before.bytes+1<<20)
		})
	}
}
