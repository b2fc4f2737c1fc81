package engine

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/persist"
)

// TestUsageOfWhatGoes: if a set is dropped and deleted from the disk during Usage, Usage returns that it does not exist, and not ErrCorrupt.
func TestUsageOfWhatGoes(t *testing.T) {
	e := mustOpen(t, persist.MemFS(), Options{SnapshotBytes: -1})
	done := make(chan error)
	go func() {
		defer close(done)
		for range times(300) {
			if err := setX(e, "a", 1); err != nil {
				done <- err
			}
			_ = e.Snapshot()
			if _, err := e.Delete(t.Context(), "a"); err != nil {
				done <- err
			}
			_ = e.Snapshot()
		}
	}()
	looks, found := 0, 0
	for running := true; running; looks++ {
		select {
		case err := <-done:
			require.NoError(t, err)
			running = false
		default:
		}
		_, ok, err := e.Usage("a")
		require.NoError(t, err)
		if ok {
			found++
		}
	}
	t.Logf("%d looks, %d found it", looks, found)
	require.NoError(t, e.Close())
}
