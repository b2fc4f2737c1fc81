package persist

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/invariants"
)

// crashed is the disk as a power cut would have left it.
type crashed struct {
	fs    *vfs.MemFS
	point uint64
	acked uint64
	what  string
}

// crasher cuts the power before every operation that changes the disk, in several ways, and lets check look at each result.
type crasher struct {
	mem    *vfs.MemFS
	acked  func() uint64
	points atomic.Uint64
	runs   atomic.Uint64
	ways   []int // percentages of unsynced data kept
	more   bool  // try more of them where names are flushed
	out    chan crashed
	off    atomic.Bool
}

func (c *crasher) MaybeError(op errorfs.Op) error {
	if c.off.Load() || op.Kind.ReadOrWrite() != errorfs.OpIsWrite || op.Kind == errorfs.OpFileClose || op.Kind == errorfs.OpFilePreallocate {
		return nil
	}
	n := c.points.Add(1)
	ways := c.ways
	if c.more && op.Kind == errorfs.OpFileSync { // of a directory, or of a file that is new in one: try more subsets of its names
		ways = append(slices.Clip(ways), 30, 40, 60, 70)
	}
	for _, percent := range ways {
		c.runs.Add(1)
		acked := c.acked() // before the clone: what is acknowledged later need not be in it
		fs := c.mem.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: percent, RNG: rand.New(rand.NewPCG(n, uint64(percent)))})
		c.out <- crashed{fs, n, acked, fmt.Sprintf("point %d, before %v of %s, %d%% of unsynced data kept", n, op.Kind, op.Path, percent)}
	}
	return nil
}

func (c *crasher) String() string { return "crasher" }

// start checks crashed disks in the background until the returned function is called, which returns what was wrong.
func (c *crasher) start(check func(crashed) error) (stop func() []error) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	var bad []error
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for x := range c.out {
				if err := check(x); err != nil {
					mu.Lock()
					bad = append(bad, fmt.Errorf("%s: %w", x.what, err))
					mu.Unlock()
				}
			}
		})
	}
	return func() []error {
		c.off.Store(true)
		close(c.out)
		wg.Wait()
		return bad
	}
}

// checkState opens a disk and compares what it holds with the model after as many commits as it has.
func checkState(fs FS, d *driver, acked uint64) error {
	s, err := open("db", Options{FS: fs}, small)
	if err != nil {
		return err
	}
	return errors.Join(compare(s, d, acked), s.Close())
}

func compare(s *Store, d *driver, acked uint64) error {
	w, err := read(s)
	if err != nil {
		return err
	}
	want, most := d.at(s.LastSeq())
	switch {
	case s.LastSeq() < acked:
		return fmt.Errorf("%d commits were acknowledged, %d are left", acked, s.LastSeq())
	case s.LastSeq() > uint64(most):
		return fmt.Errorf("%d commits were made, %d are there", most, s.LastSeq())
	case w.String() != want:
		return fmt.Errorf("state is not that after commit %d:\n%s\nwant\n%s", s.LastSeq(), w, want)
	}
	return tidy(s)
}

// crashAgain cuts the power at every operation of the recovery itself.
func crashAgain(x crashed, d *driver) (runs uint64, err error) {
	c := &crasher{mem: x.fs, acked: func() uint64 { return x.acked }, ways: []int{0, 50}, out: make(chan crashed)}
	stop := c.start(func(y crashed) error { return checkState(y.fs, d, y.acked) })
	err = checkState(errorfs.Wrap(x.fs, c), d, x.acked)
	return c.runs.Load(), errors.Join(append(stop(), err)...)
}

// crashScript is what runs while the power is cut: commits, snapshots over them, some aborted, and a reopen.
func crashScript(d *driver, reopen func() error) error {
	for i := range 12 {
		if err := d.commit(1 + d.rng.IntN(12)); err != nil {
			return err
		}
		for range 8 {
			if err := d.commit(1); err != nil {
				return err
			}
		}
		if err := d.snapshot(i%4 != 2); err != nil {
			return err
		}
		if i == 7 {
			if err := reopen(); err != nil {
				return err
			}
		}
	}
	return d.commit(3)
}

// TestCrashEverywhere cuts the power before every operation that changes the disk, creation included. At each point the
// store opens, with exactly a prefix of the commits that has all that were acknowledged.
func TestCrashEverywhere(t *testing.T) {
	seeds := 2
	if testing.Short() || invariants.Enabled {
		seeds = 1
	}
	var points, runs, again uint64
	for seed := range seeds {
		c := &crasher{mem: vfs.NewCrashableMem(), ways: []int{0, 50, 100}, more: true, out: make(chan crashed, 256)}
		var kept sync.Mutex
		twice := make([]crashed, 0, 50)
		d := newDriver(nil, uint64(seed))
		c.acked = d.acked.Load
		fs := errorfs.Wrap(c.mem, c)
		stop := c.start(func(x crashed) error {
			kept.Lock()
			if x.point%25 == 7 && len(twice) < cap(twice) {
				twice = append(twice, crashed{x.fs.CrashClone(vfs.CrashCloneCfg{}), x.point, x.acked, x.what})
			}
			kept.Unlock()
			return checkState(x.fs, d, x.acked)
		})
		reopen := func() (err error) {
			if d.s != nil {
				err = d.s.Close()
			}
			if err == nil {
				d.s, err = open("db", Options{FS: fs}, small)
			}
			return err
		}
		require.NoError(t, reopen())
		require.NoError(t, crashScript(d, reopen))
		require.NoError(t, d.s.Close())
		bad := stop()
		for _, x := range twice {
			n, err := crashAgain(x, d)
			again += n
			if err != nil {
				bad = append(bad, fmt.Errorf("%s, and again: %w", x.what, err))
			}
		}
		for _, err := range bad[:min(len(bad), 3)] {
			t.Error(err)
		}
		points += c.points.Load()
		runs += c.runs.Load()
		t.Logf("seed %d: %d crash points, %d recoveries, %d commits, %d violations", seed, c.points.Load(), c.runs.Load(), len(d.history)-1, len(bad))
	}
	t.Logf("%d crash points, %d recoveries, %d more with a second crash in the recovery", points, runs, again)
}
