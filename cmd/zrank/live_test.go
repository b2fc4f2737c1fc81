package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/redistest"
)

// startRedis starts a redis-server and returns a client of it.
func startRedis(t *testing.T) (*redistest.Servers, *redis.Client) {
	servers, err := redistest.Start(t.TempDir(), 1, "--save", "")
	if errors.Is(err, redistest.ErrNone) {
		t.Skip("SKIPPED: there is no redis-server, so nothing here is tested")
	}
	require.NoError(t, err)
	t.Cleanup(servers.Close)
	c := servers.Client(0)
	t.Cleanup(func() { _ = c.Close() })
	return servers, c
}

// TestImportLive copies a running Redis that changes meanwhile, ends the copy, and serves what was copied.
func TestImportLive(t *testing.T) {
	servers, c := startRedis(t)
	for i := range 200 {
		require.NoError(t, c.ZAdd(t.Context(), "lb", redis.Z{Member: fmt.Sprint("m", i), Score: float64(i)}).Err())
	}
	require.NoError(t, c.LPush(t.Context(), "queue", "job").Err())
	dir, url := filepath.Join(t.TempDir(), "data"), "redis://"+servers.Addr(0)
	for _, by := range []string{"replication", "scan"} {
		p := process("import", "--dir", dir, "--by", by, url)
		errs, err := p.StderrPipe()
		require.NoError(t, err)
		var out strings.Builder
		p.Stdout = &out
		require.NoError(t, p.Start())
		t.Cleanup(func() { _ = p.Process.Kill() })
		lines := bufio.NewScanner(errs)
		for lines.Scan() && !strings.Contains(lines.Text(), "following") {
		}
		require.NoError(t, c.ZAdd(t.Context(), "lb", redis.Z{Member: by, Score: 1000}).Err())
		require.NoError(t, p.Process.Signal(os.Interrupt))
		for lines.Scan() {
		}
		require.NoError(t, p.Wait(), out.String())
		require.Contains(t, out.String(), "keys copied by "+map[string]string{"replication": "replication", "scan": "SCAN"}[by])
		require.Contains(t, out.String(), "has everything that the source had")
		require.Contains(t, out.String(), "keys of type list")
		require.Contains(t, out.String(), "Compared: the only key is the same")
		s := startServer(t, "--dir", dir)
		require.Equal(t, "$4", call(t, "tcp", s.addr).says(t, "ZSCORE lb "+by))
		s.stop()
	}
	fails(t, 1, "refused", "import", "--dir", dir, "redis://127.0.0.1:1")
	fails(t, 2, "want redis://", "import", "--dir", dir, "redis://127.0.0.1:1/7")
	fails(t, 2, "--by is \"magic\"", "import", "--dir", dir, "--by", "magic", url)
	other, _ := startRedis(t)
	fails(t, 1, "keys of its own: they were copied from", "import", "--dir", dir, "redis://"+other.Addr(0))
}

// copyLive copies a source until during returns, and returns what is on standard output and on standard error, and the exit code.
func copyLive(t *testing.T, during func(), args ...string) (out, errs string, code int) {
	t.Helper()
	p := process(append([]string{"import"}, args...)...)
	pipe, err := p.StderrPipe()
	require.NoError(t, err)
	var stdout, stderr strings.Builder
	p.Stdout = &stdout
	require.NoError(t, p.Start())
	t.Cleanup(func() { _ = p.Process.Kill() })
	lines := bufio.NewScanner(pipe)
	for lines.Scan() && !strings.Contains(lines.Text(), "following") {
	}
	during()
	require.NoError(t, p.Process.Signal(os.Interrupt))
	for lines.Scan() {
		fmt.Fprintln(&stderr, lines.Text())
	}
	_ = p.Wait()
	return stdout.String(), stderr.String(), p.ProcessState.ExitCode()
}

// TestImportLiveFlags gives flags that a copy of a running Redis does not have: none is ignored, and nothing is copied.
func TestImportLiveFlags(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	for _, flag := range []string{"--dry-run", "--match=lb:*", "--db=3", "--verify", "--again", "--any-version", "--partial", "--map=m", "--spec=s", "--format=json"} {
		name, _, _ := strings.Cut(flag, "=")
		fails(t, 2, name+" is for a file", "import", "--dir", dir, flag, "redis://127.0.0.1:1")
	}
	require.NoDirExists(t, dir)
}

// TestImportLiveLeftOut changes keys by commands that zrank does not have: by replication the error says what copies them, and that does. Then the source goes away.
func TestImportLiveLeftOut(t *testing.T) {
	servers, c := startRedis(t)
	require.NoError(t, c.Set(t.Context(), "visits", "99", 0).Err())
	dir, url := filepath.Join(t.TempDir(), "data"), "redis://"+servers.Addr(0)
	visit := func() { require.NoError(t, c.Incr(t.Context(), "visits").Err()) }
	out, errs, code := copyLive(t, visit, "--dir", dir, "--by", "replication", url)
	require.Equal(t, 1, code)
	require.Contains(t, out, "1 key copied by replication, and 2 commands\n")
	require.Contains(t, out, "command INCR")
	require.Contains(t, out, "Compared: 1 of 1 key differs:\n  database 0, visits: its values differ: 2 bytes, and in the source 3 bytes\n")
	require.Contains(t, errs, "--by scan also copies")
	out, _, code = copyLive(t, visit, "--dir", dir, "--by", "scan", url)
	require.Zero(t, code, out)
	require.Contains(t, out, "the only key is the same")

	out, errs, code = copyLive(t, servers.Close, "--dir", dir, "--by", "replication", url)
	require.Equal(t, 1, code)
	require.Contains(t, out, "1 key copied by replication")
	require.Contains(t, errs, "zrank: comparing: ")
	require.NotContains(t, errs, "pool.go", "what go-redis logs")
}
