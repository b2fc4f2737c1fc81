package main

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

const moveResults = `time,member,board,delta
2026-11-20T10:00:00Z,ada,arena,5
2026-11-20T11:00:00Z,bea,arena,7
2026-11-21T10:00:00Z,ada,arena,3
2026-11-21T10:00:00Z,cy,solo,1
`

// TestMove: boards go to a server and come back into another directory, with all periods.
func TestMove(t *testing.T) {
	s, _ := startRedis(t)
	dir, other, url := filepath.Join(t.TempDir(), "data"), filepath.Join(t.TempDir(), "other"), "redis://"+s.Addr(0)
	must(t, "replay", "--dir", dir, "--window", "all,day", write(t, filepath.Join(t.TempDir(), "r.csv"), moveResults))
	top := must(t, "top", "--dir", dir, "--format", "csv", "--window", "day", "--period", "2026-11-20", "arena")

	out := must(t, "move", "--from", dir, "--to", url, "--partitions", "3", "--format", "csv", "arena")
	require.Contains(t, out, "board,periods,entries,")
	require.Contains(t, out, "\narena,3,5,0,")
	fails(t, 1, `"arena" has left for redis://`, "top", "--dir", dir, "arena")
	fails(t, 1, `"arena" has left for redis://`, "move", "--from", dir, "--to", url, "arena")
	fails(t, 1, "board: no such board", "move", "--from", dir, "--to", url, "nobody")
	fails(t, 1, "board: no such board", "move", "--from", url, "--to", other, "nobody")
	require.NoDirExists(t, other)

	must(t, "move", "--from", url, "--to", other)
	require.Equal(t, top, must(t, "top", "--dir", other, "--format", "csv", "--window", "day", "--period", "2026-11-20", "arena"))
	require.Contains(t, must(t, "check", "--dir", other), "none")
	require.Equal(t, "no boards\n", must(t, "move", "--from", url, "--to", other))
	require.Contains(t, must(t, "move", "--from", dir, "--to", url, "--format", "csv"), "\nsolo,2,2,0,") // the other board of the directory
	require.Equal(t, "no boards\n", must(t, "move", "--from", dir, "--to", url))
}

// TestMoveMistakes: wrong calls say what is wrong, and make no directory.
func TestMoveMistakes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	must(t, "replay", "--dir", dir, write(t, filepath.Join(t.TempDir(), "r.csv"), moveResults))
	fails(t, 2, "--from and --to are missing", "move", "--from", dir)
	fails(t, 2, "unknown format", "move", "--from", dir, "--to", "redis://127.0.0.1:1", "--format", "xml")
	fails(t, 1, "127.0.0.1:1: dial tcp 127.0.0.1:1: connect", "move", "--from", dir, "--to", "redis://127.0.0.1:1?max_retries=-1")
	fails(t, 1, "not a zrank store", "move", "--from", filepath.Join(dir, "none"), "--to", filepath.Join(t.TempDir(), "x"))
	fails(t, 1, "redis", "move", "--from", dir, "--to", "redis://127.0.0.1:x")
	require.Contains(t, must(t, "top", "--dir", dir, "arena"), "ada")
}

// TestMoveServed: a running server moves its boards to a cluster and back, or to another server, while it serves them.
func TestMoveServed(t *testing.T) {
	s, _ := startRedis(t)
	dir, url := filepath.Join(t.TempDir(), "data"), "redis://"+s.Addr(0)
	must(t, "replay", "--dir", dir, "--window", "all,day", write(t, filepath.Join(t.TempDir(), "r.csv"), moveResults))
	server := startServer(t, "--dir", dir)
	from := "redis://" + server.addr
	fails(t, 2, "not from or to a directory", "move", "--from", from, "--to", filepath.Join(t.TempDir(), "x"))
	fails(t, 1, "no such board", "move", "--from", from, "--to", url, "nobody")
	fails(t, 1, "partitions", "move", "--from", from, "--to", url, "--partitions", "9999", "arena")

	require.Contains(t, must(t, "move", "--from", from, "--to", url, "--format", "csv", "arena"), "\narena,3,5,0,")
	c := call(t, "tcp", server.addr)
	require.Contains(t, c.says(t, "BOARD.TOP arena all 1"), "has left for redis://"+s.Addr(0))
	require.Contains(t, c.says(t, "BOARD.SUBMIT solo cy 2"), "*")

	other := startServer(t, "--memory")
	to := "redis://" + other.addr
	require.Contains(t, must(t, "move", "--from", url, "--to", to, "--format", "csv"), "\narena,3,5,0,")
	require.Contains(t, call(t, "tcp", other.addr).says(t, "BOARD.INFO"), "*1")
	require.Equal(t, "no boards\n", must(t, "move", "--from", url, "--to", to))
	fails(t, 1, "it is a zrank server", "move", "--from", from, "--to", to, "solo")
	fails(t, 1, "is in use: name the zrank server", "move", "--from", dir, "--to", url)
	must(t, "move", "--from", from, "--to", url, "--abort", "solo") // nothing has begun
	require.Contains(t, c.says(t, "BOARD.SUBMIT solo cy 2"), "*")
}
