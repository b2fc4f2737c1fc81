package persist

import (
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/internal/powercut"
	"github.com/zrankdb/zrank/persist/internal/pebbledb"
)

// faulty fails the n-th operation that matches. With once it fails only that one, otherwise also all later ones that match.
type faulty struct {
	match func(op errorfs.Op) bool
	once  bool
	left  atomic.Int64
	hit   atomic.Bool
}

func (f *faulty) MaybeError(op errorfs.Op) error {
	if !f.match(op) {
		return nil
	}
	if left := f.left.Add(-1); left >= 0 || f.once && left < -1 {
		return nil
	}
	f.hit.Store(true)
	return &os.PathError{Op: "injected", Path: op.Path, Err: syscall.EIO}
}

func (f *faulty) String() string { return "faulty" }

// TestWriteFailure fails the n-th write or sync of Pebble's log. That commit and all later ones must get ErrPersistence with the cause,
// reads must go on, and Close must return. A reopened store must have every acknowledged commit.
func TestWriteFailure(t *testing.T) {
	kinds := map[string]errorfs.OpKind{"write": errorfs.OpFileWrite, "sync": errorfs.OpFileSyncData}
	for name, kind := range kinds {
		for n := range int64(6) {
			t.Run(fmt.Sprintf("%s/n=%d", name, n*7), func(t *testing.T) {
				f := &faulty{match: func(op errorfs.Op) bool { return op.Kind == kind && strings.HasSuffix(op.Path, ".log") }}
				f.left.Store(1 << 40)
				mem := memfs.NewCrashable()
				var logged strings.Builder
				log := slog.New(slog.NewTextHandler(&logged, nil))
				s := mustOpen(t, errorfs.Wrap(mem, f), Options{Logger: log})
				d := newDriver(s, uint64(n))
				f.left.Store(n * 7)
				var err error
				for err == nil {
					err = d.commit(1)
				}
				requireFailed(t, d, err)
				require.Contains(t, logged.String(), "the disk failed")
				d.s = nil
				for _, percent := range []int{0, 50, 100} {
					rng := rand.New(rand.NewPCG(uint64(n), 1))
					crash := mem.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: percent, RNG: rng})
					require.NoError(t, checkState(crash, d, d.acked.Load()))
				}
			})
		}
	}
}

func requireFailed(t *testing.T, d *driver, err error) {
	t.Helper()
	s := d.s
	require.ErrorIs(t, err, ErrPersistence)
	require.ErrorIs(t, err, syscall.EIO)
	_, appendErr := s.Append(d.batch())
	require.Equal(t, err, appendErr, "the first cause stays")
	require.ErrorIs(t, s.Flush(), ErrPersistence)
	_, err = s.Snapshot(s.LastSeq())
	require.ErrorIs(t, err, ErrPersistence)
	require.NoError(t, s.Wait(t.Context(), d.acked.Load()))
	require.ErrorIs(t, s.Wait(t.Context(), s.LastSeq()), ErrPersistence)
	for _, err := range s.ScanPrivate(nil) {
		require.NoError(t, err)
	}
	err = s.Close()
	require.ErrorIs(t, err, ErrPersistence)
	require.NotContains(t, err.Error(), "still running", "it has closed its files")
	require.NoError(t, s.Close())
}

// TestWaitersFail: a failure in the background must wake all waiters, even if the committer is stuck in a write.
func TestWaitersFail(t *testing.T) {
	s := mustOpen(t, MemFS(), Options{})
	release := holdCommitter(s)
	waits := make(chan error, 4)
	for range 2 {
		var b Batch
		b.Put("a", nil, nil)
		seq, err := s.Append(&b)
		require.NoError(t, err)
		go func() { waits <- s.Wait(t.Context(), seq) }()
	}
	go func() { waits <- s.Flush() }()
	go func() { waits <- s.log.Do(func() error { return errors.New("must not run") }) }()
	cause := errors.New("cause")
	s.log.DB.Fail(cause)
	s.log.DB.Fail(errors.New("a later one"))
	for range cap(waits) {
		err := <-waits
		require.ErrorIs(t, err, ErrPersistence)
		require.ErrorIs(t, err, cause)
	}
	release()
	require.ErrorIs(t, s.Close(), cause)
}

// TestPebbleGivesUp calls Fatalf as Pebble does. It must end the calling goroutine and close the latch, and Close must return.
func TestPebbleGivesUp(t *testing.T) {
	s := mustOpen(t, MemFS(), Options{})
	err := s.log.Do(func() error {
		pebbledb.Logger{D: s.log.DB}.Fatalf("no %s", "manifest")
		return errors.New("Fatalf returned")
	})
	require.ErrorIs(t, err, ErrPersistence)
	require.ErrorContains(t, err, "no manifest")
	require.ErrorIs(t, s.Close(), ErrPersistence)
	require.ErrorIs(t, s.log.DB.Guard(func() error { pebbledb.Logger{D: s.log.DB}.Fatalf("x"); return nil }), ErrPersistence)
}

// TestOpenFailure fails each operation of Open in turn, on an empty disk and on a disk with a store. Open must release the lock, and the
// next Open must succeed with the same commits.
func TestOpenFailure(t *testing.T) {
	for _, existing := range []bool{false, true} {
		n := int64(0)
		for ; ; n++ {
			mem := memfs.NewCrashable()
			want := uint64(0)
			if existing {
				s := mustOpen(t, mem, Options{})
				want = mustAppend(t, s, put("a", "m", "v"))
				require.NoError(t, s.Close())
			}
			f := &faulty{once: true, match: powercut.Changes}
			f.left.Store(n)
			s, err := Open("db", Options{FS: errorfs.Wrap(mem, f)})
			if err == nil {
				_ = s.Close()
			}
			if !f.hit.Load() {
				break
			}
			s = mustOpen(t, mem.CrashClone(vfs.CrashCloneCfg{}), Options{})
			require.Equal(t, want, s.LastSeq(), "operation %d", n)
			require.NoError(t, s.Close())
		}
		t.Logf("existing=%v: %d operations failed in turn", existing, n)
		require.Greater(t, n, int64(5))
	}
}
