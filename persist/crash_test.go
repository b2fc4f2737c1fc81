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

// crashed is a disk after a simulated power cut.
type crashed struct {
	fs    *memfs.FS
	point uint64
	acked uint64
	what  string
}

func (x crashed) String() string { return x.what }

// crasher simulates a power cut before every operation that changes the disk, and sends the resulting disks to the checks. Each of its
// ways is a percentage of unsynced data that survives.
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

// MaybeError implements errorfs.Injector. It never fails an operation. Before each one that changes the disk it sends clones of the disk,
// with different percentages of unsynced data.
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
	if c.more && op.Kind == errorfs.OpFileSync { // a directory, or a new file: try more subsets of the unsynced names
		ways = append(slices.Clip(ways), 30, 40, 60, 70)
	}
	for _, percent := range ways {
		c.runs.Add(1)
		acked := c.acked() // read before the clone, which may lack commits acknowledged later
		fs := powercut.Clone(c.mem, percent, n)
		c.out <- crashed{fs, n, acked, fmt.Sprintf("point %d, before %v of %s, %d%% of unsynced data kept", n, op.Kind, op.Path, percent)}
	}
	return nil
}

// switchOff turns the power cuts off, or on again. When it returns, no goroutine is sending a disk any more.
func (c *crasher) switchOff(off bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.off = off
}

func (c *crasher) String() string { return "crasher" }

// closeTimeouts counts the running crashers, since a crasher may run inside the check of another one.
var closeTimeouts struct {
	sync.Mutex
	n   int
	was time.Duration
}

// noCloseTimeout disables the timeout of Close until restore is called. Calls may nest: the first call disables the timeout, and the last
// restore enables it again.
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

// start runs check for crashed disks in background goroutines until stop is called. stop returns the errors. It also disables the timeout
// of Close: an operation on the disk waits for earlier checks, which must not count as a disk that does not answer.
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

// checkState opens the store on a disk and compares it with the model after the store's last commit, which must be at least acked.
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
	return errors.Join(tidy(s), compareNotes(s))
}

// crashAgain cuts the power at every operation of the recovery itself.
func crashAgain(x crashed, d *driver) (runs uint64, err error) {
	c := &crasher{mem: x.fs, acked: func() uint64 { return x.acked }, ways: []int{0, 50}, out: make(chan crashed)}
	stop := c.start(func(y crashed) error { return checkState(y.fs, d, y.acked) })
	err = checkState(errorfs.Wrap(x.fs, c), d, x.acked)
	return c.runs.Load(), errors.Join(append(stop(), err)...)
}

// crashScript runs during the power cuts. It commits, publishes and aborts snapshots and write-outs, compacts, and reopens the store.
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
		if err := errors.Join(d.writeOut(i%5 != 3), d.commit(2), d.writeOut(true)); err != nil {
			return err
		}
		if i%3 == 2 {
			continue // the next snapshot cuts the log after several write-outs
		}
		if err := d.snapshot(i%4 != 2); err != nil {
			return err
		}
		if i%3 == 1 {
			if err := d.compact(); err != nil {
				return err
			}
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

// powerCuts runs the script once and cuts the power before every operation that changes the disk, from the creation of the store on. For
// up to second of the resulting disks it also cuts the power at every operation of their recovery. After each cut the store must open
// with exactly a prefix of the commits, which includes all acknowledged ones.
func powerCuts(seed uint64, rounds, second int) (cuts, error) {
	c := &crasher{mem: memfs.NewCrashable(), ways: []int{0, 50, 100}, more: true, out: make(chan crashed, 256)}
	var mu sync.Mutex
	twice := make([]crashed, 0, second) // disks whose recovery is cut too; guarded by mu
	d := newDriver(nil, seed)
	c.acked = d.acked.Load
	fs := errorfs.Wrap(c.mem, c)
	stop := c.start(func(x crashed) error {
		mu.Lock()
		if x.point%25 == 7 && len(twice) < cap(twice) {
			twice = append(twice, crashed{x.fs.CrashClone(vfs.CrashCloneCfg{}), x.point, x.acked, x.what})
		}
		mu.Unlock()
		return checkState(x.fs, d, x.acked)
	})
	reopen := func() (err error) {
		if d.s != nil {
			err = d.s.Close()
		}
		if err == nil {
			d.s, err = open("db", Options{FS: fs, StallTimeout: time.Hour, RetainBytes: int64(seed % 2 * 20_000)}, small)
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
	seeds := uint64(matrix.Pick(2, 40))
	var sum cuts
	for seed := range seeds {
		whole := func() {}
		if seed%2 == 1 {
			whole = inPieces()
		}
		f, err := powerCuts(seed, matrix.Pick(6, 12), matrix.Pick(3, 50))
		whole()
		require.NoError(t, err, "seed %d", seed)
		sum.points, sum.names, sum.runs, sum.again = sum.points+f.points, sum.names+f.names, sum.runs+f.runs, sum.again+f.again
	}
	matrix.Row(t, 5, "%d crash points, %d seeds, 0/50/100 %% of unsynced data kept: %d recoveries, 0 violations", sum.points, seeds, sum.runs)
	matrix.Row(t, 6, "%d second power cuts during recovery, 0 violations", sum.again)
	matrix.Row(t, 7, "%d of the points of row 5 at a create, rename, link, remove or directory flush, 0 violations", sum.names)
}
