package persist

import (
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/matrix"
	"github.com/zrankdb/zrank/persist/internal/storedir"
)

// TestCloseWhileForking: a directory must be unlocked when Close returns, even if other goroutines start processes. Until its exec, a
// child process has all files of this process open, and so would hold their locks.
func TestCloseWhileForking(t *testing.T) {
	var stop atomic.Bool
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for !stop.Load() {
				_ = exec.Command(os.Args[0], "-test.run=^$").Run()
			}
		})
	}
	defer wg.Wait()
	defer stop.Store(true)
	dir := t.TempDir()
	for range matrix.Pick(8_000, 200_000) {
		lock, err := storedir.Lock(vfs.Default, dir)
		require.NoError(t, err)
		require.NoError(t, lock.Close())
	}
}
