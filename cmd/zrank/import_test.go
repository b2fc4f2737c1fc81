package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/rdb"
)

// redisFile writes a file of Redis with n sorted sets, a big one, a string and a hash.
func redisFile(t *testing.T, path string, n int) string {
	t.Helper()
	var b bytes.Buffer
	f, err := rdb.NewWriter(&b, rdb.WriteOptions{Compress: true})
	require.NoError(t, err)
	require.NoError(t, f.Aux("redis-ver", "7.2.4"))
	require.NoError(t, f.SelectDB(0))
	scores := func(n int) func(yield func([]byte, float64) bool) {
		return func(yield func([]byte, float64) bool) {
			for i := n; i > 0; i-- {
				if !yield(fmt.Appendf(nil, "player:%d", i), float64(i)) {
					return
				}
			}
		}
	}
	for i := range n {
		require.NoError(t, f.SortedSet(fmt.Appendf(nil, "lb:daily:%d", i), time.Time{}, 1+i%9, scores(1+i%9)))
	}
	require.NoError(t, f.SortedSet([]byte("lb:all"), time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC), 5000, scores(5000)))
	require.NoError(t, f.String([]byte("version"), time.Time{}, []byte("3")))
	require.NoError(t, f.Hash([]byte("player:1"), time.Time{}, 1, func(yield func(_, _ []byte) bool) { yield([]byte("name"), []byte("ada")) }))
	require.NoError(t, f.Close())
	return write(t, path, b.String())
}

func TestImportExport(t *testing.T) {
	tmp := t.TempDir()
	dir, out := filepath.Join(tmp, "data"), filepath.Join(tmp, "out.rdb")
	file := redisFile(t, filepath.Join(tmp, "dump.rdb"), 1000)
	dry := must(t, "import", "--dir", dir, "--dry-run", file)
	require.Contains(t, dry, "dump.rdb: RDB version 10 of Redis 7.2.4, 1,003 keys; databases 0: 1,002\n")
	require.Regexp(t, `zset +would be imported +1,001 +9,996 +lb:daily:0`, dry)
	require.Regexp(t, `hash +left out: not kept here +1 +player:1`, dry)
	require.NoDirExists(t, dir)

	require.Equal(t, strings.Fields(strings.ReplaceAll(dry, "would be ", "")), strings.Fields(must(t, "import", "--dir", dir, "--verify", file)))
	require.Equal(t, "dump.rdb has been imported before; --again imports it again\n", must(t, "import", "--dir", dir, file))
	require.Contains(t, must(t, "import", "--dir", dir, "--again", file), "stay: they have a value")
	require.Contains(t, must(t, "import", "--dir", dir, "--again", "--replace", "--match", "lb:all", "--format", "csv", file), "zset,imported,1,5000,lb:all\n")
	zipped := write(t, filepath.Join(tmp, "dump.rdb.gz"), gzipped(string(read(t, file))))
	require.Contains(t, must(t, "import", "--dir", dir, "--format", "json", zipped), `"what":"stay: they have a value","keys":1002`)

	require.Regexp(t, `zset +exported +1,001 +9,996 +lb:all`, must(t, "export", "--dir", dir, out))
	other := filepath.Join(tmp, "other")
	must(t, "import", "--dir", other, out)
	r := zrank(bytes.NewReader(nil), "export", "--dir", other, "-")
	require.Zero(t, r.code)
	require.Contains(t, r.errs, "exported")
	require.Equal(t, withoutTime(string(read(t, out))), withoutTime(r.out))
	r = zrank(bytes.NewReader(read(t, file)), "import", "--dir", filepath.Join(tmp, "third"), "-")
	require.Zero(t, r.code, r.errs)
	require.Contains(t, r.out, "standard input: RDB version 10 of Redis 7.2.4")
}

// withoutTime returns a file without the moment at which it was written, and without the checksum.
func withoutTime(file string) string {
	i := strings.Index(file, "ctime")
	return file[:i] + file[i+len("ctime")+5:len(file)-8]
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	return b
}

