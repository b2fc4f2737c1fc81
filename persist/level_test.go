package persist

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/persist/internal/commitlog"
)

// lastAfterCrash returns how many commits a power cut would leave now.
func lastAfterCrash(t *testing.T, mem *memfs.FS) uint64 {
	t.Helper()
	s := mustOpen(t, mem.CrashClone(vfs.CrashCloneCfg{}), Options{})
	defer s.Close()
	return s.LastSeq()
}

// TestInterval: a commit must become durable at the next tick of the interval, not before. A sync takes no time here.
func TestInterval(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		mem := memfs.NewCrashable()
		s := mustOpen(t, mem, Options{Level: Interval, Interval: time.Second})
		time.Sleep(300 * time.Millisecond)
		for i := range uint64(10) {
			require.Equal(t, i+1, mustAppend(t, s, put("a", "m", "v")))
		}
		time.Sleep(commitlog.GatherTime - 1)
		synctest.Wait()
		require.Zero(t, s.AppliedSeq(), "gathered")
		time.Sleep(time.Nanosecond)
		synctest.Wait()
		require.Equal(t, uint64(10), s.AppliedSeq(), "written together")
		require.Zero(t, s.DurableSeq())
		time.Sleep(699*time.Millisecond - commitlog.GatherTime)
		require.Zero(t, lastAfterCrash(t, mem))
		time.Sleep(2 * time.Millisecond)
		synctest.Wait()
		require.Equal(t, uint64(10), s.DurableSeq())
		require.Equal(t, uint64(10), lastAfterCrash(t, mem))
		for range 100 { // a commit is durable after one interval
			old := mustAppend(t, s, put("a", "m", "v"))
			time.Sleep(time.Second)
			synctest.Wait()
			require.GreaterOrEqual(t, s.DurableSeq(), old)
		}
		seq := mustAppend(t, s, put("a", "m", "w"))
		require.NoError(t, s.Flush())
		require.Equal(t, seq, s.DurableSeq())
		require.Equal(t, seq, lastAfterCrash(t, mem))
		mustAppend(t, s, put("a", "m", "w"))
		require.NoError(t, s.Close())
		require.Equal(t, seq+1, s.DurableSeq())
		require.Equal(t, seq+1, lastAfterCrash(t, mem))
	})
}

// TestNone: only Flush, Publish and Close make anything durable.
func TestNone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		mem := memfs.NewCrashable()
		s := mustOpen(t, mem, Options{Level: None})
		mustAppend(t, s, put("a", "m", "1"))
		time.Sleep(time.Hour)
		require.Zero(t, lastAfterCrash(t, mem))
		require.NoError(t, s.Flush())
		require.NoError(t, s.Flush())
		require.Equal(t, uint64(1), lastAfterCrash(t, mem))

		mustAppend(t, s, put("a", "m", "2"))
		sn, err := s.Snapshot(1)
		require.NoError(t, err)
		require.NoError(t, sn.WriteSet("a", nil, 2, 1, pagesOf("m=2")))
		mustAppend(t, s, put("a", "m", "3"))
		require.NoError(t, sn.Publish())
		require.Equal(t, uint64(3), s.DurableSeq(), "a snapshot counts only with all the log that its pages may show")
		require.Equal(t, uint64(3), lastAfterCrash(t, mem))
		mustAppend(t, s, put("a", "m", "4"))
		require.NoError(t, s.Close())
		require.Equal(t, uint64(4), lastAfterCrash(t, mem))
	})
}

// TestQueueBound: at Interval and None, Wait must block while more than MaxQueued bytes are queued.
func TestQueueBound(t *testing.T) {
	for _, level := range []Level{Interval, None} {
		synctest.Test(t, func(t *testing.T) {
			s := mustOpen(t, MemFS(), Options{Level: level})
			release := holdCommitter(s)
			var b Batch
			b.Put("a", nil, make([]byte, 1<<20))
			var seq uint64
			for range 9 {
				var err error
				seq, err = s.Append(&b)
				require.NoError(t, err)
			}
			waited := make(chan error, 1)
			go func() { waited <- s.Wait(t.Context(), seq) }()
			synctest.Wait()
			require.Empty(t, waited)
			require.Greater(t, s.log.Queued.Load(), int64(commitlog.MaxQueued))
			release()
			require.NoError(t, <-waited)
			require.LessOrEqual(t, s.log.Queued.Load(), int64(commitlog.MaxQueued))
			require.NoError(t, s.Close())
			require.Zero(t, s.log.Queued.Load())
		})
	}
}
