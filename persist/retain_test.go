package persist

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/persist/internal/format"
	"github.com/zrankdb/zrank/persist/wal"
)

// TestRetain: a snapshot leaves RetainBytes of the log for followers, through a restart too; LogBytes and Replay do not count what it covers, and Compact
// removes it.
func TestRetain(t *testing.T) {
	fs := MemFS()
	o := Options{RetainBytes: 200_000}
	s := mustOpen(t, fs, o)
	for range 300 {
		mustAppend(t, s, put("a", "m", strings.Repeat("v", 2000)))
	}
	cutWhole(t, s)
	require.Zero(t, s.LogBytes())
	start := s.log.Pointer().Start
	require.InDelta(t, 200, start, 36, "100 commits are left, and up to 64 KiB more")
	require.NoError(t, s.Close())
	s = mustOpen(t, fs, o)
	require.Zero(t, s.LogBytes())
	require.Zero(t, s.Recovery().Commits)
	require.NoError(t, s.Replay(func(uint64, wal.Effect) error { panic("all is in the snapshot") }))
	require.Len(t, followed(t, mustFollow(t, s, start-1)), 301-int(start))
	f := mustFollow(t, s, start-2)
	_, err := f.NextNotes(nil)
	var behind *wal.FellBehindError
	require.ErrorAs(t, err, &behind)
	require.Equal(t, start, behind.Oldest)
	mustAppend(t, s, put("a", "m", "w"))
	require.Positive(t, s.LogBytes())
	require.Less(t, s.LogBytes(), int64(200))
	cutWhole(t, s)
	_, err = s.Compact(t.Context(), nil)
	require.NoError(t, err)
	require.Equal(t, uint64(302), s.log.Pointer().Start)
	n := 0
	require.NoError(t, s.log.DB.Scan([]byte(format.PrefixLog), format.KeyAfter([]byte(format.PrefixLog)), format.NameOf([]byte(format.PrefixLog)), func(_, _ []byte) (bool, error) {
		n++
		return true, nil
	}))
	require.Zero(t, n)
	require.NoError(t, s.Close())
	_, err = Open("db", Options{FS: fs, RetainBytes: -1})
	require.ErrorContains(t, err, "RetainBytes is -1")
}
