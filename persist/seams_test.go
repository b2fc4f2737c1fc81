package persist

import (
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/persist/internal/faultfs"
)

// silentAt opens a store and starts a snapshot of one commit. While on is set and free is not closed, the disk does not answer a flush of
// a file whose name has the given suffix.
func silentAt(t *testing.T, suffix string) (s *Store, sn *Snapshot, on *atomic.Bool, free chan struct{}) {
	on, free = new(atomic.Bool), make(chan struct{})
	fs := &faultfs.FS{FS: memfs.New(), Hook: func(op faultfs.Op) faultfs.Fault {
		if on.Load() && op.Kind == faultfs.Sync && strings.HasSuffix(op.Path, suffix) {
			<-free
		}
		return faultfs.Fault{}
	}}
	s = mustOpen(t, fs, Options{StallTimeout: 300 * time.Millisecond, SlowSync: 100 * time.Millisecond})
	mustAppend(t, s, put("a", "m", "v"))
	sn, err := s.Snapshot(1)
	require.NoError(t, err)
	return s, sn, on, free
}

// TestStallInPublish: the committer writes HWM in Publish. A disk that does not answer then must give ErrStalled too.
func TestStallInPublish(t *testing.T) {
	s, sn, on, free := silentAt(t, "HWM")
	require.NoError(t, sn.WriteSet("a", nil, 1, 1, pagesOf("x")))
	on.Store(true)
	go sn.Publish()
	var b Batch
	b.Put("a", nil, nil)
	done := make(chan error, 1)
	go func() {
		var err error
		for err == nil { // those before Publish has come to the mark succeed
			var seq uint64
			if seq, err = s.Append(&b); err == nil {
				err = s.Wait(t.Context(), seq)
			}
		}
		done <- err
	}()
	require.ErrorIs(t, <-done, ErrStalled)
	close(free)
	require.NoError(t, s.Close())
}

// TestFrozenHoweverSpelled: the files of a failed store must be frozen, however the path of the directory is spelled.
func TestFrozenHoweverSpelled(t *testing.T) {
	for _, dir := range []string{"db", "db/", "db//", "./db"} {
		var on atomic.Bool
		mem := memfs.New()
		fs := &faultfs.FS{FS: mem, Hook: func(op faultfs.Op) faultfs.Fault {
			if on.Load() && op.Kind == faultfs.Sync && strings.HasSuffix(op.Path, ".log") {
				return faultfs.Fault{Err: syscall.EIO}
			}
			return faultfs.Fault{}
		}}
		s, err := Open(dir, Options{FS: fs})
		if err != nil {
			t.Error(dir, err)
			continue
		}
		on.Store(true)
		var b Batch
		b.Put("a", nil, nil)
		seq, err := s.Append(&b)
		require.NoError(t, err)
		require.ErrorIs(t, s.Wait(t.Context(), seq), ErrPersistence)
		_, _ = s.log.DB.FS.Create(s.log.DB.FS.PathJoin(s.log.DB.Dir, "x"), "")
		if _, err := mem.Stat("db/x"); err == nil {
			t.Errorf("%s: not frozen", dir)
		}
		_ = s.Close()
	}
}

// TestDiskWaitOfPace: DiskWait must grow while a snapshot waits for Pebble, and Pebble waits for a disk that does not answer.
func TestDiskWaitOfPace(t *testing.T) {
	s, sn, on, free := silentAt(t, ".sst")
	on.Store(true)
	done := make(chan error, 1)
	go func() {
		var pages []string
		for range 400 {
			pages = append(pages, string(noise(64<<10)))
		}
		done <- sn.WriteSet("a", nil, 1, 1, pagesOf(pages...))
	}()
	for s.DiskWait() <= time.Second {
		<-time.After(10 * time.Millisecond)
	}
	start := time.Now()
	t.Log("close:", s.Close(), time.Since(start))
	close(free)
	<-s.log.DB.Closed
	require.Error(t, <-done)
}

// TestDiskWaitOfSlowPace: a snapshot waits for Pebble, which is far behind but makes progress. DiskWait must stay small, because writes
// end all the time.
func TestDiskWaitOfSlowPace(t *testing.T) {
	const each = 100 * time.Millisecond
	synctest.Test(t, func(t *testing.T) {
		var s *Store
		var on atomic.Bool
		var most atomic.Int64
		fs := &faultfs.FS{FS: memfs.New(), Hook: func(op faultfs.Op) faultfs.Fault {
			if on.Load() && strings.HasSuffix(op.Path, ".sst") {
				time.Sleep(each)
				most.Store(max(most.Load(), int64(s.DiskWait())))
			}
			return faultfs.Fault{}
		}}
		s = mustOpen(t, fs, Options{})
		mustAppend(t, s, put("a", "m", "v"))
		sn, err := s.Snapshot(1)
		require.NoError(t, err)
		on.Store(true)
		var pages []string
		for range 400 {
			pages = append(pages, string(noise(64<<10)))
		}
		start := time.Now()
		require.NoError(t, sn.WriteSet("a", nil, 1, 1, pagesOf(pages...)))
		require.Greater(t, time.Since(start), 10*each)
		on.Store(false)
		require.NoError(t, sn.Publish())
		require.NoError(t, s.Close())
		require.Less(t, time.Duration(most.Load()), 3*each)
	})
}
