package persist

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/persist/internal/commitlog"
)

// openWithFlush opens a store on a disk on which a flush takes some time.
func openWithFlush(t *testing.T, flush time.Duration) *Store {
	d := newSlowDisk()
	s := mustOpen(t, d.fs(), Options{})
	d.delay.Store(int64(flush))
	return s
}

// caller commits n times, and pauses after each commit.
func caller(t *testing.T, s *Store, n int, pause time.Duration) {
	for range n {
		seq := appendOne(t, s)
		require.NoError(t, s.Wait(t.Context(), seq))
		time.Sleep(pause)
	}
}

// TestReturningCallersShareAFlush: callers who begin one after the other, and make their next commit a while after a flush has woken them,
// must soon share each flush, whatever part of a flush that while is.
func TestReturningCallersShareAFlush(t *testing.T) {
	const callers, commits, flush = 50, 100, 100 * time.Microsecond
	for _, pause := range []time.Duration{0, flush / 10, flush / 2, 9 * flush / 10} {
		synctest.Test(t, func(t *testing.T) {
			s := openWithFlush(t, flush)
			began := time.Now()
			var all sync.WaitGroup
			for i := range callers {
				all.Go(func() {
					time.Sleep(time.Duration(i) * flush / 3)
					caller(t, s, commits, pause)
				})
			}
			all.Wait()
			took := time.Since(began)
			alone := callers * flush / 3 // while they begin, and for one caller's commits after that
			require.Less(t, took, 2*alone+commits*(flush+pause)*5/4, "pause %v", pause)
			require.NoError(t, s.Close())
		})
	}
}

// TestACallerAloneWaitsForNobody: each commit of one caller must take one flush, also after others have been there.
func TestACallerAloneWaitsForNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const flush = 100 * time.Microsecond
		s := openWithFlush(t, flush)
		var all sync.WaitGroup
		for range 20 {
			all.Go(func() { caller(t, s, 5, 0) })
		}
		all.Wait()
		caller(t, s, 1, 0) // others may come back
		for range 20 {
			began := time.Now()
			caller(t, s, 1, 0)
			require.Equal(t, flush, time.Since(began))
		}
		require.NoError(t, s.Close())
	})
}

// TestGatheringEnds: commits that keep coming, of callers who do not come back, must not keep the committer from its flush.
func TestGatheringEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const flush = 500 * time.Microsecond
		s := openWithFlush(t, flush)
		var all sync.WaitGroup
		for i := range 1000 {
			all.Go(func() {
				time.Sleep(time.Duration(i) * flush / 4)
				seq := appendOne(t, s)
				began := time.Now()
				require.NoError(t, s.Wait(t.Context(), seq))
				require.LessOrEqual(t, time.Since(began), 2*flush+commitlog.GatherTime, "commit %d", seq)
			})
		}
		all.Wait()
		require.NoError(t, s.Close())
	})
}

// TestNoGatheringIfAFlushTakesNoTime: the committer must not wait for others if there is nothing to save.
func TestNoGatheringIfAFlushTakesNoTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := mustOpen(t, MemFS(), Options{})
		release := holdCommitter(s)
		for range 20 {
			appendOne(t, s)
		}
		release()
		synctest.Wait()
		for range 10 {
			seq := appendOne(t, s)
			synctest.Wait()
			require.Equal(t, seq, s.DurableSeq())
		}
		require.NoError(t, s.Close())
	})
}
