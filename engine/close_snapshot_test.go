package engine

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/memfs"
)

// In these tests Open is slow if it loads a set of slowMembers members, or slowSets small sets.
const (
	slowMembers = 1100
	slowSets    = 11
)

// addMany adds members of 32 bytes to a set, 1000 in a commit.
func addMany(t *testing.T, e *Engine, key string, members int) {
	t.Helper()
	for i := 0; i < members; i += 1000 {
		mustUpdate(t, e, []string{key}, func(tx *Tx) {
			s := named(t, tx, key)
			for j := i; j < min(members, i+1000); j++ {
				_, err := s.Add(fmt.Appendf(nil, "%032d", j), float64(j))
				require.NoError(t, err)
			}
		})
	}
}

// noReuse creates a new file where Pebble would reuse an old one, because errorfs does not see operations on a reused file.
type noReuse struct{ vfs.FS }

func (f noReuse) ReuseForWrite(old, name string, c vfs.DiskWriteCategory) (vfs.File, error) {
	if err := f.Remove(old); err != nil {
		return nil, err
	}
	return f.Create(name, c)
}

// closing is a case of TestOpenAfterClose: changes before Close, and what Close and the next Open do then.
type closing struct {
	name   string
	o      Options
	change func(t *testing.T, e *Engine, disk *slow, mem *memfs.FS) // made after a snapshot, before Close
	err    error                                                    // expected from Close
	loaded int                                                      // sets that the next Open must load
}

var closings = []closing{
	{name: "nothing has changed", change: func(*testing.T, *Engine, *slow, *memfs.FS) {}},
	{name: "little in a small set", loaded: 1, change: func(t *testing.T, e *Engine, _ *slow, _ *memfs.FS) {
		require.NoError(t, setX(e, "small", 2))
	}},
	{name: "little in a big set", change: changeBig},
	{name: "little in each of many sets", change: func(t *testing.T, e *Engine, _ *slow, _ *memfs.FS) {
		for i := range slowSets {
			require.NoError(t, setX(e, fmt.Sprint("set", i), 2))
		}
	}},
	{name: "a commit that ends while Close takes its snapshot", change: commitInSnapshot},
	{name: "a long log and a disk whose writes take a second each", change: func(t *testing.T, e *Engine, disk *slow, _ *memfs.FS) {
		addMany(t, e, "new", 2500)
		time.Sleep(time.Second) // until it is written
		require.Greater(t, e.store.LogBytes(), e.checkpoints.CloseLogBytes)
		disk.tables.Store(int64(time.Second))
	}},
	{name: "a silent disk", loaded: 1, err: ErrStalled, change: func(t *testing.T, e *Engine, disk *slow, _ *memfs.FS) {
		time.Sleep(time.Minute) // until Pebble's background work is done: a goroutine of it that waits for a mutex would stop fake time
		disk.delay.Store(int64(time.Minute))
		require.ErrorIs(t, setX(e, "big", 2), ErrStalled)
	}},
	{name: "a full disk", loaded: 1, err: ErrDiskFull, change: func(t *testing.T, e *Engine, disk *slow, mem *memfs.FS) {
		changeBig(t, e, disk, mem)
		mem.TestingSetDiskUsage(vfs.DiskUsage{AvailBytes: 1 << 20, TotalBytes: 1 << 40})
	}},
	{name: "no snapshots wanted", o: Options{SnapshotBytes: -1}, loaded: 1, change: changeBig},
}

func changeBig(t *testing.T, e *Engine, _ *slow, _ *memfs.FS) { require.NoError(t, setX(e, "big", 2)) }

// commitInSnapshot begins an Update before Close that changes a set after the snapshot of Close has written one of its pages.
func commitInSnapshot(t *testing.T, e *Engine, _ *slow, _ *memfs.FS) {
	mustUpdate(t, e, []string{"big"}, func(tx *Tx) { add(t, tx, "big", "y", 1) })
	var once sync.Once
	e.checkpoints.Paged = func(page []byte) []byte {
		once.Do(func() {
			tx := e.m.newTx(context.Background(), write)
			_, err := e.m.run(tx, []string{"big"}, func(tx *Tx) error { add(t, tx, "big", "y", 2); add(t, tx, "big", "y", 1); return nil })
			require.NoError(t, err)
		})
		return page
	}
}

// TestOpenAfterClose: Close takes a snapshot if the next Open would be slow without it; then Open loads nothing. Close takes none if little
// is to be read, and cannot take one if the disk is full or silent; then Open loads the changed sets. Nothing is missing in any case.
func TestOpenAfterClose(t *testing.T) {
	for _, row := range closings {
		t.Run(row.name, func(t *testing.T) { synctest.Test(t, row.run) })
	}
}

// run makes the case's changes, closes, opens again and compares.
func (c closing) run(t *testing.T) {
	mem, disk := memfs.NewCrashable(), &slow{}
	c.o.SnapshotAge = -1
	e := mustOpen(t, noReuse{errorfs.Wrap(mem, disk)}, c.o)
	e.checkpoints.CloseMembers, e.checkpoints.CloseLogBytes = 1000, 64<<10
	addMany(t, e, "big", slowMembers)
	require.NoError(t, setX(e, "small", 1))
	for i := range slowSets {
		require.NoError(t, setX(e, fmt.Sprint("set", i), 1))
	}
	require.NoError(t, e.Snapshot())
	c.change(t, e, disk, mem)
	before := stateText(t, e)
	err := e.Close()
	disk.delay.Store(0)
	disk.tables.Store(0)
	time.Sleep(2 * time.Minute) // the disk has answered
	mem.TestingSetDiskUsage(vfs.DiskUsage{})
	e = mustOpen(t, mem, Options{SnapshotBytes: -1})
	r, after := e.Recovery(), stateText(t, e)
	require.NoError(t, e.Close())
	require.ErrorIs(t, err, c.err)
	require.True(t, r.Store.Clean)
	require.Equal(t, c.loaded, r.Loaded)
	require.Equal(t, before, after)
}
