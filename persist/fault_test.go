package persist

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"path"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/matrix"
	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/persist/internal/failstop"
	"github.com/zrankdb/zrank/persist/internal/faultfs"
	"github.com/zrankdb/zrank/persist/internal/pebbledb"
)

var faultSeed = flag.Uint64("faultseed", 1, "of the rows of the fault matrix that fail the disk")

// nth fails the n-th mutation that matches. With once it fails only that one, otherwise also all later ones that match.
type nth struct {
	match func(faultfs.Op) bool
	fault faultfs.Fault
	once  bool
	left  atomic.Int64
	fired atomic.Bool
	fs    atomic.Pointer[failstop.FS] // above
	calls atomic.Int64                // mutations that came when that was frozen
}

const disarmed = 1 << 40

func (f *nth) hook(op faultfs.Op) faultfs.Fault {
	if fs := f.fs.Load(); fs != nil && fs.Err() != nil && op.Kind != faultfs.Close {
		f.calls.Add(1)
	}
	if !f.match(op) || f.fault.Short && op.Kind == faultfs.Write && op.Size == 0 { // nothing can be left out of no bytes
		return faultfs.Fault{}
	}
	if left := f.left.Add(-1); left > 0 || f.once && left < 0 {
		return faultfs.Fault{}
	}
	f.fired.Store(true)
	fault := f.fault
	if op.Kind != faultfs.Write && fault.Err == nil {
		fault.Err = injected
	}
	return fault
}

//lint:ignore ST1012 a reader of a test knows it from the failure it injects
var injected = fmt.Errorf("injected: %w", syscall.EIO)

// matching returns a match for mutations of the given kinds, or of all kinds if none is given, on files whose names have a prefix and a
// suffix.
func matching(prefix, suffix string, kinds ...faultfs.Kind) func(faultfs.Op) bool {
	return func(op faultfs.Op) bool {
		base := path.Base(op.Path)
		kind := len(kinds) == 0
		for _, k := range kinds {
			kind = kind || k == op.Kind
		}
		return kind && strings.HasPrefix(base, prefix) && strings.HasSuffix(base, suffix)
	}
}

// faultRun is a script on a disk that fails.
type faultRun struct {
	f          *nth
	mem        *memfs.FS
	d          *driver
	background atomic.Int64 // errors that Pebble met in the background
}

// tune makes Pebble flush and rotate its log often.
func (r *faultRun) tune(o *pebble.Options) {
	small(o)
	report := o.EventListener.BackgroundError
	o.EventListener.BackgroundError = func(err error) {
		r.background.Add(1)
		report(err)
	}
}

func newFaultRun(f *nth, seed uint64) (*faultRun, error) {
	r := &faultRun{f: f, mem: memfs.NewCrashable()}
	f.left.Store(disarmed)
	s, err := open("db", Options{FS: &faultfs.FS{FS: r.mem, Hook: f.hook}}, r.tune)
	if err != nil {
		return nil, err
	}
	f.fs.Store(s.log.DB.FS)
	r.d = newDriver(s, seed)
	return r, nil
}

// run runs the script, in which the n-th mutation fails, and checks failed, closes and frozen.
func (r *faultRun) run(n int) error {
	if err := r.d.commit(3); err != nil {
		return err
	}
	r.f.left.Store(int64(n))
	err := r.script()
	r.f.left.Store(disarmed) // the fault is over
	if !r.f.fired.Load() {
		return errors.Join(err, r.d.s.Close())
	}
	for tries := 0; err == nil && tries < 3; tries++ {
		err = r.d.commit(1)
	}
	acked := r.d.acked.Load()
	return errors.Join(r.failed(err), r.closes(), r.frozen(acked))
}

// script writes so much that Pebble creates, rotates and deletes files of all kinds.
func (r *faultRun) script() error {
	for i := range 9 {
		if err := r.d.commit(1 + r.d.rng.IntN(4)); err != nil {
			return err
		}
		for range 4 {
			if err := r.d.fill(12 << 10); err != nil {
				return err
			}
		}
		if i%3 == 2 {
			if err := r.d.snapshot(i != 5); err != nil {
				return err
			}
		}
		if i == 4 {
			if err := r.d.compact(); err != nil {
				return err
			}
		}
	}
	return nil
}

