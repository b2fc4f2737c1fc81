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

// TestImportLive copies a running Redis that changes meanwhile, ends the copy, and serves what was copied.
func TestImportLive(t *testing.T) {
	servers, err := redistest.Start(t.TempDir(), 1, "--save", "")
	if errors.Is(err, redistest.ErrNone) {
		t.Skip("no redis-server")
	}
	require.NoError(t, err)
	t.Cleanup(servers.Close)
	c := servers.Client(0)
	t.Cleanup(func() { _ = c.Close() })
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
		require.Contains(t, out.String(), "Compared: all 1 keys are the same")
		s := startServer(t, "--dir", dir)
		require.Equal(t, "$4", call(t, "tcp", s.addr).says(t, "ZSCORE lb "+by))
		s.stop()
	}
	fails(t, 1, "refused", "import", "--dir", dir, "redis://127.0.0.1:1")
	fails(t, 2, "want redis://", "import", "--dir", dir, "redis://127.0.0.1:1/7")
	fails(t, 2, "--by is \"magic\"", "import", "--dir", dir, "--by", "magic", url)
	other, err := redistest.Start(t.TempDir(), 1, "--save", "")
	require.NoError(t, err)
	t.Cleanup(other.Close)
	fails(t, 1, "keys of its own: they were copied from", "import", "--dir", dir, "redis://"+other.Addr(0))
}
