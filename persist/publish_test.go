package persist

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/persist/internal/format"
)

// afterFailedPublish aborts a snapshot that has failed, or begins another one, or reopens the store. Nothing must be left over.
func afterFailedPublish(t *testing.T, abort string, fs FS, s *Store, sn *Snapshot) *Store {
	t.Helper()
	switch abort {
	case "":
		require.NoError(t, s.Close())
		s = mustOpen(t, fs, Options{})
	case "at once":
		require.NoError(t, sn.Abort())
	case "in vain":
		next, err := s.Snapshot(7)
		require.NoError(t, err)
		require.NoError(t, next.Abort())
	}
	require.NoError(t, tidy(s))
	require.EqualValues(t, 4, s.log.Pointer().Start, "the log is whole")
	return s
}

// TestPublishFailsBetweenPieces: the record of the last set cannot be read when the others have theirs. The state must be the same as before,
// nothing may be left over after Abort or after a reopen, and the next snapshot must go on from there, even if it drops a set that the failed
// one has written first.
func TestPublishFailsBetweenPieces(t *testing.T) {
	defer inPieces()()
	for _, abort := range []string{"", "at once", "in vain"} {
		fs := MemFS()
		s := mustOpen(t, fs, Options{})
		names := []string{"a", "b", "c", "z"}
		write := func(sn *Snapshot, names []string, page string) {
			for _, name := range names {
				require.NoError(t, sn.WriteSet(name, nil, s.LastSeq(), 1, pagesOf(name+"="+page)))
			}
		}
		for _, name := range []string{"a", "b", "z"} {
			mustAppend(t, s, put(name, name, "1"))
		}
		first, err := s.Snapshot(3)
		require.NoError(t, err)
		write(first, []string{"a", "b", "z"}, "1")
		require.NoError(t, first.Publish())
		for _, name := range names {
			mustAppend(t, s, put(name, name, "2"))
		}
		second, err := s.Snapshot(7)
		require.NoError(t, err)
		write(second, names, "2")
		record := setRecord(t, s, "z")
		require.NoError(t, s.log.DB.Pebble.Set(format.KeySet("z"), []byte("damaged"), nil))
		require.ErrorIs(t, second.Publish(), ErrCorrupt)
		if abort == "in vain" { // the next snapshot must not begin until Abort's work is done
			require.ErrorIs(t, second.Abort(), ErrCorrupt)
			_, err := s.Snapshot(7)
			require.ErrorIs(t, err, ErrCorrupt)
		}
		require.NoError(t, s.log.DB.Pebble.Set(format.KeySet("z"), format.EncodeSetRecord(&record.stored), nil))
		pages := func(name string) []string {
			all, err := allPages(s, setRecord(t, s, name))
			require.NoError(t, err)
			return all
		}
		require.Equal(t, []string{"c=2"}, pages("c"))
		require.Equal(t, []string{"z=1"}, pages("z"))
		s = afterFailedPublish(t, abort, fs, s, second)

		mustAppend(t, s, func(b *Batch) { b.Drop("c") })
		third, err := s.Snapshot(8)
		require.NoError(t, err)
		write(third, []string{"a", "b", "z"}, "3")
		third.DropSet("c")
		require.NoError(t, third.Publish())
		require.NoError(t, tidy(s))
		require.Equal(t, []string{"z=3"}, pages("z"))
		_, ok, err := s.Set("c")
		require.NoError(t, err)
		require.False(t, ok)
		require.NoError(t, s.Close())
	}
}
