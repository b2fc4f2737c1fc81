package clients

import (
	"context"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/server/api"
)

// TestTypeScript compiles zrank.ts and runs zrank_test.ts by node against a live server.
func TestTypeScript(t *testing.T) {
	needNode(t)
	dir := t.TempDir()
	run(t, "typescript", nil, "node", "node_modules/typescript/bin/tsc", "--outDir", dir)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "package.json"), []byte(`{"type":"module"}`), 0o600))
	s := newServer(t, slog.DiscardHandler, api.Options{})
	run(t, dir, s.environment(), "node", "--test", "--test-reporter=spec", "zrank_test.js")
}

// needNode skips a test where node or what it needs is not installed.
func needNode(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		skip(t, "node is not installed")
	}
	if _, err := os.Stat("typescript/node_modules"); err != nil {
		skip(t, "npm ci --ignore-scripts has not been run in clients/typescript")
	}
}

// skip skips a test, but for CI, which says with CLIENTS=all that everything is installed.
func skip(t *testing.T, why string) {
	if os.Getenv("CLIENTS") == "all" {
		require.Fail(t, "SKIPPED", why)
	}
	t.Skip("SKIPPED: " + why)
}

// run runs a program, and returns what it prints.
func run(t *testing.T, dir string, environment []string, name string, args ...string) string {
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, name, args...)
	c.Dir, c.Env = dir, append(os.Environ(), environment...)
	c.WaitDelay = time.Second
	out, err := c.CombinedOutput()
	require.NoError(t, err, "%s %q:\n%s", name, args, out)
	t.Logf("%s", out)
	return string(out)
}
