package ratelimit

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/internal/powercut"
	"github.com/zrankdb/zrank/internal/testclock"
)

// cut is a disk after a power cut, with the number of events acknowledged before it.
type cut struct {
	fs    *memfs.FS
	acked int64
}

// TestPowerCut: after a power cut every event counts that was allowed before (R6), and at most one call more.
func TestPowerCut(t *testing.T) {
	w := testclock.New()
	mem := memfs.NewCrashable()
	var allowed atomic.Int64
	var cuts []cut
	e := mustOpen(t, powercut.Before(mem, func(errorfs.Op) {
		acked := allowed.Load() // before the clone: what is acknowledged later need not be in it
		cuts = append(cuts, cut{powercut.Clone(mem, 50*(len(cuts)%3), uint64(len(cuts))), acked})
	}), w)
	limits := []Limit{{100, time.Hour}}
	l := mustNew(t, e, "l", limits...)
	for i := range times(60) {
		w.Add(time.Second)
		if mustAllow(t, l, "k", 1+i%3).Allowed {
			allowed.Add(int64(1 + i%3))
		}
		if i%20 == 19 {
			require.NoError(t, e.Snapshot())
		}
	}
	require.NoError(t, e.Close())
	for i, cut := range cuts {
		e, err := engine.Open("data", engine.Options{Clock: w.Now, FS: cut.fs})
		require.NoError(t, err, fmt.Sprint(i))
		n := events(t, mustNew(t, e, "l", limits...), "k")
		require.GreaterOrEqual(t, int64(n), cut.acked)
		require.LessOrEqual(t, int64(n), cut.acked+3, "one call was under way")
		require.NoError(t, e.Close())
	}
	t.Logf("%d power cuts: every event allowed before is counted after", len(cuts))
}
