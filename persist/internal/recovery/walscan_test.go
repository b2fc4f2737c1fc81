package recovery

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/persist/internal/format"
	"github.com/zrankdb/zrank/persist/internal/storedir"
)

// TestStitch reads 3 bytes before and 2 bytes after a block boundary. The header between them must be skipped.
func TestStitch(t *testing.T) {
	v := make([]byte, 3*walBlock)
	for i := range v {
		v[i] = byte(i)
	}
	v[walBlock+6] = walSyncLast
	got, end := stitch(v, walBlock-3, 5, nil)
	require.Equal(t, []byte{253, 254, 255, walSyncHeader, walSyncHeader + 1}, got)
	require.Equal(t, walBlock+walSyncHeader+2, end)
}

// FuzzScan scans any bytes as a log. The offsets must stay within the bytes, and no result may exceed the groups of the seed log.
func FuzzScan(f *testing.F) {
	id := format.StoreID{4, 8}
	log := pebbleLog(f, id, 5)
	f.Add(log, 0)
	f.Add(log, walBlock-100)
	f.Add([]byte{}, 0)
	f.Add(groupStart, 0)
	f.Fuzz(func(t *testing.T, b []byte, shift int) {
		if shift > 0 && shift < 1<<20 {
			b = append(make([]byte, shift), b...)
		}
		var e evidence
		end := e.scan(b, id.Hash(), 0)
		require.LessOrEqual(t, end, len(b))
		require.Less(t, e.promised, uint64(5), "no group of this store says more")
		require.LessOrEqual(t, recordsEnd(b, 2), len(b))
		torn := tornBytes(b, 2, end)
		require.True(t, torn >= 0 && torn <= len(b))
	})
}

// pebbleLog returns the bytes of a Pebble log with number 2, which holds the given number of groups of one commit each.
func pebbleLog(t testing.TB, id format.StoreID, groups int) []byte {
	t.Helper()
	fs := vfs.Default
	dir := t.TempDir()
	db, err := pebble.Open(dir, &pebble.Options{FS: fs, FormatMajorVersion: storedir.PebbleFormat})
	require.NoError(t, err)
	prev := uint32(0)
	for n := range uint64(groups) {
		var b format.Batch
		b.Put("a", []byte{byte(n)}, make([]byte, 100))
		g := format.Group{First: n + 1, Commits: 1, Durable: n, Store: id.Hash(), Prev: prev}
		var value []byte
		value, prev = g.Seal(format.AppendBytes(make([]byte, format.GroupHeader), format.CommitBody(&b)))
		require.NoError(t, db.Set(format.KeyLog(n+1), value, pebble.Sync))
	}
	require.NoError(t, db.Close())
	names, err := filepath.Glob(filepath.Join(dir, "*"+WalSuffix))
	require.NoError(t, err)
	require.Len(t, names, 1)
	v, err := os.ReadFile(names[0])
	require.NoError(t, err)
	return v
}
