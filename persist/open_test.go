package persist

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/persist/internal/format"
	"github.com/zrankdb/zrank/persist/internal/storedir"
)

// tree lists a directory with the contents of its files, to prove that nothing changed.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			out[path] = "dir"
			return err
		}
		b, err := os.ReadFile(path)
		out[path] = string(b)
		return err
	}))
	return out
}

func create(t *testing.T, dir string) {
	t.Helper()
	s, err := Open(dir, Options{})
	require.NoError(t, err)
	mustAppend(t, s, put("a", "m", "v"))
	require.NoError(t, s.Close())
}

// TestNotStore: Open must refuse directories with foreign files, and stores that have lost IDENTITY, and must change nothing.
func TestNotStore(t *testing.T) {
	for name, fill := range map[string]func(t *testing.T, dir string){
		"foreign file":      func(t *testing.T, dir string) { write(t, dir, "notes.txt") },
		"leveldb":           func(t *testing.T, dir string) { write(t, dir, "CURRENT") },
		"foreign db":        func(t *testing.T, dir string) { require.NoError(t, os.Mkdir(dir+"/db", 0o755)) },
		"foreign beside":    func(t *testing.T, dir string) { write(t, dir, "LOCK"); write(t, dir, "x") },
		"identity was lost": func(t *testing.T, dir string) { create(t, dir); require.NoError(t, os.Remove(dir+"/IDENTITY")) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			fill(t, dir)
			before := tree(t, dir)
			_, err := Open(dir, Options{})
			require.ErrorIs(t, err, ErrNotStore)
			require.Equal(t, before, tree(t, dir))
		})
	}
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o644))
	_, err := Open(file, Options{})
	require.ErrorIs(t, err, ErrNotStore)
	_, err = Open(file+"/below", Options{})
	require.Error(t, err)
}

func write(t *testing.T, dir, name string) {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o644))
}

// TestHalfCreated: the files of an interrupted creation are not a store yet. Open must create a new store from them.
func TestHalfCreated(t *testing.T) {
	for name, fill := range map[string]func(t *testing.T, dir string){
		"empty":    func(t *testing.T, dir string) {},
		"lock":     func(t *testing.T, dir string) { write(t, dir, "LOCK") },
		"identity": func(t *testing.T, dir string) { write(t, dir, "LOCK"); write(t, dir, "IDENTITY.tmp") },
		"db": func(t *testing.T, dir string) {
			create(t, dir)
			require.NoError(t, os.Rename(dir+"/IDENTITY", dir+"/IDENTITY.tmp"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			fill(t, dir)
			s, err := Open(dir, Options{})
			require.NoError(t, err)
			require.Zero(t, s.LastSeq())
			require.NoError(t, s.Close())
		})
	}
}

// TestMustExist: with MustExist, Open must create nothing if there is no store, or only an incomplete one.
func TestMustExist(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "IDENTITY.tmp")
	for _, path := range []string{dir, filepath.Join(dir, "none")} {
		_, err := Open(path, Options{MustExist: true})
		require.ErrorIs(t, err, ErrNotStore)
	}
	require.Len(t, tree(t, dir), 2)
	create(t, dir)
	s, err := Open(dir, Options{MustExist: true})
	require.NoError(t, err)
	require.NoError(t, s.Close())
}

