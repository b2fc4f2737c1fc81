package main

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDemo plays a small season twice: it ends with the ranks compared, and starts over in its own directory only.
func TestDemo(t *testing.T) {
	tmp := t.TempDir()
	dir := filepath.Join(tmp, "data")
	for range 2 {
		out := must(t, "demo", "--dir", dir, "--players", "300", "--results", "4500", "--weeks", "2")
		for _, part := range []string{"arena · all", "speedrun · week", "stands among", "a second", "bytes a place",
			"on the disk", "ranks are the same"} {
			require.Contains(t, out, part)
		}
	}
	require.Contains(t, must(t, "boards", "--dir", dir, "--format", "csv"), "ladder,last,desc")
	fails(t, 2, "Players is -4", "demo", "--dir", dir, "--players", "-4")

	own := filepath.Join(tmp, "own")
	must(t, "replay", "--dir", own, write(t, filepath.Join(tmp, "in.csv"), "time,member,delta\n1,ada,2\n"))
	fails(t, 1, "no demo made", "demo", "--dir", own)
	require.Equal(t, "2\n", must(t, "score", "--dir", own, "main", "ada"))
}
