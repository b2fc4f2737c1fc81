package persist

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/matrix"
	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/persist/internal/commitlog"
	"github.com/zrankdb/zrank/persist/internal/faultfs"
	"github.com/zrankdb/zrank/persist/internal/pebbledb"
)

// slowDisk is a disk on which each sync of the log takes delay.
type slowDisk struct {
	delay atomic.Int64
	mem   *memfs.FS

	mu     sync.Mutex
	events []Event
}

func newSlowDisk() *slowDisk { return &slowDisk{mem: memfs.NewCrashable()} }

func (d *slowDisk) fs() FS {
	return &faultfs.FS{FS: d.mem, Hook: func(op faultfs.Op) faultfs.Fault {
		if op.Kind == faultfs.Sync && strings.HasSuffix(op.Path, ".log") {
			time.Sleep(time.Duration(d.delay.Load()))
		}
		return faultfs.Fault{}
	}}
}

func (d *slowDisk) hear(e Event) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.events = append(d.events, e)
}

// heard returns the events since the last call as one short text.
func (d *slowDisk) heard() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	var all []string
	for _, e := range d.events {
		text := e.Kind.String()
		if e.Ended {
			text += " over"
		}
		all = append(all, text)
	}
	d.events = nil
	return strings.Join(all, ", ")
}

func appendOne(t *testing.T, s *Store) uint64 {
	t.Helper()
	var b Batch
	b.Put("a", []byte("m"), []byte("v"))
	seq, err := s.Append(&b)
	require.NoError(t, err)
	return seq
}

// TestStalledDisk: at level Sync, a sync takes a minute. The waiting commit must get ErrStalled after StallTimeout, later commits must
// get it at once, and none of them may be queued. When the disk answers, the store must go on.
func TestStalledDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newSlowDisk()
		s := mustOpen(t, d.fs(), Options{OnEvent: d.hear})
		d.delay.Store(int64(time.Minute))
		start := time.Now()
		seq := appendOne(t, s)
		require.ErrorIs(t, s.Wait(t.Context(), seq), ErrStalled)
		waited := time.Since(start)
		require.GreaterOrEqual(t, waited, 10*time.Second)
		require.Less(t, waited, 11*time.Second)
		for range 100 {
			var b Batch
			b.Put("a", nil, nil)
			_, err := s.Append(&b)
			require.ErrorIs(t, err, ErrStalled)
		}
		require.Equal(t, seq, s.LastSeq(), "nothing was queued")
		require.Less(t, s.DurableSeq(), seq)
		require.ErrorIs(t, s.Wait(t.Context(), seq), ErrStalled)
		require.ErrorIs(t, s.Flush(), ErrStalled)
		require.GreaterOrEqual(t, s.DiskWait(), waited)
		synctest.Wait()
		require.Equal(t, "slow sync, stalled", d.heard())
		require.Zero(t, lastAfterCrash(t, d.mem))

		time.Sleep(time.Minute)
		synctest.Wait()
		require.Equal(t, "stalled over, slow sync over", d.heard())
		require.NoError(t, s.Wait(t.Context(), seq), "it was undecided, and is durable")
		require.Equal(t, seq, lastAfterCrash(t, d.mem))
		d.delay.Store(0)
		require.Equal(t, seq+1, mustAppend(t, s, put("a", "m", "w")))
		require.NoError(t, s.Close())
		matrix.Row(t, 27, "a sync of 60 s: ErrStalled after %v, %d commits queued meanwhile, all is well afterwards", waited, 0)
	})
}

// TestSlowDisk: a sync that takes less than StallTimeout must delay the commit, and be reported only if it takes longer than SlowSync.
func TestSlowDisk(t *testing.T) {
	for delay, want := range map[time.Duration]string{
		10 * time.Millisecond:  "",
		990 * time.Millisecond: "",
		2 * time.Second:        "slow sync, slow sync over",
	} {
		synctest.Test(t, func(t *testing.T) {
			d := newSlowDisk()
			s := mustOpen(t, d.fs(), Options{OnEvent: d.hear})
			d.delay.Store(int64(delay))
			start := time.Now()
			mustAppend(t, s, put("a", "m", "v"))
			require.Equal(t, delay, time.Since(start))
			synctest.Wait()
			require.Equal(t, want, d.heard(), "%v", delay)
			require.Zero(t, s.DiskWait())
			require.NoError(t, s.Close())
		})
	}
}

