package disk

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
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

func TestMeter(t *testing.T) {
	m := NewMeter()
	dir := t.TempDir()
	write := func(name string, n int) {
		f, err := m.Create(filepath.Join(dir, name), vfs.WriteCategoryUnspecified)
		require.NoError(t, err)
		_, err = f.Write(make([]byte, n))
		require.NoError(t, err)
		require.NoError(t, f.Close())
	}
	write("1.log", 10)
	before := m.Written()
	write("2.sst", 7)
	f, err := m.ReuseForWrite(filepath.Join(dir, "1.log"), filepath.Join(dir, "3.log"), vfs.WriteCategoryUnspecified)
	require.NoError(t, err)
	_, err = f.Write(make([]byte, 3))
	require.NoError(t, err)
	require.NoError(t, f.Close())
	f, err = m.OpenReadWrite(filepath.Join(dir, "HWM"), vfs.WriteCategoryUnspecified)
	require.NoError(t, err)
	_, err = f.WriteAt(make([]byte, 5), 0)
	require.NoError(t, err)
	require.NoError(t, f.Close())
	assert.Equal(t, Written{Log: 3, All: 15}, m.Written().Since(before))
	assert.Equal(t, Written{Log: 13, All: 25}, m.Written())
}
