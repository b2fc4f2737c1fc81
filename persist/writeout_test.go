package persist

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/memfs"
)

// TestWriteOut: a write-out gives its sets new records, and leaves the log, upto and the other sets as they are. A store that was closed right
// after it opens as closed, with the same state.
func TestWriteOut(t *testing.T) {
	for _, level := range []Level{Sync, None} {
		t.Run(level.String(), func(t *testing.T) {
			mem := memfs.New()
			s, err := open("db", Options{FS: mem, Level: level}, small)
			require.NoError(t, err)
			d := newDriver(s, 5)
			require.NoError(t, errors.Join(d.commit(40), d.snapshot(true), d.commit(40)))
			before := s.log.Pointer()
			for i := range 20 {
				require.NoError(t, errors.Join(d.writeOut(i%3 > 0), tidy(s)))
			}
			after := s.log.Pointer()
			require.Greater(t, after.Snapshot, before.Snapshot)
			require.Equal(t, before.Upto, after.Upto)
			require.Equal(t, before.Start, after.Start)
			require.Equal(t, before.Millis, after.Millis, "SnapshotTime is that of the last snapshot")
			bases := map[uint64]bool{}
			for r, err := range s.Sets() {
				require.NoError(t, err)
				bases[r.Base] = true
			}
			require.Greater(t, len(bases), 1, "sets have bases of their own")
			require.NoError(t, s.Close())
			s, err = open("db", Options{FS: mem, Level: level}, small)
			require.NoError(t, err)
			require.True(t, s.Recovery().Clean)
			require.NoError(t, s.Close())
			require.NoError(t, checkState(mem, d, s.LastSeq()))
		})
	}
}

// TestWriteOutAlone: only one snapshot or write-out runs at a time.
func TestWriteOutAlone(t *testing.T) {
	s, err := open("db", Options{FS: memfs.New()}, small)
	require.NoError(t, err)
	sn, err := s.WriteOut(nil)
	require.NoError(t, err)
	_, err = s.Snapshot(0)
	require.ErrorIs(t, err, ErrSnapshotRunning)
	_, err = s.WriteOut(nil)
	require.ErrorIs(t, err, ErrSnapshotRunning)
	require.NoError(t, sn.Abort())
	sn, err = s.WriteOut(nil)
	require.NoError(t, err)
	require.NoError(t, sn.Publish(), "of no set")
	require.NoError(t, s.Close())
}

// TestWriteOutMany: one batch publishes more sets than a piece of a snapshot has.
func TestWriteOutMany(t *testing.T) {
	s, err := open("db", Options{FS: memfs.New(), Level: None}, small)
	require.NoError(t, err)
	var b Batch
	const sets = 300
	for i := range sets {
		b.Create(fmt.Sprintf("set%d", i), nil)
	}
	seq, err := s.Append(&b)
	require.NoError(t, err)
	sn, err := s.WriteOut(nil)
	require.NoError(t, err)
	for i := range sets {
		require.NoError(t, sn.WriteSet(fmt.Sprintf("set%d", i), nil, seq, 0, slices.Values([][]byte{[]byte("page")})))
	}
	require.NoError(t, sn.Publish())
	_, publishing, err := s.log.DB.Get([]byte("m/publishing"), func() string { return "m/publishing" })
	require.NoError(t, err)
	require.False(t, publishing)
	require.Zero(t, s.SnapshotTime(), "no snapshot")
	require.NoError(t, tidy(s))
	require.NoError(t, s.Close())
}
