package engine

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/stretchr/testify/require"
)

// TestWaitRefused: a call that has come in line, and that the disk then refuses to drop a set whose time was up for, does not
// stay in line: nobody pops for it what it will never see.
func TestWaitRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		mem := vfs.NewCrashableMem()
		free := func(mb uint64) {
			mem.TestingSetDiskUsage(vfs.DiskUsage{AvailBytes: mb << 20, TotalBytes: 1 << 40})
			time.Sleep(time.Second)
			synctest.Wait()
		}
		free(1000)
		e := mustOpen(t, mem, Options{lazy: true})
		require.NoError(t, setX(e, "a", 1))
		expireIn(t, e, "a", time.Millisecond)
		free(10)
		_, _, err := e.PopMinWait(context.Background(), "a")
		require.ErrorIs(t, err, ErrDiskFull)
		free(1000)
		require.Zero(t, e.waiters.n.Load())
		require.NoError(t, setX(e, "a", 2))
		require.Contains(t, stateText(t, e), `"x"=2`)
		require.NoError(t, e.Close())
	})
}
