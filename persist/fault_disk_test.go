package persist

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
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
	"github.com/zrankdb/zrank/persist/internal/faultfs"
	"github.com/zrankdb/zrank/persist/internal/pebbledb"
)

// TestFailedSyncIsNotRepeated fails exactly one sync of the log while many goroutines commit. From then on no commit may be acknowledged.
func TestFailedSyncIsNotRepeated(t *testing.T) {
	runs, late := matrix.Pick(20, 2000), 0
	for i := range runs {
		n, err := proveFailedSync(i + 1)
		require.NoError(t, err)
		late += n
	}
	matrix.Row(t, 19, "%d syncs failed once under 8 callers: %d acknowledged after it", runs, late)
	require.Zero(t, late)
}

// proveFailedSync fails the n-th sync of the log under eight callers. It returns how many of them lost an acknowledged commit in the
// power cut afterwards, plus the number of commits acknowledged after the failure.
func proveFailedSync(n int) (lost int, err error) {
	f := &nth{match: matching("", ".log", faultfs.Sync), fault: faultfs.Fault{Err: injected}, once: true}
	f.left.Store(disarmed)
	mem := memfs.NewCrashable()
	s, err := Open("db", Options{FS: &faultfs.FS{FS: mem, Hook: f.hook}})
	if err != nil {
		return 0, err
	}
	f.left.Store(int64(n))
	acked, after := make([]uint64, 8), make([]int, 8)
	var wg sync.WaitGroup
	for c := range acked {
		wg.Go(func() {
			for tries := 0; tries < 2000; tries++ {
				var b Batch
				b.Put("a", fmt.Append(nil, c), nil)
				fired := f.fired.Load()
				seq, err := s.Append(&b)
				if err == nil {
					err = s.Wait(context.Background(), seq)
				}
				if err != nil {
					return
				}
				acked[c] = seq
				if fired {
					after[c]++
				}
			}
		})
	}
	wg.Wait()
	if err := s.Close(); !errors.Is(err, ErrPersistence) {
		return 0, fmt.Errorf("close answers: %w", err)
	}
	s, err = Open("db", Options{FS: mem.CrashClone(vfs.CrashCloneCfg{})})
	if err != nil {
		return 0, err
	}
	for c := range acked {
		if acked[c] > s.LastSeq() {
			lost++
		}
		lost += after[c]
	}
	return lost, s.Close()
}

// TestFailedCompactionIsNotRepeated: after a fault all goroutines must come to rest. In a synctest bubble, time advances only when all
// goroutines are blocked, so a goroutine that retried for ever would make the test hang.
func TestFailedCompactionIsNotRepeated(t *testing.T) {
	errorsSeen := 0
	for _, kind := range []faultfs.Kind{faultfs.Create, faultfs.Write, faultfs.Sync} {
		synctest.Test(t, func(t *testing.T) {
			f := &nth{match: matching("", ".sst", kind), fault: faultfs.Fault{Err: injected}}
			r, err := newFaultRun(f, *faultSeed)
			require.NoError(t, err)
			r.f.left.Store(1)
			for err == nil {
				err = r.d.fill(12 << 10)
			}
			require.ErrorIs(t, err, ErrPersistence)
			time.Sleep(time.Hour)
			synctest.Wait()
			require.NoError(t, r.failed(err))
			require.NoError(t, r.closes())
			errorsSeen += int(r.background.Load())
		})
	}
	matrix.Row(t, 20, "at rest after 3 faults: %d errors in Pebble's background in 3 hours of fake time, Pebble alone has 284 a second", errorsSeen)
}

// budget is a disk in memory with a limited number of bytes.
type budget struct {
	*faultfs.FS
	mem  *memfs.FS
	size atomic.Int64
	used atomic.Int64
}

func newBudget(size int64) *budget {
	b := &budget{mem: memfs.New()}
	b.size.Store(size)
	b.FS = &faultfs.FS{FS: b.mem, Hook: b.hook}
	return b
}

func (b *budget) hook(op faultfs.Op) faultfs.Fault {
	if op.Kind != faultfs.Write {
		return faultfs.Fault{}
	}
	size := int64(op.Size)
	if b.used.Add(size) <= b.size.Load() {
		return faultfs.Fault{}
	}
	used := b.count() + size // what was removed since the last count is free again
	if b.used.Store(used); used > b.size.Load() {
		return faultfs.Fault{Err: fmt.Errorf("injected: %w", syscall.ENOSPC)}
	}
	return faultfs.Fault{}
}

// GetDiskUsage implements vfs.FS.
func (b *budget) GetDiskUsage(string) (vfs.DiskUsage, error) {
	used := b.count()
	b.used.Store(used)
	size := b.size.Load()
	return vfs.DiskUsage{AvailBytes: uint64(max(0, size-used)), TotalBytes: uint64(size), UsedBytes: uint64(used)}, nil
}

// count adds up the sizes of the existing files, so that removed files free their space.
func (b *budget) count() (used int64) {
	for _, dir := range []string{"db", "db/db"} {
		names, _ := b.mem.List(dir)
		for _, name := range names {
			if info, err := b.mem.Stat(b.PathJoin(dir, name)); err == nil {
				used += info.Size()
			}
		}
	}
	return used
}

