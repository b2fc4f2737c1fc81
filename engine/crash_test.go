package engine

import (
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/invariants"
	"github.com/zrankdb/zrank/internal/matrix"
	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/internal/powercut"
	"github.com/zrankdb/zrank/persist"
)

// crashed is the disk after a power cut, and what must be true of it.
type crashed struct {
	fs    *memfs.FS
	acked uint64
	now   int64 // seconds on the clock at the power cut
	what  string
}

func (x crashed) String() string { return x.what }

// crasher simulates a power cut before every operation that changes the disk, in three variants.
type crasher struct {
	r      *runner
	out    chan crashed
	points atomic.Uint64
}

func (c *crasher) String() string { return "crasher" }

func (c *crasher) MaybeError(op errorfs.Op) error {
	if !powercut.Changes(op) {
		return nil
	}
	n := c.points.Add(1)
	for _, percent := range []int{0, 50, 100} {
		acked := c.r.acked.Load() // read before the clone, which need not have commits acknowledged later
		fs := powercut.Clone(c.r.mem, percent, n)
		c.out <- crashed{fs, acked, c.r.clock.Load(), fmt.Sprintf("point %d, before %v of %s, %d%% of unsynced data kept", n, op.Kind, op.Path, percent)}
	}
	return nil
}

// powerCuts runs a script of transactions over several sets and private keys, with snapshots and reopens, and cuts the power before every
// operation that changes the disk. At each point the engine must open with exactly the first n commits, including all acknowledged ones.
// With later, a line of the script acknowledges many commits at once. It returns the number of points.
func powerCuts(seed uint64, o Options, length int, later bool) (points uint64, err error) {
	o.StallTimeout = time.Hour // the disk waits for the checks
	r := newRunner(o, memfs.NewCrashable())
	r.later = later
	c := &crasher{r: r, out: make(chan crashed)}
	r.wrap = func(mem *memfs.FS) persist.FS { return errorfs.Wrap(mem, c) }
	bad := powercut.Check(c.out, r.recovers)
	err = r.run(newGenerator(seed).script(length, "snapshot", "glance", "sleep 3", "acknowledge"))
	close(c.out)
	return c.points.Load(), errors.Join(append(bad(), err)...)
}

// TestRow05PowerCut runs powerCuts with many seeds and several options.
func TestRow05PowerCut(t *testing.T) {
	length := matrix.Pick(32, 90)
	if testing.Short() || invariants.Enabled {
		length = 20
	}
	variants := []Options{{SnapshotBytes: -1}, {SnapshotBytes: 1}, {MemoryLimit: 1}} // snapshots by the script; in the background too; memory is short
	points, seeds := uint64(0), max(matrix.Pick(len(variants), 100), 2)              // every other one a pipeline
	for seed := range seeds {
		n, err := powerCuts(uint64(100+seed), variants[seed%len(variants)], length, seed%2 == 1)
		require.NoError(t, err, "seed %d", 100+seed)
		points += n
	}
	matrix.Row(t, 5, "%d crash points, %d seeds, 0/50/100 %% of unsynced data kept: %d recoveries, 0 violations", points, seeds, 3*points)
}

// recovers opens a crashed disk, and checks its contents, and that no expired set is visible.
func (r *runner) recovers(x crashed) error {
	clock := func() time.Time { return time.Unix(x.now, 0) }
	e, err := Open("db", Options{FS: x.fs, SnapshotBytes: -1, Clock: clock, lazy: true})
	if err != nil {
		return err
	}
	return errors.Join(r.prefix(e, x.acked, x.now), e.Close())
}