// TestMaxLagOnSlowDisks: at level Interval, Wait must not acknowledge a commit while a commit older than MaxLag is not durable. The test
// runs on disks with syncs of 0 to 60 s.
func TestMaxLagOnSlowDisks(t *testing.T) {
	acks, stalls := 0, 0
	for _, delay := range []time.Duration{0, 10 * time.Millisecond, 500 * time.Millisecond, 3 * time.Second, time.Minute} {
		for _, maxLag := range []time.Duration{0, 150 * time.Millisecond, 5 * time.Second} {
			synctest.Test(t, func(t *testing.T) {
				d := newSlowDisk()
				s := mustOpen(t, d.fs(), Options{Level: Interval, MaxLag: maxLag, OnEvent: d.hear})
				appended := []time.Time{{}}
				d.delay.Store(int64(delay))
				start := time.Now()
				for len(appended) < 3000 && time.Since(start) < 3*time.Minute {
					var b Batch
					b.Put("a", []byte("m"), []byte("v"))
					seq, err := s.Append(&b)
					if err == nil {
						appended = append(appended, time.Now())
						err = s.Wait(t.Context(), seq)
					}
					if err == nil {
						acks++
						if oldest := s.DurableSeq() + 1; oldest < uint64(len(appended)) {
							require.LessOrEqual(t, time.Since(appended[oldest]), Options{MaxLag: maxLag}.withDefaults().MaxLag, "acknowledged beyond the bound")
						}
					} else {
						stalls++
						require.ErrorIs(t, err, ErrStalled)
						require.Greater(t, delay, 10*time.Second)
					}
					time.Sleep(10 * time.Millisecond)
				}
				require.LessOrEqual(t, s.log.Queued.Load(), int64(commitlog.MaxQueued))
				d.delay.Store(0)
				time.Sleep(2 * time.Minute)
				require.Equal(t, s.LastSeq(), s.DurableSeq())
				require.Zero(t, s.Lag())
				mustAppend(t, s, put("a", "m", "v"))
				require.NoError(t, s.Close())
			})
		}
	}
	require.Positive(t, stalls)
	matrix.Row(t, 27, "Interval on disks of 0 to 60 s: %d acknowledged, 0 beyond the bound, %d refused", acks, stalls)
}

// TestNoneNeedsNoDisk: at level None commits must go on while the disk does not answer, until 8 MiB are queued.
func TestNoneNeedsNoDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newSlowDisk()
		s := mustOpen(t, d.fs(), Options{Level: None})
		d.delay.Store(int64(time.Minute))
		mustAppend(t, s, put("a", "m", "v"))
		go s.Flush()
		time.Sleep(30 * time.Second)
		var b Batch
		b.Put("a", nil, make([]byte, 1<<20))
		var err error
		n := 0
		for ; err == nil; n++ {
			var seq uint64
			if seq, err = s.Append(&b); err == nil {
				err = s.Wait(t.Context(), seq)
			}
			require.Less(t, n, 20)
		}
		require.ErrorIs(t, err, ErrStalled)
		require.GreaterOrEqual(t, n, 8)
		d.delay.Store(0)
		time.Sleep(time.Minute)
		mustAppend(t, s, put("a", "m", "v"))
		require.NoError(t, s.Close())
	})
}

