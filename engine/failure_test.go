package engine

import (
	"fmt"
	"os"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/internal/powercut"
)

// faulty is a disk that fails every operation that changes it, after left more of them.
type faulty struct{ left atomic.Int64 }

func (f *faulty) String() string { return "faulty" }

func (f *faulty) MaybeError(op errorfs.Op) error {
	if !powercut.Changes(op) || f.left.Add(-1) >= 0 {
		return nil
	}
	return &os.PathError{Op: "injected", Path: op.Path, Err: syscall.EIO}
}

// TestDiskFails: after the first failed write transactions return ErrPersistence and change nothing. Reads go on, also of cold sets, and no call
// hangs. Acknowledged commits are there after a power cut.
func TestDiskFails(t *testing.T) {
	for n := range int64(12) {
		for _, snapshots := range []bool{false, true} {
			t.Run(fmt.Sprintf("after=%d/snapshots=%v", n, snapshots), func(t *testing.T) {
				mem, f := memfs.NewCrashable(), &faulty{}
				f.left.Store(1 << 40)
				fs := errorfs.Wrap(mem, f)
				e := mustOpen(t, fs, Options{})
				mustUpdate(t, e, []string{"cold"}, func(tx *Tx) { add(t, tx, "cold", "x", 1) })
				require.NoError(t, e.Snapshot())
				require.NoError(t, e.Close())
				e = mustOpen(t, fs, Options{})
				f.left.Store(n)
				acked := failingUpdates(t, e, snapshots)
				requireFailed(t, e)
				for _, percent := range []int{0, 100} {
					requireHot(t, powercut.Clone(mem, percent, uint64(n)), acked)
				}
			})
		}
	}
}

// failingUpdates changes two sets and a private key until the disk fails, and returns how many times that was acknowledged.
func failingUpdates(t *testing.T, e *Engine, snapshots bool) (acked int) {
	for ; ; acked++ {
		err := e.Update(t.Context(), func(tx *Tx) error {
			add(t, tx, "hot", "x", float64(acked+1))
			add(t, tx, "hot2", "x", float64(acked+1))
			return tx.Put("n", fmt.Append(nil, acked+1))
		}, "hot", "hot2")
		if err == nil && snapshots {
			err = e.Snapshot()
		}
		if err != nil {
			require.ErrorIs(t, err, ErrPersistence)
			require.ErrorIs(t, err, syscall.EIO)
			return acked
		}
	}
}

func requireFailed(t *testing.T, e *Engine) {
	t.Helper()
	state := stateText(t, e) // reads cold, hot and the private keys
	require.Contains(t, state, `set "cold" width 0 version 1 expires 0: "x"=1/`)
	require.ErrorIs(t, e.Update(t.Context(), func(tx *Tx) error {
		add(t, tx, "cold", "x", 2)
		add(t, tx, "new", "x", 2)
		return tx.Put("n", nil)
	}, "cold", "new"), ErrPersistence)
	require.Equal(t, state, stateText(t, e), "rolled back")
	mustUpdate(t, e, []string{"cold"}, func(tx *Tx) { add(t, tx, "cold", "x", 1) }) // nothing to write
	require.ErrorIs(t, e.Snapshot(), ErrPersistence)
	require.ErrorIs(t, refused(t, e), ErrPersistence)
	if err := e.Flush(); e.store.DurableSeq() < e.store.LastSeq() {
		require.ErrorIs(t, err, ErrPersistence)
	} else {
		require.NoError(t, err, "there is nothing to flush")
	}
	require.ErrorIs(t, e.Close(), ErrPersistence)
	require.NoError(t, e.Close())
	require.ErrorIs(t, e.View(t.Context(), nil), ErrClosed)
}

// requireHot checks that both sets and the private key are as one commit left them, not before the last one acknowledged.
func requireHot(t *testing.T, mem *memfs.FS, acked int) {
	t.Helper()
	e := mustOpen(t, mem, Options{})
	mustView(t, e, []string{"hot", "hot2", "cold"}, func(tx *Tx) {
		n, _ := named(t, tx, "hot").Score([]byte("x"))
		same, _ := named(t, tx, "hot2").Score([]byte("x"))
		require.Equal(t, n, same)
		require.GreaterOrEqual(t, int(n), acked)
		v, ok, err := tx.Get("n")
		require.NoError(t, err)
		require.Equal(t, n > 0, ok)
		if ok {
			require.Equal(t, fmt.Sprint(int(n)), string(v))
		}
		require.Equal(t, 1, named(t, tx, "cold").Len())
	})
	mustUpdate(t, e, []string{"hot"}, func(tx *Tx) { add(t, tx, "hot", "y", 1) })
	require.NoError(t, e.Close())
}
