package persist

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/matrix"
	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/persist/internal/commitlog"
	"github.com/zrankdb/zrank/persist/internal/faultfs"
)

// passing are the errors that are not the disk's, as the operating system says them.
var passing = map[string]error{
	"EMFILE": syscall.EMFILE, "ENFILE": syscall.ENFILE, "ENOMEM": syscall.ENOMEM, "EAGAIN": syscall.EAGAIN, "EINTR": syscall.EINTR,
	"EACCES": syscall.EACCES, "EPERM": syscall.EPERM,
}

// machine is a disk in memory on a machine that refuses operations with an error that passes: while it is armed, the first of each kind on
// each file, and one of every 32; or all of some kinds. Flushes and Close it lets pass.
type machine struct {
	slowDisk
	cause   error
	all     func(faultfs.Op) bool // refused as long as it is armed; nil: none
	armed   atomic.Bool
	refused atomic.Int64

	mu    sync.Mutex
	tries map[faultfs.Op]int
}

func newMachine(cause error) *machine {
	return &machine{slowDisk: slowDisk{mem: memfs.NewCrashable()}, cause: cause, tries: map[faultfs.Op]int{}}
}

func (m *machine) fs() FS {
	return &faultfs.FS{FS: m.mem, ReadHook: m.refuse, Hook: func(op faultfs.Op) faultfs.Fault {
		if op.Kind == faultfs.Sync || op.Kind == faultfs.Close {
			return faultfs.Fault{}
		}
		err := m.refuse(op)
		return faultfs.Fault{Err: err, Short: err != nil && op.Kind == faultfs.Write} // half of the bytes of a write are written
	}}
}

func (m *machine) refuse(op faultfs.Op) error {
	if !m.armed.Load() {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.all != nil && !m.all(op) {
		return nil
	}
	op.Size = 0
	if m.tries[op]++; m.all == nil && m.tries[op]%32 != 1 {
		return nil
	}
	m.refused.Add(1)
	return &fs.PathError{Op: string(op.Kind), Path: op.Path, Err: m.cause}
}

// TestErrorsThatPass: an error that is not the disk's stops nothing, whatever the operation: all commits and snapshots succeed, nothing is
// lost or written twice, and the store never says that the disk has failed.
func TestErrorsThatPass(t *testing.T) {
	refused := int64(0)
	for name, cause := range passing {
		m := newMachine(cause)
		r := &faultRun{f: &nth{}, mem: m.mem}
		s, err := open("db", Options{FS: m.fs()}, r.tune)
		require.NoError(t, err, name)
		r.d = newDriver(s, *faultSeed)
		m.armed.Store(true)
		require.NoError(t, r.script(), name)
		require.NoError(t, s.Close(), name)
		require.Zero(t, r.background.Load(), name)
		require.Positive(t, m.refused.Load(), name)
		require.NoError(t, checkState(m.mem, r.d, r.d.acked.Load()), name)
		refused += m.refused.Load()
	}
	matrix.Row(t, 26, "%d operations refused with %d errors that are not the disk's: all were tried again, 0 commits failed or lost", refused, len(passing))
}

// newFiles is what takes a descriptor.
func newFiles(op faultfs.Op) bool {
	switch op.Kind {
	case faultfs.Create, faultfs.Reuse, faultfs.Open, faultfs.OpenDir, faultfs.OpenRead, faultfs.List:
		return true
	}
	return false
}

// fillUntil makes n commits, or less if one fails, and returns the last one and its error.
func fillUntil(s *Store, n int) (seq uint64, err error) {
	for i := 0; i < n && err == nil; i++ {
		var b Batch
		b.PutPrivate(fmt.Append(nil, i%7), noise(4<<10))
		if seq, err = s.Append(&b); err == nil {
			err = s.Wait(context.Background(), seq)
		}
	}
	return seq, err
}

// TestNoDescriptorsForAMinute: while the process has no descriptors, a commit that needs a file gets ErrStalled with the cause after
// StallTimeout, and so does a read that does. Both are reported once. When there are descriptors again, the store goes on, and has lost nothing.
func TestNoDescriptorsForAMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMachine(syscall.EMFILE)
		m.all = newFiles
		s, err := open("db", Options{FS: m.fs(), OnEvent: m.hear}, small)
		require.NoError(t, err)
		mustAppend(t, s, put("a", "m", "v"))
		m.armed.Store(true)
		start := time.Now()
		seq, err := fillUntil(s, 2000)
		require.ErrorIs(t, err, ErrStalled)
		require.ErrorIs(t, err, syscall.EMFILE)
		require.NotErrorIs(t, err, ErrPersistence)
		require.GreaterOrEqual(t, time.Since(start), 10*time.Second)
		require.ErrorIs(t, s.Refused(), syscall.EMFILE)
		time.Sleep(time.Minute)
		synctest.Wait()
		require.Equal(t, "waiting, slow sync, stalled", m.heard())

		m.armed.Store(false)
		time.Sleep(time.Second)
		synctest.Wait()
		require.Equal(t, "waiting over, stalled over, slow sync over", m.heard())
		require.NoError(t, s.Refused())
		require.NoError(t, s.Wait(t.Context(), seq), "it was undecided, and is durable")
		mustAppend(t, s, put("a", "m", "w"))
		require.NoError(t, s.Close())
	})
}