// noise returns n random bytes, which compression does not make smaller.
func noise(n int) []byte {
	b := make([]byte, n)
	_, _ = rand.NewChaCha8([32]byte{}).Read(b)
	return b
}

// fillDisk commits until a commit fails, and returns that error as refused. Then it calls more to make space. After ErrDiskFull, commits
// must succeed again without a reopen. In the end a reopened store must have all acknowledged commits.
func fillDisk(fs FS, dir string, o Options, more func() error) (refused error, err error) {
	o.FS = fs
	s, err := open(dir, o, nil)
	if err != nil {
		return nil, err
	}
	acked, seq := uint64(0), uint64(0)
	value := noise(128 << 10)
	commit := func() (err error) {
		var b Batch
		b.Put("a", fmt.Append(nil, acked), value)
		if seq, err = s.Append(&b); err == nil {
			err = s.Wait(context.Background(), seq)
		}
		if err == nil {
			acked = seq
		}
		return err
	}
	for refused == nil {
		refused = commit()
	}
	if !errors.Is(refused, ErrDiskFull) { // a disk too small for the reserve: a write failed
		if err := s.Close(); !errors.Is(err, ErrPersistence) {
			return refused, fmt.Errorf("close answers: %w", err)
		}
	}
	if err := more(); err != nil {
		return refused, err
	}
	if errors.Is(refused, ErrDiskFull) {
		if last := s.LastSeq(); last != acked {
			return refused, fmt.Errorf("a commit was refused, and the last is %d, want %d", last, acked)
		}
		err := ErrDiskFull
		for tries := 0; errors.Is(err, ErrDiskFull) && tries < 1000; tries++ {
			time.Sleep(10 * time.Millisecond)
			err = commit()
		}
		if err := errors.Join(err, s.Close()); err != nil {
			return refused, fmt.Errorf("with space again: %w", err)
		}
	}
	s, err = open(dir, o, nil)
	if err != nil {
		return refused, err
	}
	if s.LastSeq() < acked {
		err = fmt.Errorf("%d commits were acknowledged, %d are left", acked, s.LastSeq())
	}
	return refused, errors.Join(err, s.Close())
}

// fillings counts how disks answered that were filled.
type fillings struct{ full, failed int }

func (f *fillings) add(t *testing.T, refused error) {
	if errors.Is(refused, ErrDiskFull) {
		f.full++
	} else {
		f.failed++
		require.ErrorIs(t, refused, syscall.ENOSPC)
	}
}

// TestFullDisk fills disks of several sizes.
func TestFullDisk(t *testing.T) {
	var filled fillings
	for mb := int64(1); mb <= 64; mb += int64(matrix.Pick(21, 1)) {
		synctest.Test(t, func(t *testing.T) {
			disk := newBudget(mb << 20)
			refused, err := fillDisk(disk, "db", Options{}, func() error {
				disk.size.Add(32 << 20)
				return nil
			})
			require.NoError(t, err, "%d MB", mb)
			filled.add(t, refused)
		})
	}
	matrix.Row(t, 24, "%d disks in memory of 1 to 64 MB filled: %d answered ErrDiskFull and went on, %d too small and answered ErrPersistence; 0 hangs, all acknowledged commits recovered", filled.full+filled.failed, filled.full, filled.failed)
}

// TestFullDiskDuringSnapshot: a snapshot that does not fit must fail, leave no page behind and keep the log. Commits must go on.
func TestFullDiskDuringSnapshot(t *testing.T) {
	for _, free := range []uint64{1 << 20, 3 << 20} { // room for no page, and for some
		mem := memfs.NewCrashable()
		usage := func(free uint64) { mem.TestingSetDiskUsage(vfs.DiskUsage{AvailBytes: free, TotalBytes: 1 << 40}) }
		usage(1 << 30)
		s, err := open("db", Options{FS: mem, DiskReserve: 1 << 20}, small)
		require.NoError(t, err)
		mustAppend(t, s, put("a", "m", "v"))
		usage(free)
		sn, err := s.Snapshot(1)
		require.NoError(t, err)
		pages := func(yield func([]byte) bool) {
			for range 8 {
				if !yield(make([]byte, 1<<20)) {
					return
				}
				usage(free - 2<<20)
			}
		}
		require.ErrorIs(t, sn.WriteSet("a", nil, 1, 1, pages), ErrDiskFull)
		require.ErrorIs(t, sn.Publish(), ErrDiskFull)
		require.NoError(t, sn.Abort())
		require.NoError(t, tidy(s))
		require.Positive(t, s.LogBytes())
		usage(1 << 30)
		s.log.DB.CheckSpace() // it has seen little space, perhaps
		mustAppend(t, s, put("a", "m", "w"))
		require.NoError(t, s.Close())
		s = mustOpen(t, mem.CrashClone(vfs.CrashCloneCfg{}), Options{})
		require.NoError(t, tidy(s))
		require.Equal(t, uint64(2), s.LastSeq())
		require.NoError(t, s.Close())
	}
	matrix.Row(t, 25, "snapshots refused before the first page and amid the pages: 0 pages left over, log kept, commits go on")
}

