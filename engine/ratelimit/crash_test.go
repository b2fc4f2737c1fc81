package ratelimit

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/internal/testclock"
)

// cutter clones the disk as a power cut would leave it, before every operation that changes it.
type cutter struct {
	mu      sync.Mutex
	mem     *memfs.FS
	allowed atomic.Int64 // events acknowledged
	cuts    []cut
}

type cut struct {
	fs    *memfs.FS
	acked int64
}

func (c *cutter) String() string { return "cutter" }

func (c *cutter) MaybeError(op errorfs.Op) error {
	if op.Kind.ReadOrWrite() != errorfs.OpIsWrite {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	acked := c.allowed.Load() // read before the clone, which need not have events acknowledged later
	rng := rand.New(rand.NewPCG(uint64(len(c.cuts)), 7))
	fs := c.mem.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: 50 * (len(c.cuts) % 3), RNG: rng})
	c.cuts = append(c.cuts, cut{fs, acked})
	return nil
}

// TestPowerCut: after a power cut every event counts that was allowed before (R6), and at most one call more.
func TestPowerCut(t *testing.T) {
	w := testclock.New()
	c := &cutter{mem: memfs.NewCrashable()}
	e := mustOpen(t, errorfs.Wrap(c.mem, c), w)
	limits := []Limit{{100, time.Hour}}
	l := mustNew(t, e, "l", limits...)
	for i := range times(60) {
		w.Add(time.Second)
		if mustAllow(t, l, "k", 1+i%3).Allowed {
			c.allowed.Add(int64(1 + i%3))
		}
		if i%20 == 19 {
			require.NoError(t, e.Snapshot())
		}
	}
	require.NoError(t, e.Close())
	for i, cut := range c.cuts {
		e, err := engine.Open("data", engine.Options{Clock: w.Now, FS: cut.fs})
		require.NoError(t, err, fmt.Sprint(i))
		n := events(t, mustNew(t, e, "l", limits...), "k")
		require.GreaterOrEqual(t, int64(n), cut.acked)
		require.LessOrEqual(t, int64(n), cut.acked+3, "one call was under way")
		require.NoError(t, e.Close())
	}
	t.Logf("%d power cuts: every event allowed before is counted after", len(c.cuts))
}
