package engine

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine/internal/facts"
	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/zset"
)

// TestStagedLeftInLog: a staged set cannot be dropped because the disk is full. No other set may get its id, because the log would give that set its
// members when the engine is opened again.
func TestStagedLeftInLog(t *testing.T) {
	for _, reopen := range []bool{false, true} {
		t.Run(fmt.Sprintf("reopen=%v", reopen), func(t *testing.T) {
			twoWays(t, func(t *testing.T, follow func(*Engine), _ bool) {
				synctest.Test(t, func(t *testing.T) { stagedLeftInLog(t, reopen, follow) })
			})
		})
	}
}

func stagedLeftInLog(t *testing.T, reopen bool, follow func(*Engine)) {
	mem := memfs.NewCrashable()
	free := func(mb uint64) {
		mem.TestingSetDiskUsage(vfs.DiskUsage{AvailBytes: mb << 20, TotalBytes: 1 << 40})
		time.Sleep(time.Second)
		synctest.Wait()
	}
	set := func(member string) *zset.Set {
		z := must(zset.New(zset.Options{}))
		_, err := z.Add([]byte(member), 1)
		require.NoError(t, err)
		return z
	}
	free(1000)
	e := mustOpen(t, mem, Options{SnapshotBytes: -1})
	follow(e)
	require.NoError(t, setX(e, "other", 1))
	e.keys.FreshID("staged", e.m.lastSeq()) // an id that another store has reserved at the same time
	left, err := e.ops.stage(t.Context(), zset.As[int64](set("left")), 0, facts.Digest{})
	require.NoError(t, err)
	free(10)
	if reopen {
		require.NoError(t, e.Close())
		e = mustOpen(t, mem, Options{SnapshotBytes: -1})
	} else {
		e.ops.unstage(left)
	}
	free(1000)
	e.ops.stageBytes = 1
	require.NoError(t, e.ops.install(t.Context(), "a", zset.As[int64](set("right")), 0, facts.Digest{}, func(instant) bool { return true }))
	state := stateText(t, e)
	require.NotContains(t, state, "left")
	require.NoError(t, e.Close())
	e = mustOpen(t, mem, Options{})
	require.Equal(t, state, stateText(t, e))
	require.NoError(t, e.Close())
}