// TestImportKilled kills imports, and gives the same command again: the end is that of an import that was never interrupted.
func TestImportKilled(t *testing.T) {
	tmp := t.TempDir()
	file := redisFile(t, filepath.Join(tmp, "dump.rdb"), 30_000)
	whole := filepath.Join(tmp, "whole")
	must(t, "import", "--dir", whole, file)
	want := filepath.Join(tmp, "whole.rdb")
	must(t, "export", "--dir", whole, want)
	dir := filepath.Join(tmp, "data")
	killed := 0
	for wait := time.Millisecond; ; wait = wait*2 + 5*time.Millisecond {
		c := process("import", "--dir", dir, file)
		require.NoError(t, c.Start())
		ended := make(chan error, 1)
		go func() { ended <- c.Wait() }()
		select {
		case err := <-ended:
			require.NoError(t, err)
		case <-time.After(wait):
			if err := c.Process.Kill(); !errors.Is(err, os.ErrProcessDone) { // it has ended meanwhile
				require.NoError(t, err)
			}
			if <-ended != nil {
				killed++
				continue
			}
		}
		break
	}
	t.Log(killed, "times killed")
	got := filepath.Join(tmp, "got.rdb")
	must(t, "export", "--dir", dir, got)
	require.Equal(t, withoutTime(string(read(t, want))), withoutTime(string(read(t, got))))
	require.Contains(t, must(t, "import", "--dir", dir, file), "has been imported before")
	require.Contains(t, must(t, "check", "--dir", dir), "none")
}

// TestImportUnkeyed counts what a file has that belongs to no key.
func TestImportUnkeyed(t *testing.T) {
	file := write(t, filepath.Join(t.TempDir(), "dump.rdb"), "REDIS0010\xf5\x04code\xf5\x04more\xff\x00\x00\x00\x00\x00\x00\x00\x00")
	require.Regexp(t, `function +left out: libraries are not kept here +2`, must(t, "import", "--dry-run", "--dir", filepath.Join(t.TempDir(), "data"), file))
}

func TestImportMistakes(t *testing.T) {
	tmp := t.TempDir()
	dir := filepath.Join(tmp, "data")
	file := redisFile(t, filepath.Join(tmp, "dump.rdb"), 10)
	text := string(read(t, file))
	cut := write(t, filepath.Join(tmp, "cut.rdb"), text[:100])
	later := write(t, filepath.Join(tmp, "later.rdb"), "REDIS0099"+text[9:])
	fails(t, 1, "not an RDB file", "import", "--dir", dir, write(t, filepath.Join(tmp, "x"), "something else"))
	fails(t, 1, "RDB version 99 of Redis, versions 1 to 12", "import", "--dir", dir, later)
	fails(t, 1, "no such file", "import", "--dir", dir, filepath.Join(tmp, "none"))
	fails(t, 1, "is a directory", "import", "--dir", dir, tmp)
	fails(t, 2, "DB is 300", "import", "--dir", dir, "--db", "300", file)
	fails(t, 2, "unknown format", "import", "--dir", dir, "--format", "xml", file)
	fails(t, 2, "--verify reads the file twice", "import", "--dir", dir, "--verify", "-")
	fails(t, 1, "damaged at byte 100", "import", "--dir", dir, "--dry-run", cut)
	require.NoDirExists(t, dir)
	fails(t, 1, "damaged at byte 100", "import", "--dir", dir, "--verify", cut)
	fails(t, 1, "what came before is imported", "import", "--dir", dir, cut)
	fails(t, 1, "the checksum is", "import", "--dir", dir, "--any-version", later)
	fails(t, 2, `--format is "xml", want rdb`, "export", "--dir", dir, "--format", "xml", "-")
	fails(t, 1, "not a zrank store", "export", "--dir", filepath.Join(tmp, "none"), filepath.Join(tmp, "out"))
	require.NoFileExists(t, filepath.Join(tmp, "out"))
	fails(t, 1, "no such file", "export", "--dir", dir, filepath.Join(tmp, "none", "out"))
}

// TestExportKeepsFiles: export replaces no file that is there unless --force is given, and only the owner can read what it writes.
func TestExportKeepsFiles(t *testing.T) {
	tmp := t.TempDir()
	dir := played(t)
	for _, format := range []string{"rdb", "jsonl", "csv"} {
		file := write(t, filepath.Join(tmp, format), "precious")
		fails(t, 1, file+" exists: --force replaces it", "export", "--dir", dir, "--format", format, file)
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, "precious", string(text))
		must(t, "export", "--dir", dir, "--format", format, "--force", file)
		text, err = os.ReadFile(file)
		require.NoError(t, err)
		require.NotContains(t, string(text), "precious")
		info, err := os.Stat(file)
		require.NoError(t, err)
		if runtime.GOOS != "windows" {
			require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
		}
	}
	left, err := os.ReadDir(tmp)
	require.NoError(t, err)
	require.Len(t, left, 3, "a temporary file stays")
}
