package persist

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/matrix"
	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/internal/powercut"
	"github.com/zrankdb/zrank/persist/internal/commitlog"
)

// crashed is the disk as a power cut would have left it.
type crashed struct {
	fs    *memfs.FS
	point uint64
	acked uint64
	what  string
}

func (x crashed) String() string { return x.what }

// crasher cuts the power before every operation that changes the disk, in several ways, and lets check look at each result.
type crasher struct {
	mem    *memfs.FS
	acked  func() uint64
	points atomic.Uint64
	names  atomic.Uint64 // of those, at an operation on names
	runs   atomic.Uint64
	ways   []int // percentages of unsynced data kept
	more   bool  // try more of them where names are flushed
	out    chan crashed
	off    bool
	mu     sync.RWMutex // guards off, so that nothing is sent on out once it is closed
}

func (c *crasher) MaybeError(op errorfs.Op) error {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if c.off || !powercut.Changes(op) {
		return nil
	}
	n := c.points.Add(1)
	ways := c.ways
	switch op.Kind {
	case errorfs.OpFileWrite, errorfs.OpFileWriteAt, errorfs.OpFileSyncData, errorfs.OpFileSyncTo, errorfs.OpFileFlush:
	default:
		c.names.Add(1)
	}
	if c.more && op.Kind == errorfs.OpFileSync { // of a directory, or of a file that is new in one: try more subsets of its names
		ways = append(slices.Clip(ways), 30, 40, 60, 70)
	}
	for _, percent := range ways {
		c.runs.Add(1)
		acked := c.acked() // before the clone: what is acknowledged later need not be in it
		fs := powercut.Clone(c.mem, percent, n)
		c.out <- crashed{fs, n, acked, fmt.Sprintf("point %d, before %v of %s, %d%% of unsynced data kept", n, op.Kind, op.Path, percent)}
	}
	return nil
}

// switchOff turns the power cuts off, or on again. Whoever is sending one is done when it returns.
func (c *crasher) switchOff(off bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.off = off
}

func (c *crasher) String() string { return "crasher" }

// closeTimeouts are the crashers that run, one in another's check too.
var closeTimeouts struct {
	sync.Mutex
	n   int
	was time.Duration
}

// noCloseTimeout lets Close wait as long as it takes, until restore is called. The first crasher to start and the last one to stop are
// alone.
func noCloseTimeout() (restore func()) {
	change := func(by int) {
		closeTimeouts.Lock()
		defer closeTimeouts.Unlock()
		if closeTimeouts.n == 0 {
			closeTimeouts.was, commitlog.CloseTimeout = commitlog.CloseTimeout, time.Hour
		}
		if closeTimeouts.n += by; closeTimeouts.n == 0 {
			commitlog.CloseTimeout = closeTimeouts.was
		}
	}
	change(1)
	return func() { change(-1) }
}

// start checks crashed disks in the background until the returned function is called, which returns what was wrong. An operation on
// the disk takes as long as the checks of others before it: that is no silent disk.
func (c *crasher) start(check func(crashed) error) (stop func() []error) {
	restore := noCloseTimeout()
	wait := powercut.Check(c.out, check)
	return func() []error {
		c.switchOff(true)
		close(c.out)
		defer restore()
		return wait()
	}
}

// checkState opens a disk and compares what it holds with the model after as many commits as it has.
func checkState(fs FS, d *driver, acked uint64) error {
	s, err := open("db", Options{FS: fs, StallTimeout: time.Hour}, small)
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
func crashScript(d *driver, rounds int, reopen func() error) error {
	for i := range rounds {
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

// cuts counts what powerCuts did.
type cuts struct{ points, names, runs, again uint64 }

// powerCuts runs the script once, of so many rounds, and cuts the power before every operation that changes the disk,
// creation included. As many of the disks that are left as second says are cut off again at every operation of their
// recovery. At each point the store opens, with exactly a prefix of the commits that has all that were acknowledged.
func powerCuts(seed uint64, rounds, second int) (cuts, error) {
	c := &crasher{mem: memfs.NewCrashable(), ways: []int{0, 50, 100}, more: true, out: make(chan crashed, 256)}
	var kept sync.Mutex
	twice := make([]crashed, 0, second)
	d := newDriver(nil, seed)
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
			d.s, err = open("db", Options{FS: fs, StallTimeout: time.Hour}, small)
		}
		return err
	}
	err := reopen()
	if err == nil {
		err = errors.Join(crashScript(d, rounds, reopen), d.s.Close())
	}
	bad := append(stop(), err)
	f := cuts{points: c.points.Load(), names: c.names.Load(), runs: c.runs.Load()}
	for _, x := range twice {
		n, err := crashAgain(x, d)
		f.again += n
		if err != nil {
			bad = append(bad, fmt.Errorf("%s, and again: %w", x.what, err))
		}
	}
	return f, few(bad)
}

// few joins the first errors of a list.
func few(bad []error) error {
	bad = slices.DeleteFunc(bad, func(err error) bool { return err == nil })
	if len(bad) == 0 {
		return nil
	}
	return fmt.Errorf("%d violations, the first: %w", len(bad), errors.Join(bad[:min(len(bad), 3)]...))
}

// TestPowerCutBeforeEveryOperation is rows 5, 6 and 7.
func TestPowerCutBeforeEveryOperation(t *testing.T) {
	seeds := uint64(matrix.Pick(1, 40))
	var sum cuts
	for seed := range seeds {
		f, err := powerCuts(seed, matrix.Pick(6, 12), matrix.Pick(3, 50))
		require.NoError(t, err, "seed %d", seed)
		sum.points, sum.names, sum.runs, sum.again = sum.points+f.points, sum.names+f.names, sum.runs+f.runs, sum.again+f.again
	}
	matrix.Row(t, 5, "%d crash points, %d seeds, 0/50/100 %% of unsynced data kept: %d recoveries, 0 violations", sum.points, seeds, sum.runs)
	matrix.Row(t, 6, "%d second power cuts during recovery, 0 violations", sum.again)
	matrix.Row(t, 7, "%d of the points of row 5 at a create, rename, link, remove or directory flush, 0 violations", sum.names)
}
