package main

import (
	"bufio"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestDemoServe watches a season over its pages, until it is over and the demo is interrupted.
func TestDemoServe(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	c := process("demo", "--serve", "--addr", "127.0.0.1:0", "--for", "1s", "--dir", dir, "--players", "300", "--results", "4500", "--weeks", "2")
	out, err := c.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, c.Start())
	t.Cleanup(func() { _ = c.Process.Kill() })
	var pages, season string
	lines := bufio.NewScanner(out)
	for lines.Scan() && !strings.HasPrefix(lines.Text(), "The season is over") {
		if at := regexp.MustCompile(`http://\S+/admin/`).FindString(lines.Text()); at != "" {
			pages = at
			status, text := fetch(t, http.DefaultClient, "GET", pages+"overview", "", "")
			require.Equal(t, 200, status, text)
			require.Contains(t, text, "zrank demo")
		}
	}
	for _, x := range [][2]string{{"overview", "guilds"}, {"board?board=arena&window=day", `data-rank="3"`}, {"groups", "Members"}, {"awards", "2026-W41"}, {"health", "Everything is well."}} {
		status, text := fetch(t, http.DefaultClient, "GET", pages+x[0], "", "")
		require.Equal(t, 200, status, text)
		require.Contains(t, text, x[1], x[0])
	}
	require.NoError(t, c.Process.Signal(os.Interrupt))
	for lines.Scan() {
		season += lines.Text() + "\n"
	}
	require.NoError(t, c.Wait())
	require.Contains(t, season, "ranks are the same")
	must(t, "demo", "--dir", dir, "--players", "9", "--results", "9") // it may delete what the other has left
	fails(t, 2, "--for is -1s", "demo", "--serve", "--for", "-1s")
}

// TestServeAdmin: serve has the pages beside the API: open where that is, behind its keys else, and not at all for players.
func TestServeAdmin(t *testing.T) {
	tmp := t.TempDir()
	client := &http.Client{Timeout: time.Minute}
	backups := filepath.Join(tmp, "backups")
	s := startServer(t, "--dir", filepath.Join(tmp, "data"), "--backups", backups)
	require.NoError(t, os.MkdirAll(filepath.Join(backups, "monday"), 0o700))
	write(t, filepath.Join(backups, "monday", "IDENTITY"), "")
	status, text := fetch(t, client, "GET", s.api+"/admin/health", "", "")
	require.Equal(t, 200, status)
	require.Contains(t, text, "monday")
	status, text = fetch(t, client, "GET", s.api+"/admin/overview", "", "")
	require.Equal(t, 200, status)
	require.Contains(t, text, "Read-only")
	s.stop()

	keys := write(t, filepath.Join(tmp, "keys"), "ada all "+strings.Repeat("s", 32)+"\n")
	s = startServer(t, "--memory", "--api-keys", keys)
	status, text = fetch(t, client, "GET", s.api+"/admin/health", "", "")
	require.Equal(t, 200, status)
	require.Contains(t, text, "Name of the key", "the page to sign in")
	s.stop()
	require.Contains(t, strings.Join(s.logs, "\n"), "pages="+s.api+"/admin/")

	s = startServer(t, "--memory", "--admin=false")
	status, _ = fetch(t, client, "GET", s.api+"/admin/overview", "", "")
	require.Equal(t, 404, status)
	s.stop()
}
