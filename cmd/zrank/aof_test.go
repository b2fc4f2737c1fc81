package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/rdb"
)

// asCommands returns commands, one a line, as an append-only file has them.
func asCommands(lines ...string) string {
	var b strings.Builder
	for _, line := range lines {
		words := strings.Fields(line)
		fmt.Fprintf(&b, "*%d\r\n", len(words))
		for _, w := range words {
			fmt.Fprintf(&b, "$%d\r\n%s\r\n", len(w), w)
		}
	}
	return b.String()
}

// preambleOf returns a file with the members a and b of the key z, and with what Redis says of it.
func preambleOf(t *testing.T, field string) string {
	t.Helper()
	var b bytes.Buffer
	f, err := rdb.NewWriter(&b, rdb.WriteOptions{})
	require.NoError(t, err)
	require.NoError(t, f.Aux("redis-ver", "7.2.4"))
	require.NoError(t, f.Aux(field, "1"))
	require.NoError(t, f.SelectDB(0))
	require.NoError(t, f.SortedSet([]byte("z"), time.UnixMilli(1000), 2, func(yield func([]byte, float64) bool) {
		_ = yield([]byte("b"), 2) && yield([]byte("a"), 1)
	}))
	require.NoError(t, f.Close())
	return b.String()
}

// exported returns the keys of a directory, as text that says what is where.
func exported(t *testing.T, dir string) (members []string) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out.rdb")
	must(t, "export", "--dir", dir, out)
	f, err := rdb.NewReader(bytes.NewReader(read(t, out)), rdb.ReadOptions{})
	require.NoError(t, err)
	for {
		key, err := f.Next()
		if err != nil {
			return members
		}
		require.NoError(t, key.SortedSet(func(m []byte, score float64) error {
			members = append(members, fmt.Sprintf("%d %s %s=%v", key.DB, key.Name, m, score))
			return nil
		}))
	}
}

// TestImportCommands: the commands of an append-only file are executed, behind the keys that it begins with, or where there are none. A last command that is not
// whole is left out, and said. The file is not executed twice, and goes into no directory that has keys.
func TestImportCommands(t *testing.T) {
	tmp := t.TempDir()
	more := asCommands("SELECT 0", "PERSIST z", "ZINCRBY z 10 a", "MULTI", "ZREM z b", "ZADD z 5 c", "EXEC", "HSET h f v")
	want := []string{"0 z a=11", "0 z c=5"}
	aof := write(t, filepath.Join(tmp, "appendonly.aof"), preambleOf(t, "aof-preamble")+more+"*3\r\n$4\r\nZA")
	data := filepath.Join(tmp, "data")
	require.Contains(t, must(t, "import", "--dir", data, "--dry-run", aof), "5 commands behind the keys; the file ends within a command or a transaction, at byte ")
	require.NoDirExists(t, data)
	out := must(t, "import", "--dir", data, aof)
	require.Contains(t, out, "appendonly.aof: RDB version 10 of Redis 7.2.4, 1 key; databases 0: 1; 5 commands behind the keys; the file ends within a command")
	require.Regexp(t, `command +executed +5`, out)
	require.Regexp(t, `command +left out: not kept here: HSET +1 +h`, out)
	require.ElementsMatch(t, want, exported(t, data))
	fails(t, 1, "the engine has keys of its own", "import", "--dir", data, aof)
	fails(t, 2, "--replace is for files of BGSAVE", "import", "--dir", data, "--replace", aof)
	require.ElementsMatch(t, want, exported(t, data))

	plain := write(t, filepath.Join(tmp, "plain.aof"), asCommands("SELECT 0", "ZADD z 1 a 2 b")+more)
	require.Contains(t, must(t, "import", "--dir", filepath.Join(tmp, "plain"), plain), "plain.aof: 7 commands\n")
	require.ElementsMatch(t, want, exported(t, filepath.Join(tmp, "plain")))

	unknown := write(t, filepath.Join(tmp, "unknown.aof"), preambleOf(t, "aof-preamble")+asCommands("INCR n"))
	fails(t, 1, fmt.Sprintf(`at byte %d, "INCR"`, len(preambleOf(t, "aof-preamble"))), "import", "--dir", filepath.Join(tmp, "unknown"), unknown)
	silent := write(t, filepath.Join(tmp, "silent.rdb"), preambleOf(t, "ctime")+more)
	fails(t, 1, fmt.Sprintf("commands follow behind its keys, at byte %d", len(preambleOf(t, "ctime"))), "import", "--dir", filepath.Join(tmp, "silent"), silent)
}

// TestImportFolder: a folder of append-only files is imported whole, in the order of its manifest; its base alone says that newer writes are elsewhere.
func TestImportFolder(t *testing.T) {
	tmp := t.TempDir()
	folder := filepath.Join(tmp, "appendonlydir")
	require.NoError(t, os.Mkdir(folder, 0o700))
	base := write(t, filepath.Join(folder, "appendonly.aof.2.base.rdb"), preambleOf(t, "aof-base"))
	write(t, filepath.Join(folder, "appendonly.aof.3.incr.aof"), asCommands("SELECT 0", "PERSIST z", "ZADD z 7 a"))
	write(t, filepath.Join(folder, "appendonly.aof.4.incr.aof"), asCommands("SELECT 0", "ZADD z 8 a", "ZADD z 9 d"))
	write(t, filepath.Join(folder, "appendonly.aof.1.incr.aof"), asCommands("FLUSHALL"))
	fails(t, 1, "without the manifest", "import", "--dir", filepath.Join(tmp, "none"), folder)
	write(t, filepath.Join(folder, "appendonly.aof.manifest"), "file appendonly.aof.2.base.rdb seq 2 type b\nfile appendonly.aof.1.incr.aof seq 1 type h\n"+
		"file appendonly.aof.3.incr.aof seq 3 type i\nfile appendonly.aof.4.incr.aof seq 4 type i\n")
	data := filepath.Join(tmp, "data")
	require.Contains(t, must(t, "import", "--dir", data, folder), "6 commands behind the keys")
	require.ElementsMatch(t, []string{"0 z a=8", "0 z b=2", "0 z d=9"}, exported(t, data))
	r := zrank(nil, "import", "--dir", filepath.Join(tmp, "base"), base)
	require.Zero(t, r.code)
	require.Contains(t, r.errs, "appendonly.aof.2.base.rdb is the base of append-only files, without the newer writes")
	write(t, filepath.Join(folder, "appendonly.aof.4.incr.aof"), asCommands("SELECT 0", "INCR n"))
	fails(t, 1, fmt.Sprintf(`appendonly.aof.4.incr.aof: at byte %d, "INCR"`, len(asCommands("SELECT 0"))), "import", "--dir", filepath.Join(tmp, "bad"), folder)
}