// TestDiskReserve: commits must fail below the reserve, and succeed again from a quarter above it. Deleting pages and flushes must go on.
func TestDiskReserve(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		mem := memfs.NewCrashable()
		d := newSlowDisk()
		free := func(bytes uint64) {
			mem.TestingSetDiskUsage(vfs.DiskUsage{AvailBytes: bytes, TotalBytes: 1 << 40})
			time.Sleep(pebbledb.SpaceInterval)
			synctest.Wait()
		}
		free(pebbledb.DefaultReserve - 1)
		s := mustOpen(t, mem, Options{OnEvent: d.hear, Level: None})
		var b Batch
		b.Put("a", nil, nil)
		_, err := s.Append(&b)
		require.ErrorIs(t, err, ErrDiskFull, "from the start")
		require.ErrorContains(t, err, "67108863 bytes free, and 67108864 are kept back")
		seq, err := s.Append(new(Batch))
		require.NoError(t, err, "nothing to write")
		require.Zero(t, seq)
		free(pebbledb.DefaultReserve)
		_, err = s.Append(&b)
		require.ErrorIs(t, err, ErrDiskFull, "not yet")
		free(pebbledb.DefaultReserve / 4 * 5)
		mustAppend(t, s, put("a", "m", "v"))
		free(pebbledb.DefaultReserve - 1)
		require.NoError(t, s.Flush())
		require.NoError(t, s.Wait(t.Context(), 1))
		_, err = s.Append(&b)
		require.ErrorIs(t, err, ErrDiskFull)
		require.Equal(t, "disk full, disk full over, disk full", d.heard())
		require.NoError(t, s.Close())

		s = mustOpen(t, mem, Options{DiskReserve: -1})
		free(0)
		mustAppend(t, s, put("a", "m", "v"))
		require.NoError(t, s.Close())
	})
}

// TestRemoveOnFullDisk: commits that only remove go on down to three quarters of the reserve.
func TestRemoveOnFullDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		mem := memfs.NewCrashable()
		free := func(bytes uint64) {
			mem.TestingSetDiskUsage(vfs.DiskUsage{AvailBytes: bytes, TotalBytes: 1 << 40})
			time.Sleep(pebbledb.SpaceInterval)
			synctest.Wait()
		}
		free(1 << 30)
		s := mustOpen(t, mem, Options{})
		mustAppend(t, s, put("a", "m", "v"))
		var remove, both, large Batch
		remove.Create("a", []byte("meta"))
		remove.Remove("a", []byte("m"))
		remove.Drop("b")
		remove.DeletePrivate([]byte("k"))
		both.Remove("a", []byte("m"))
		both.PutPrivate([]byte("k"), nil)
		large.Remove("a", make([]byte, pebbledb.MaxRemoves))
		try := func(b *Batch) error {
			seq, err := s.Append(b)
			if err != nil {
				return err
			}
			return s.Wait(t.Context(), seq)
		}
		free(pebbledb.DefaultReserve - 1)
		require.NoError(t, try(&remove))
		require.ErrorIs(t, try(&both), ErrDiskFull)
		require.ErrorIs(t, try(&large), ErrDiskFull)
		free(pebbledb.DefaultReserve / 4 * 3)
		require.NoError(t, try(&remove))
		free(pebbledb.DefaultReserve/4*3 - 1)
		require.ErrorIs(t, try(&remove), ErrDiskFull)
		free(1 << 30)
		require.NoError(t, try(&large))
		require.Equal(t, uint64(4), s.LastSeq())
		require.NoError(t, s.Close())
	})
}

// TestLookAfterWrites: the store must check the free space after a number of written bytes too, not only at intervals.
func TestLookAfterWrites(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := newBudget(100 << 20)
		s := mustOpen(t, disk, Options{Level: None, DiskReserve: 60 << 20})
		var b Batch
		b.Put("a", nil, noise(1<<20))
		n, err := 0, error(nil)
		for ; err == nil; n++ { // no time passes
			var seq uint64
			if seq, err = s.Append(&b); err == nil {
				err = s.Wait(t.Context(), seq)
			}
			synctest.Wait()
		}
		require.ErrorIs(t, err, ErrDiskFull)
		require.NoError(t, s.Close())
	})
}

// TestLatchFirst: failstop may freeze the files a moment before the store's own latch closes. A commit that is flushed in between must
// not be acknowledged.
func TestLatchFirst(t *testing.T) {
	mem := memfs.NewCrashable()
	s := mustOpen(t, mem, Options{})
	mustAppend(t, s, put("a", "m", "v"))
	s.log.DB.FS.Fail(injected)
	var b Batch
	b.Put("a", nil, nil)
	seq, err := s.Append(&b)
	require.NoError(t, err, "nobody knows yet")
	err = s.Wait(t.Context(), seq)
	require.ErrorIs(t, err, ErrPersistence)
	require.ErrorIs(t, err, injected)
	require.ErrorIs(t, s.Close(), ErrPersistence)
	require.Equal(t, uint64(1), lastAfterCrash(t, mem))
}
