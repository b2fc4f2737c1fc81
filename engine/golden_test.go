package engine

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine/internal/facts"
	"github.com/zrankdb/zrank/internal/golden"
	"github.com/zrankdb/zrank/internal/matrix"
	"github.com/zrankdb/zrank/zset"
)

// The golden directories of this package have what boards do not: sets that expire, with other keys than they were made with, copies,
// and one that is staged; from v4 on sets with int64 scores, of several forms. They are made as those of board/local are:
//
//	go test -run TestRow33Golden ./engine -args -golden v3

var newGolden = flag.String("golden", "", "write testdata/golden/<this name>.tar.gz from what this version stores")

// goldenScripts are a golden store's life: before a snapshot, between two, and after.
var goldenScripts = [][]string{
	{"update a gone | add a x 1 | add a y 2 | add gone x 1", "update a renamed | rename a renamed", "update a | add a x 3 | expire a 1000",
		"update wide | fill wide 0 700 1", "update wide big | copy wide big | expire big 5000", "update c:1 gone | rename gone c:1",
		"update n | iadd n 24 low -9223372036854775808 - | iadd n 24 odd 9007199254740993 01 | iadd n 24 even 9007199254740992 ff", "update ints | ifill ints 40 0 500 -1"},
	{"update c:1 | drop c:1", "update big moved | rename big moved", "update t | tied t x 0000000000000001 4 | expire t 30",
		"update a b c | rename a b | copy b c", "update a | add a again 7",
		"update ints n d | rename ints d | copy n ints | iexpire d 40 5000", "update m | iadd m 8 high 9223372036854775807 02", "update n | iincr n 24 odd 1"},
	{"update renamed last | rename renamed last", "update last | add last z 3 | expire last 7", "update b | persist b",
		"update moved | remove moved m1 | fill moved 500 900 2", "update m | iadd m 8 other 0 -", "update d | iremove d 40 " + wide(3), "sleep 40", "update t | add t new 1", "update a | incr a again 1"},
}

func goldenOptions() Options {
	clock := func() time.Time { return time.Unix(1e9+40, 0) }
	return Options{SnapshotBytes: -1, Clock: clock, lazy: true}
}

// TestRow33Golden opens a copy of every golden directory and compares its contents, then changes it, takes a snapshot, opens it again and
// compares once more.
func TestRow33Golden(t *testing.T) {
	if *newGolden != "" {
		writeGolden(t, filepath.Join("testdata", "golden", *newGolden+".tar.gz"))
	}
	layouts, opened := golden.Each(t, func(_, dir, want string) { goldenOpens(t, dir, want) })
	matrix.Row(t, 33, "engine: %d layouts, %d golden directories with sets that expire, are renamed, copied and staged opened, compared, changed and opened again",
		layouts, opened)
}

func goldenOpens(t *testing.T, dir, want string) {
	t.Helper()
	rep, err := CheckDir(t.Context(), dir, Options{}, nil)
	require.NoError(t, err)
	require.Empty(t, rep.Problems)
	e, err := Open(dir, goldenOptions())
	require.NoError(t, err)
	require.Equal(t, want, stateText(t, e))
	require.NoError(t, inOrderInside(e))
	require.NoError(t, e.Rename(t.Context(), "a", "renamed"))
	require.NoError(t, setX(e, "moved", 77))
	changed := stateText(t, e)
	require.NotEqual(t, want, changed)
	require.NoError(t, e.Snapshot())
	require.NoError(t, e.Close())
	e, err = Open(dir, goldenOptions())
	require.NoError(t, err)
	require.Equal(t, changed, stateText(t, e))
	n, err := e.Count()
	require.NoError(t, err)
	require.NoError(t, sound(e, n))
	require.NoError(t, e.Close())
}

// writeGolden runs goldenScripts in a new directory, and packs copies of it, open and closed, with the expected contents.
func writeGolden(t *testing.T, archive string) {
	root := t.TempDir()
	dir := filepath.Join(root, "closed")
	r := newRunner(Options{SnapshotBytes: -1}, nil)
	open := func() {
		var err error
		r.e, err = Open(dir, r.o)
		require.NoError(t, err)
	}
	for part, script := range goldenScripts {
		open() // opening it again moves what is in Pebble's log into tables
		for _, line := range script {
			if line[:5] == "sleep" {
				require.NoError(t, r.step(line))
				continue
			}
			require.NoError(t, goldenLine(r, line))
		}
		if part < 2 {
			require.NoError(t, r.e.Snapshot())
			require.NoError(t, r.e.Close())
		}
	}
	_, err := r.e.ops.stage(context.Background(), zset.As[int64](bigSet(t, 1200, 200).View().CopyRange(0, 10)), 0, facts.Digest{})
	require.NoError(t, err)
	require.NoError(t, r.e.Flush())
	require.NoError(t, os.CopyFS(filepath.Join(root, "live"), os.DirFS(dir)))
	require.NoError(t, os.WriteFile(filepath.Join(root, "want.txt"), []byte(stateText(t, r.e)), 0o600))
	require.NoError(t, r.e.Close())
	require.NoError(t, golden.Pack(root, archive))
}

// goldenLine runs an update of a script on the engine only, without the oracle.
func goldenLine(r *runner, line string) error {
	head, ops := parse(line)
	return r.e.Update(context.Background(), func(tx *Tx) error {
		for _, f := range ops {
			engineOp(r.e, tx, f)
		}
		return nil
	}, head[1:]...)
}