// TestDamagedFiles: a store that has lost a part is never replaced by an empty one.
func TestDamagedFiles(t *testing.T) {
	for name, c := range map[string]struct {
		damage func(dir string) error
		want   error
	}{
		"no database": {func(dir string) error { return os.RemoveAll(dir + "/db") }, ErrCorrupt},
		"empty database": {func(dir string) error {
			return firstError(os.RemoveAll(dir+"/db"), os.Mkdir(dir+"/db", 0o755))
		}, ErrCorrupt},
		"identity of another": {func(dir string) error {
			return os.WriteFile(dir+"/IDENTITY", storedir.NewIdentity().Encode(), 0o644)
		}, ErrCorrupt},
		"identity cut":   {func(dir string) error { return os.Truncate(dir+"/IDENTITY", 20) }, ErrCorrupt},
		"identity empty": {func(dir string) error { return os.Truncate(dir+"/IDENTITY", 0) }, ErrCorrupt},
		"identity newer": {func(dir string) error {
			v := storedir.NewIdentity().Encode()
			binary.BigEndian.PutUint32(v[8:], format.LayoutVersion+1)
			return os.WriteFile(dir+"/IDENTITY", v, 0o644)
		}, ErrNewerFormat},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			create(t, dir)
			require.NoError(t, c.damage(dir))
			before := tree(t, dir+"/IDENTITY")
			_, err := Open(dir, Options{})
			require.ErrorIs(t, err, c.want)
			require.Equal(t, before, tree(t, dir+"/IDENTITY"))
			_, err = Open(dir, Options{})
			require.ErrorIs(t, err, c.want, "the lock is free again")
		})
	}
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// TestDamagedRecords changes records directly in Pebble, so that Pebble's checksums are right. Open must return the expected error.
func TestDamagedRecords(t *testing.T) {
	set := func(key, value []byte) func(*pebble.DB) error {
		return func(db *pebble.DB) error { return db.Set(key, value, pebble.Sync) }
	}
	newer := binary.BigEndian.AppendUint32(nil, format.LayoutVersion+1)
	for name, c := range map[string]struct {
		change func(db *pebble.DB) error
		want   error
		at     string
	}{
		"format missing":   {func(db *pebble.DB) error { return db.Delete(format.KeyFormat, pebble.Sync) }, ErrCorrupt, "m/format"},
		"format newer":     {set(format.KeyFormat, format.WithSum(format.KeyFormat, newer)), ErrNewerFormat, ""},
		"format damaged":   {set(format.KeyFormat, []byte("x")), ErrCorrupt, "m/format"},
		"pointer missing":  {func(db *pebble.DB) error { return db.Delete(format.KeyCurrent, pebble.Sync) }, ErrCorrupt, "m/current"},
		"pointer damaged":  {set(format.KeyCurrent, make([]byte, 44)), ErrCorrupt, "m/current"},
		"log missing":      {func(db *pebble.DB) error { return db.Delete(format.KeyLog(3), pebble.Sync) }, ErrCorrupt, "l/4"},
		"log start lost":   {func(db *pebble.DB) error { return db.Delete(format.KeyLog(1), pebble.Sync) }, ErrCorrupt, "l/2"},
		"log moved":        {copyKey(format.KeyLog(2), format.KeyLog(3)), ErrCorrupt, "l/3"},
		"log key":          {set([]byte("l/x"), nil), ErrCorrupt, `"l/x"`},
		"log end, covered": {set(format.KeyCurrent, format.Pointer{Snapshot: 1, Upto: 9, Start: 1}.Encode()), ErrCorrupt, "l/"},
	} {
		t.Run(name, func(t *testing.T) {
			fs := MemFS()
			s := mustOpen(t, fs, Options{})
			for range 5 {
				mustAppend(t, s, put("a", "m", "v"))
			}
			require.NoError(t, s.Close())
			raw(t, fs, func(db *pebble.DB) { require.NoError(t, c.change(db)) })
			_, err := Open("db", Options{FS: fs})
			require.ErrorIs(t, err, c.want)
			require.ErrorContains(t, err, c.at)
		})
	}
}

func copyKey(from, to []byte) func(*pebble.DB) error {
	return func(db *pebble.DB) error {
		v, c, err := db.Get(from)
		if err != nil {
			return err
		}
		defer c.Close()
		return db.Set(to, v, pebble.Sync)
	}
}

// TestValueFlips flips each bit of a stored group, a set's record and a page. Each flip must give an error that names the record.
func TestValueFlips(t *testing.T) {
	fs := MemFS()
	s := mustOpen(t, fs, Options{})
	mustAppend(t, s, put("a", "m", "v"))
	sn, err := s.Snapshot(1)
	require.NoError(t, err)
	members := map[string]string{"m": "v", "n": "w"}
	pages := pagesOf(string(encodeTestPage([]string{"m"}, members)), string(encodeTestPage([]string{"n"}, members)))
	require.NoError(t, sn.WriteSet("a", []byte("meta"), 1, 2, pages))
	require.NoError(t, sn.Publish())
	mustAppend(t, s, put("a", "m", "w"))
	mustAppend(t, s, put("a", "m", "x"))
	rec := setRecord(t, s, "a")
	for _, key := range [][]byte{format.KeyLog(2), format.KeySet("a"), format.KeyPage(1, 1, 1)} {
		v, ok, err := s.log.DB.Get(key, format.NameOf(key))
		require.True(t, ok)
		require.NoError(t, err)
		for bit := range len(v) * 8 {
			v[bit/8] ^= 1 << (bit % 8)
			require.NoError(t, s.log.DB.Pebble.Set(key, v, pebble.NoSync))
			_, err := read(s.forReplay())
			require.ErrorIs(t, err, ErrCorrupt, "%q bit %d", key, bit)
			v[bit/8] ^= 1 << (bit % 8)
		}
		require.NoError(t, s.log.DB.Pebble.Set(key, v, pebble.NoSync))
		_, err = read(s.forReplay())
		require.NoError(t, err)
	}
	require.NoError(t, s.log.DB.Pebble.Delete(format.KeyPage(1, 1, 1), pebble.NoSync))
	_, err = allPages(s, rec)
	require.ErrorIs(t, err, ErrCorrupt, "the last page is missing")
	require.NoError(t, s.Close())
}

