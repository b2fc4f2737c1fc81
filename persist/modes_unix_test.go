//go:build unix

package persist

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/persist/internal/storedir"
)

// TestOwnerOnly: nobody but the owner can read what a store, a backup and its copies write, whatever the umask: directories that they make are 0700, and
// files 0600, also in a directory that was there, which stays as it is.
func TestOwnerOnly(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0o022))
	tmp := t.TempDir()
	old := filepath.Join(tmp, "old")
	require.NoError(t, os.Mkdir(old, 0o755))
	under := filepath.Join(tmp, "made", "for")
	for _, dir := range []string{old, filepath.Join(under, "store")} {
		s, err := Open(dir, Options{})
		require.NoError(t, err)
		d := newDriver(s, 1)
		for range 3 {
			require.NoError(t, d.commit(5))
			require.NoError(t, d.snapshot(true))
		}
		_, err = s.Compact(t.Context(), nil)
		require.NoError(t, err)
		require.NoError(t, s.Backup(t.Context(), filepath.Join(under, "backups", filepath.Base(dir))))
		require.NoError(t, s.Close())
		s, err = Open(dir, Options{}) // Pebble makes new files, and uses old ones again
		require.NoError(t, err)
		d.s = s
		require.NoError(t, d.commit(5))
		require.NoError(t, s.Close())
	}
	_, err := Restore(t.Context(), filepath.Join(under, "backups", "old"), filepath.Join(under, "restored"), Options{})
	require.NoError(t, err)
	_, err = Salvage(t.Context(), old, filepath.Join(under, "salvaged"), Options{})
	require.NoError(t, err)

	info, err := os.Stat(old)
	require.NoError(t, err)
	require.Equal(t, fs.FileMode(0o755), info.Mode().Perm(), "a directory that was there")
	files := 0
	require.NoError(t, filepath.WalkDir(tmp, func(path string, e fs.DirEntry, err error) error {
		require.NoError(t, err)
		if path == tmp || path == old {
			return nil
		}
		info, err := e.Info()
		require.NoError(t, err)
		want := fs.FileMode(0o600)
		if e.IsDir() {
			want = 0o700
		}
		require.Equal(t, want, info.Mode().Perm(), path)
		files++
		return nil
	}))
	require.Greater(t, files, 40)
}

// TestOwnerOnlyAgain: Create replaces a file that others can read, and OpenReadWrite and Lock leave the mode of a file that is there.
func TestOwnerOnlyAgain(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0o022))
	name := filepath.Join(t.TempDir(), "file")
	mode := func() fs.FileMode {
		info, err := os.Stat(name)
		require.NoError(t, err)
		return info.Mode().Perm()
	}
	owner := storedir.OwnerOnly()
	require.NoError(t, os.WriteFile(name, []byte("long before"), 0o644))
	f, err := owner.OpenReadWrite(name, "")
	require.NoError(t, err)
	require.NoError(t, f.Close())
	require.Equal(t, fs.FileMode(0o644), mode())
	lock, err := owner.Lock(name)
	require.NoError(t, err)
	_, err = owner.Lock(name)
	require.Error(t, err)
	require.NoError(t, lock.Close())
	f, err = owner.Create(name, "")
	require.NoError(t, err)
	_, err = f.Write([]byte("now"))
	require.NoError(t, err)
	require.NoError(t, f.Close())
	require.Equal(t, fs.FileMode(0o600), mode())
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	require.Equal(t, "now", string(text))
	_, err = owner.Create(filepath.Join(name, "under"), "")
	require.ErrorIs(t, err, syscall.ENOTDIR)
}
