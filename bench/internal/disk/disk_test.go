package disk

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestProbe(t *testing.T) {
	dir := t.TempDir()
	d, err := Probe(dir)
	require.NoError(t, err)
	assert.Positive(t, d.Flush)
	assert.GreaterOrEqual(t, d.FlushP99, d.Flush)
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Empty(t, left)

	_, err = Probe(filepath.Join(dir, "none"))
	assert.ErrorIs(t, err, os.ErrNotExist)
}

func TestCopyOfATree(t *testing.T) {
	from, to := t.TempDir(), filepath.Join(t.TempDir(), "copy")
	require.NoError(t, os.Mkdir(filepath.Join(from, "db"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(from, "LOCK"), nil, 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(from, "db", "1.log"), []byte("12345"), 0o600))
	require.NoError(t, Copy(from, to))
	require.NoError(t, Evict(to))
	text, err := os.ReadFile(filepath.Join(to, "db", "1.log"))
	require.NoError(t, err)
	assert.Equal(t, "12345", string(text))
	assert.FileExists(t, filepath.Join(to, "LOCK"))
	size, err := Size(to)
	require.NoError(t, err)
	assert.Equal(t, int64(5), size)
}

func TestMeterKnowsTheLogOfPebble(t *testing.T) {
	m := NewMeter()
	db, err := pebble.Open(t.TempDir(), &pebble.Options{FS: m.FS})
	require.NoError(t, err)
	before := m.Written()
	require.NoError(t, db.Set([]byte("key"), make([]byte, 10_000), pebble.Sync))
	logged := m.Written().Since(before)
	assert.InDelta(t, 10_000, logged.Log, 500)
	assert.Equal(t, logged.Log, logged.All)
	require.NoError(t, db.Flush())
	flushed := m.Written().Since(before)
	assert.Greater(t, flushed.All, flushed.Log)
	require.NoError(t, db.Close())
	require.NoError(t, m.Close())
}
