package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDemo plays a small season twice: the demo compares the ranks at the end, and starts over only in its own directory.
func TestDemo(t *testing.T) {
	tmp := t.TempDir()
	dir := filepath.Join(tmp, "data")
	for range 2 {
		out := must(t, "demo", "--dir", dir, "--players", "300", "--results", "4500", "--weeks", "2")
		for _, part := range []string{"arena · all", "speedrun · week", "stands among", "a second", "bytes a player",
			"on the disk", "ranks are the same"} {
			require.Contains(t, out, part)
		}
	}
	require.Contains(t, must(t, "boards", "--dir", dir, "--format", "csv"), "ladder,score:desc,last,first,all")
	require.Contains(t, must(t, "history", "--dir", dir, "--window", "week", "arena"), "2026-W41") // its last week is live still
	fails(t, 2, "--players is -4", "demo", "--dir", dir, "--players", "-4")
	fails(t, 2, "--results 0", "demo", "--dir", dir, "--results", "0")
	must(t, "demo", "--dir", filepath.Join(tmp, "short"), "--players", "1", "--results", "1")
	require.NoError(t, os.Mkdir(filepath.Join(tmp, "empty"), 0o700))
	must(t, "demo", "--dir", filepath.Join(tmp, "empty"), "--players", "9", "--results", "9")

	foreign := filepath.Join(tmp, "foreign")
	require.NoError(t, os.Mkdir(foreign, 0o700))
	write(t, filepath.Join(foreign, "thesis.txt"), "mine")
	fails(t, 1, "not a zrank", "demo", "--dir", foreign)
	require.FileExists(t, filepath.Join(foreign, "thesis.txt"))

	// The demo refuses to delete its directory after replay has added events to it, and a directory that it did not make.
	in := write(t, filepath.Join(tmp, "in.csv"), "time,member,delta\n1,ada,2\n")
	own := filepath.Join(tmp, "own")
	for _, at := range []string{dir, own} {
		must(t, "replay", "--dir", at, in)
		fails(t, 1, "no demo made", "demo", "--dir", at)
		require.Equal(t, "2\n", must(t, "score", "--dir", at, "main", "ada"))
	}
}