// forReplay resets Opened, so that Replay may be called after an Append.
func (s *Store) forReplay() *Store {
	s.log.Opened = s.log.Last.Load()
	return s
}

// TestLocked: a second Open in this process must return ErrLocked, under any spelling of the path, until the store is closed.
func TestLocked(t *testing.T) {
	dir := t.TempDir()
	store := filepath.Join(dir, "store")
	s, err := Open(store, Options{})
	require.NoError(t, err)
	link := filepath.Join(dir, "link")
	require.NoError(t, os.Symlink(store, link))
	t.Chdir(dir)
	for _, spelling := range []string{store, link, store + "/", "store", "./store/../store"} {
		_, err = Open(spelling, Options{})
		require.ErrorIs(t, err, ErrLocked, spelling)
		require.ErrorContains(t, err, "in use by another process or another handle")
	}
	f, err := os.Open(store + "/LOCK") // a backup that reads every file must not unlock it
	require.NoError(t, err)
	require.NoError(t, f.Close())
	_, err = Open(store, Options{})
	require.ErrorIs(t, err, ErrLocked)
	mustAppend(t, s, put("a", "m", "v"))
	require.NoError(t, s.Close())
	s, err = Open(link, Options{})
	require.NoError(t, err)
	require.Equal(t, uint64(1), s.LastSeq())
	require.NoError(t, s.Close())

	mem := MemFS()
	s = mustOpen(t, mem, Options{})
	for _, spelling := range []string{"db", "/db", "./db/"} {
		_, err = Open(spelling, Options{FS: mem})
		require.ErrorIs(t, err, ErrLocked, spelling)
	}
	other := mustOpen(t, MemFS(), Options{})
	require.NoError(t, other.Close())
	require.NoError(t, s.Close())
}

// TestLockedByProcess: a real child holds the store, and is killed.
func TestLockedByProcess(t *testing.T) {
	dir := t.TempDir()
	child := exec.Command(os.Args[0], "-test.run=^TestHelperHold$")
	child.Env = append(os.Environ(), "PERSIST_HOLD="+dir)
	out, err := child.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, child.Start())
	lines := bufio.NewScanner(out)
	for lines.Scan() && lines.Text() != "held" {
	}
	_, err = Open(dir, Options{})
	require.ErrorIs(t, err, ErrLocked)
	require.NoError(t, child.Process.Kill())
	_ = child.Wait()
	s, err := Open(dir, Options{})
	require.NoError(t, err)
	require.Equal(t, uint64(1), s.LastSeq(), "what the killed process had acknowledged is here")
	require.NoError(t, s.Close())
}

func TestHelperHold(t *testing.T) {
	dir := childDir(t, "PERSIST_HOLD")
	s, err := Open(dir, Options{})
	require.NoError(t, err)
	mustAppend(t, s, put("a", "m", "v"))
	fmt.Println("held")
	select {}
}

// TestDiskFS: a wrapped file system of the operating system is still the operating system's.
func TestDiskFS(t *testing.T) {
	dir := t.TempDir()
	wrapped := errorfs.Wrap(vfs.Default, &errorfs.Toggle{})
	s, err := Open(dir, Options{FS: wrapped})
	require.NoError(t, err)
	_, err = Open(dir, Options{})
	require.ErrorIs(t, err, ErrLocked)
	require.NoError(t, s.Close())
}