// TestNoDescriptorsEver: Close gives up on descriptors that never come, as on a disk that does not answer; what was acknowledged is there.
func TestNoDescriptorsEver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMachine(syscall.ENFILE)
		m.all = newFiles
		s, err := open("db", Options{FS: m.fs()}, small)
		require.NoError(t, err)
		m.armed.Store(true)
		seq, err := fillUntil(s, 2000)
		require.ErrorIs(t, err, ErrStalled)
		start := time.Now()
		require.ErrorIs(t, s.Close(), ErrStalled)
		require.LessOrEqual(t, time.Since(start), commitlog.CloseTimeout)
		m.armed.Store(false)
		time.Sleep(time.Minute)
		s = mustOpen(t, m.fs(), Options{})
		require.GreaterOrEqual(t, s.LastSeq(), seq-1)
		require.NoError(t, s.Close())
	})
}

// TestNoDescriptorsForAReader: a read that needs a descriptor gets ErrStalled after StallTimeout, and succeeds when there is one.
func TestNoDescriptorsForAReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMachine(syscall.EMFILE)
		m.all = func(op faultfs.Op) bool { return op.Kind == faultfs.OpenRead || op.Kind == faultfs.Read }
		fs := m.fs()
		s, err := open("db", Options{FS: fs}, small)
		require.NoError(t, err)
		for i := range 20 {
			var b Batch
			b.PutPrivate(fmt.Append(nil, i), noise(30<<10))
			_, err := s.Append(&b)
			require.NoError(t, err)
		}
		require.NoError(t, s.Close())
		s, err = open("db", Options{FS: fs}, small)
		require.NoError(t, err)
		m.armed.Store(true)
		start := time.Now()
		_, _, err = s.Private([]byte("3"))
		require.ErrorIs(t, err, ErrStalled)
		require.ErrorIs(t, err, syscall.EMFILE)
		require.Equal(t, 10*time.Second, time.Since(start).Round(time.Second))
		m.armed.Store(false)
		_, ok, err := s.Private([]byte("3"))
		require.NoError(t, err)
		require.True(t, ok)
		require.NoError(t, s.Close())
	})
}

// TestBackupToWhereItMayNot: a backup to a folder in which this process may not write fails at once, and the store goes on.
func TestBackupToWhereItMayNot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMachine(syscall.EACCES)
		m.all = func(op faultfs.Op) bool { return strings.HasPrefix(op.Path, "away") }
		s := mustOpen(t, m.fs(), Options{})
		m.armed.Store(true)
		start := time.Now()
		err := s.Backup(context.Background(), "away/copy")
		require.ErrorIs(t, err, os.ErrPermission)
		require.Zero(t, time.Since(start))
		mustAppend(t, s, put("a", "m", "v"))
		require.NoError(t, s.Close())
	})
}

// TestOpenRefused: opening a store that a crash has left, or a new one, while the machine refuses any one operation: a full disk is ErrDiskFull, and
// an error that is not the disk's is the file system's. Neither says that the disk has failed, and when it is over Open finds every commit.
func TestOpenRefused(t *testing.T) {
	for _, existing := range []bool{false, true} {
		image, want := memfs.NewCrashable(), uint64(0)
		if existing {
			s, err := open("db", Options{FS: image}, small)
			require.NoError(t, err)
			want, err = fillUntil(s, 40)
			require.NoError(t, err)
			image = image.CrashClone(vfs.CrashCloneCfg{})
			require.NoError(t, s.Close())
		}
		for _, cause := range []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EMFILE, syscall.EACCES, syscall.ENOMEM} {
			n := openRefused(t, image, want, cause)
			require.Greater(t, n, 5)
			t.Logf("existing=%v %v: %d operations refused in turn", existing, cause, n)
		}
	}
}

// openRefused opens copies of a disk, each with another first operation that is refused for good, and returns how often Open failed.
func openRefused(t *testing.T, image *memfs.FS, want uint64, cause error) (refused int) {
	for n := int64(1); ; n++ {
		mem := image.CrashClone(vfs.CrashCloneCfg{})
		f := &nth{match: func(op faultfs.Op) bool { return op.Kind != faultfs.Close }, fault: faultfs.Fault{Err: &fs.PathError{Op: "do", Path: "it", Err: cause}}}
		f.left.Store(n)
		failed := false
		s, err := open("db", Options{FS: &faultfs.FS{FS: mem, Hook: f.hook}, DiskReserve: -1, OnEvent: func(e Event) { failed = failed || e.Kind == EventFailed }}, small)
		if !f.fired.Load() {
			require.NoError(t, err)
			f.left.Store(disarmed)
			require.NoError(t, s.Close())
			return refused
		}
		if err == nil { // it was after opening
			_ = s.Close()
			continue
		}
		refused++
		require.ErrorIs(t, err, cause, "operation %d", n)
		require.NotErrorIs(t, err, ErrPersistence, "operation %d: %v", n, err)
		require.Equal(t, cause == syscall.ENOSPC || cause == syscall.EDQUOT, errors.Is(err, ErrDiskFull), "operation %d: %v", n, err)
		require.False(t, failed, "operation %d", n)
		s = mustOpen(t, mem.CrashClone(vfs.CrashCloneCfg{}), Options{})
		require.Equal(t, want, s.LastSeq(), "operation %d", n)
		require.NoError(t, s.Close())
	}
}