// TestBarrier: Barrier must make everything appended before it durable. Concurrent barriers share one flush. A cancelled context must end
// the wait and change nothing else.
func TestBarrier(t *testing.T) {
	for _, level := range []Level{Sync, Interval, None} {
		synctest.Test(t, func(t *testing.T) {
			d := newSlowDisk()
			s := mustOpen(t, d.fs(), Options{Level: level, Interval: time.Hour})
			d.delay.Store(int64(time.Second))
			seq := appendOne(t, s)
			start := time.Now()
			var wg sync.WaitGroup
			for range 10 {
				wg.Go(func() {
					if err := s.Barrier(t.Context()); err != nil || s.DurableSeq() < seq {
						t.Errorf("%v: durable %d: %v", level, s.DurableSeq(), err)
					}
				})
			}
			wg.Wait()
			require.LessOrEqual(t, time.Since(start), 2*time.Second, "one flush, after the one under way")
			require.Equal(t, seq, lastAfterCrash(t, d.mem))
			require.NoError(t, s.Barrier(t.Context()), "there is nothing to wait for")

			seq = appendOne(t, s)
			ctx, cancel := context.WithTimeoutCause(t.Context(), time.Millisecond, errors.New("too long"))
			defer cancel()
			require.ErrorContains(t, s.Barrier(ctx), "too long")
			require.Less(t, s.DurableSeq(), seq)
			time.Sleep(3 * time.Second)
			require.Equal(t, seq, s.DurableSeq())
			require.NoError(t, s.Close())
			require.ErrorIs(t, s.Barrier(t.Context()), ErrClosed)
		})
	}
}

// TestCloseStalled: Close must give up on a disk that does not answer. When the disk answers later, the directory must be unlocked.
func TestCloseStalled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newSlowDisk()
		fs := d.fs()
		s := mustOpen(t, fs, Options{})
		d.delay.Store(int64(time.Minute))
		seq := appendOne(t, s)
		job := make(chan error, 1)
		go func() { job <- s.log.Do(func() error { return nil }) }()
		time.Sleep(time.Second)
		start := time.Now()
		require.ErrorIs(t, s.Close(), ErrStalled)
		require.Equal(t, commitlog.CloseTimeout, time.Since(start))
		require.ErrorIs(t, <-job, ErrClosed)
		_, err := Open("db", Options{FS: fs})
		require.ErrorIs(t, err, ErrLocked)
		d.delay.Store(0)
		time.Sleep(time.Minute)
		s = mustOpen(t, fs, Options{})
		require.Equal(t, seq, s.LastSeq())
		require.NoError(t, s.Close())
	})
}

// TestCloseSlow: Close must wait for a slow disk as long as writes and flushes end, however many there are.
func TestCloseSlow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var delay atomic.Int64
		fs := &faultfs.FS{FS: memfs.New(), Hook: func(faultfs.Op) faultfs.Fault {
			time.Sleep(time.Duration(delay.Load()))
			return faultfs.Fault{}
		}}
		s := mustOpen(t, fs, Options{Level: None})
		appendOne(t, s)
		time.Sleep(time.Minute) // Pebble has nothing left to do in the background: what waits for a mutex there stops fake time
		delay.Store(int64(commitlog.CloseTimeout) * 3 / 4)
		start := time.Now()
		require.NoError(t, s.Close())
		require.Greater(t, time.Since(start), 2*commitlog.CloseTimeout)
	})
}

// TestBlockedCallback: an OnEvent that never returns must block no caller. The queue of events stays bounded.
func TestBlockedCallback(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newSlowDisk()
		release, told := make(chan struct{}), 0
		s := mustOpen(t, d.fs(), Options{OnEvent: func(e Event) { <-release; told++ }})
		d.delay.Store(int64(1500 * time.Millisecond))
		for range pebbledb.MaxEvents {
			mustAppend(t, s, put("a", "m", "v"))
		}
		s.log.DB.Fail(errors.New("cause"))
		require.ErrorIs(t, s.Close(), ErrPersistence)
		close(release)
		synctest.Wait()
		require.Equal(t, pebbledb.MaxEvents+2, told, "one is being told, the queue is full, and the failure is told in any case")
	})
}

// TestEventNames: every kind has a name, in the log too.
func TestEventNames(t *testing.T) {
	var logged strings.Builder
	s := pebbledb.New("db", Options{Logger: slog.New(slog.NewTextHandler(&logged, nil))}.withDefaults().database())
	for k := EventSlowSync; k <= EventWaiting; k++ {
		s.Report(pebbledb.Event{Kind: pebbledb.EventKind(k), Ended: true})
		require.Contains(t, logged.String(), fmt.Sprintf("persist: the disk: %v is over", k))
	}
	require.Equal(t, "EventKind(0)", EventKind(0).String())
}