// fill commits one large private key.
func (d *driver) fill(n int) error {
	key, value := fmt.Sprintf("fill%d", d.rng.IntN(3)), strings.Repeat(fmt.Sprint(d.rng.IntN(10)), n)
	var b Batch
	b.Note(notesAt(d.next()))
	b.PutPrivate([]byte(key), []byte(value))
	d.w.private[key] = value
	d.mu.Lock()
	d.history = append(d.history, d.w.String())
	d.mu.Unlock()
	seq, err := d.s.Append(&b)
	if err == nil {
		err = d.s.Wait(context.Background(), seq)
	}
	if err == nil {
		d.acked.Store(seq)
	}
	return err
}

// failed checks a store after a fault. Commits and snapshots must fail with the first cause, acknowledged commits must stay acknowledged,
// and reads must go on.
func (r *faultRun) failed(err error) error {
	s := r.d.s
	var b Batch
	b.PutPrivate([]byte("late"), nil)
	_, appendErr := s.Append(&b)
	_, snapErr := s.Snapshot(s.LastSeq())
	for _, err := range []error{err, appendErr, snapErr} {
		if !errors.Is(err, ErrPersistence) || errors.Is(err, pebbledb.ErrFatal) {
			return fmt.Errorf("after the fault a call returns %v", err)
		}
	}
	if acked := r.d.acked.Load(); s.Wait(context.Background(), acked) != nil {
		return fmt.Errorf("commit %d was acknowledged, and is not", acked)
	}
	for rec, err := range s.Sets() {
		if err != nil {
			return fmt.Errorf("read: %w", err)
		}
		if err := readSet(s, rec); err != nil {
			return fmt.Errorf("read: %w", err)
		}
	}
	for _, err := range s.ScanPrivate(nil) {
		if err != nil {
			return fmt.Errorf("read: %w", err)
		}
	}
	if n := r.background.Load(); n > 2 {
		return fmt.Errorf("%d errors in the background", n)
	}
	return nil
}

// readSet reads the pages of a set. A batch of Publish that was under way at the fault may come after rec was read: then ErrStale is right,
// and the record that is there now must have its pages.
func readSet(s *Store, rec SetRecord) error {
	var failed error
	for range 2 {
		failed = nil
		for _, err := range s.Pages(rec) {
			failed = err
		}
		if !errors.Is(failed, ErrStale) {
			break
		}
		now, ok, err := s.Set(rec.Key)
		if err != nil || !ok {
			return err
		}
		rec = now
	}
	return failed
}

// closes checks that Close returns, with the failure and no other error.
func (r *faultRun) closes() error {
	if err := r.d.s.Close(); !errors.Is(err, ErrPersistence) || errors.Is(err, ErrStalled) {
		return fmt.Errorf("close answers: %w", err)
	}
	return nil
}

// frozen checks that the disk has every acknowledged commit, also after a power cut.
func (r *faultRun) frozen(acked uint64) error {
	if n := r.f.calls.Load(); n > 3 { // those that were under way in other goroutines
		return fmt.Errorf("%d mutations after the fault", n)
	}
	r.d.s = nil
	for _, percent := range []int{0, 50, 100} {
		rng := rand.New(rand.NewPCG(acked, uint64(percent)))
		image := r.mem.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: percent, RNG: rng})
		if err := checkState(image, r.d, acked); err != nil {
			return fmt.Errorf("with %d %% of what was not flushed: %w", percent, err)
		}
	}
	return nil
}

