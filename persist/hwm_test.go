package persist

import (
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/persist/internal/storedir"
)

// TestMarkPeriod commits for 10 s. The file HWM must be written about once a second, and must never be more than 10 commits behind.
func TestMarkPeriod(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var writes atomic.Int64
		mem := memfs.New()
		s, err := open("db", Options{FS: errorfs.Wrap(mem, errorfs.InjectorFunc(func(op errorfs.Op) error {
			if op.Kind == errorfs.OpFileWriteAt && op.Path == "db/HWM" {
				writes.Add(1)
			}
			return nil
		}))}, nil)
		require.NoError(t, err)
		before := writes.Load()
		for i := range 100 {
			last := mustAppend(t, s, put("a", "m", "v"))
			time.Sleep(100 * time.Millisecond)
			if i%10 == 9 {
				synctest.Wait()
				m, err := storedir.ReadMark(mem, "db")
				require.NoError(t, err)
				require.LessOrEqual(t, m.Durable, last)
				require.GreaterOrEqual(t, m.Durable+10, last)
				require.False(t, m.Clean)
			}
		}
		require.LessOrEqual(t, writes.Load()-before, int64(11))
		require.NoError(t, s.Close())
		m, err := storedir.ReadMark(mem, "db")
		require.NoError(t, err)
		require.True(t, m.Clean)
		require.Equal(t, uint64(100), m.Durable)
	})
}

// TestMarkFailure: a mark that cannot be written is a failed disk.
func TestMarkFailure(t *testing.T) {
	f := &faulty{match: func(op errorfs.Op) bool { return op.Kind == errorfs.OpFileWriteAt }}
	f.left.Store(1 << 40)
	s := mustOpen(t, errorfs.Wrap(memfs.New(), f), Options{})
	f.left.Store(0)
	mustAppend(t, s, put("a", "m", "v"))
	<-s.log.DB.Failed
	_, err := s.Append(&Batch{})
	require.ErrorIs(t, err, ErrPersistence)
	require.ErrorIs(t, s.Close(), ErrPersistence)
}

// TestRecovery checks the figures of Recovery after a kill, after a clean close, and with an incomplete write at the end of the log.
func TestRecovery(t *testing.T) {
	v, err := newVictim(1, nil, func(d *driver) error {
		return errors.Join(d.commit(3), d.snapshot(true), grow(4, 100)(d), markNow(d))
	})
	require.NoError(t, err)
	fs := v.copy()
	recovered := func() Recovery {
		s, err := open("db", Options{FS: fs}, nil)
		require.NoError(t, err)
		r := s.Recovery()
		require.Positive(t, r.Duration)
		r.Duration = 0
		last := s.LastSeq()
		require.NoError(t, s.Close())
		require.Equal(t, last-r.Upto, r.Commits)
		return r
	}
	r := recovered()
	require.False(t, r.Clean)
	require.Equal(t, uint64(1), r.Snapshot)
	require.GreaterOrEqual(t, r.Groups, 4)
	require.Zero(t, r.DroppedTail)
	require.True(t, recovered().Clean)

	path, log := v.liveLog()
	m, err := storedir.ReadMark(v.disk, "db")
	require.NoError(t, err)
	m.Durable, m.Chain = 0, 0
	fs = v.copy()
	_, err = storedir.WriteMarkFile(fs, "db", m)
	require.NoError(t, err)
	require.NoError(t, edit(fs, path, cut(len(log)-40)))
	torn := recovered()
	require.Equal(t, r.Commits-1, torn.Commits)
	require.Positive(t, torn.DroppedTail)
	require.Less(t, torn.DroppedTail, 300)
	require.Zero(t, recovered().DroppedTail)
}

// TestMarkOfHalfCreated: after an interrupted creation, Open must delete HWM before it rewrites IDENTITY.tmp. The rewrite removes the old
// IDENTITY.tmp for a moment, and Open refuses a directory that has HWM but neither IDENTITY nor IDENTITY.tmp.
func TestMarkOfHalfCreated(t *testing.T) {
	fs := memfs.New()
	require.NoError(t, mustOpen(t, fs, Options{}).Close())
	require.NoError(t, fs.Rename("db/IDENTITY", "db/IDENTITY.tmp"))
	full := errors.New("full")
	err := storedir.BeginCreate(errorfs.Wrap(fs, errorfs.InjectorFunc(func(op errorfs.Op) error {
		if op.Kind == errorfs.OpCreate {
			return full
		}
		return nil
	})), "db", storedir.NewIdentity())
	require.ErrorIs(t, err, full)
	require.NoError(t, fs.Remove("db/IDENTITY.tmp"))
	state, err := storedir.Inspect(fs, "db")
	require.NoError(t, err)
	require.Equal(t, storedir.StateNew, state)
}