// faultLoop makes two runs for each n = 1, 1+stride, ...: one in which only the n-th matching mutation fails, and one in which all from
// the n-th on fail. It stops when a run has less than n such mutations. It returns the number of runs with a fault.
func faultLoop(match func(faultfs.Op) bool, fault faultfs.Fault, seed uint64, stride int) (fired int, err error) {
	for n := 1; ; n += stride {
		hit := false
		for _, once := range []bool{true, false} {
			f := &nth{match: match, fault: fault, once: once}
			r, err := newFaultRun(f, seed+uint64(n))
			if err != nil {
				return fired, err
			}
			if err := r.run(n); err != nil {
				return fired, fmt.Errorf("n=%d once=%v seed=%d: %w", n, once, seed+uint64(n), err)
			}
			if f.fired.Load() {
				hit = true
				fired++
			}
		}
		if !hit {
			return fired, nil
		}
	}
}

// testFaults runs a row over several sorts of mutations.
func testFaults(t *testing.T, row int, fault faultfs.Fault, sorts map[string]func(faultfs.Op) bool, stride int) {
	t.Logf("-faultseed=%d", *faultSeed)
	total := 0
	for name, match := range sorts {
		n, err := faultLoop(match, fault, *faultSeed, stride)
		require.NoError(t, err, name)
		require.Positive(t, n, "no %s ever happened", name)
		t.Logf("%s: %d", name, n)
		total += n
	}
	matrix.Row(t, row, "%d faults in turn, once and for ever, 3 power cuts each: 0 acknowledged commits lost, 0 hangs, 0 exits", total)
}

// writingOf returns what creates, writes and flushes files, and more.
func writingOf(prefix, suffix string, more map[string]func(faultfs.Op) bool) map[string]func(faultfs.Op) bool {
	for _, kind := range []faultfs.Kind{faultfs.Create, faultfs.Write, faultfs.Sync} {
		more[string(kind)] = matching(prefix, suffix, kind)
	}
	return more
}

// TestFailureOfAnyOperation fails every mutation of a store's life in turn.
func TestFailureOfAnyOperation(t *testing.T) {
	any := func(op faultfs.Op) bool { return op.Kind != faultfs.Close }
	testFaults(t, 18, faultfs.Fault{Err: injected}, map[string]func(faultfs.Op) bool{
		"any": any,
		"log": matching("", ".log", faultfs.Write),
	}, matrix.Pick(47, 1))
}

// TestFailureWritingTables fails the writing of tables.
func TestFailureWritingTables(t *testing.T) {
	testFaults(t, 20, faultfs.Fault{Err: injected}, writingOf("", ".sst", map[string]func(faultfs.Op) bool{
		"close": matching("", ".sst", faultfs.Close),
	}), matrix.Pick(19, 1))
}

// TestFailureWritingManifest fails Pebble's MANIFEST and the marker that names it.
func TestFailureWritingManifest(t *testing.T) {
	testFaults(t, 21, faultfs.Fault{Err: injected}, writingOf("MANIFEST-", "", map[string]func(faultfs.Op) bool{
		"marker": matching("marker.", ""),
		"dir":    matching("db", "", faultfs.Sync, faultfs.OpenDir),
	}), matrix.Pick(19, 1))
}

// TestFailureRenamingAndRemoving fails what changes the names of files.
func TestFailureRenamingAndRemoving(t *testing.T) {
	testFaults(t, 22, faultfs.Fault{Err: fmt.Errorf("injected: %w", syscall.EROFS)}, map[string]func(faultfs.Op) bool{
		"remove": matching("", "", faultfs.Remove),
		"reuse":  matching("", "", faultfs.Reuse),
		"create": matching("", "", faultfs.Create),
	}, matrix.Pick(11, 1))
}

// TestShortWrites writes half of what was asked for, with an error and without.
func TestShortWrites(t *testing.T) {
	writes := map[string]func(faultfs.Op) bool{
		"log":      matching("", ".log", faultfs.Write),
		"table":    matching("", ".sst", faultfs.Write),
		"manifest": matching("MANIFEST-", "", faultfs.Write),
	}
	testFaults(t, 23, faultfs.Fault{Short: true}, writes, matrix.Pick(127, 1))
	testFaults(t, 23, faultfs.Fault{Short: true, Err: injected}, writes, matrix.Pick(127, 1))
}
