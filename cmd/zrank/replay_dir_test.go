package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFailedReplayLeavesNothing: a replay that stored nothing removes the directory and the folders above it that it made. A directory that
// was empty before is empty again.
func TestFailedReplayLeavesNothing(t *testing.T) {
	tmp := t.TempDir()
	good := write(t, filepath.Join(tmp, "good.csv"), rowsHead+"1,ada,2\n")
	bad := write(t, filepath.Join(tmp, "bad.csv"), rowsHead+"1,ada,NaN\n")
	noHeader := write(t, filepath.Join(tmp, "no.csv"), "colour\n")
	wrongKind := write(t, filepath.Join(tmp, "kind.csv"), rowsHead+"1,ada,1.5\n")
	for _, args := range [][]string{
		{"--batch", "0", good}, {"--top", "-1", good}, {"--durability", "maybe", good}, {"--format", "xml", good}, {"--ranks", "olympic", good},
		{"--time-unit", "h", good}, {filepath.Join(tmp, "none.csv")}, {noHeader}, {good, noHeader}, {bad}, {wrongKind}, {tmp}, {"-"},
	} {
		dir := filepath.Join(tmp, "a", "b", "data")
		r := zrank(strings.NewReader(""), append([]string{"replay", "--dir", dir}, args...)...)
		require.NotZero(t, r.code, args)
		require.NoDirExists(t, filepath.Join(tmp, "a"), args)
	}
	empty := filepath.Join(tmp, "empty")
	require.NoError(t, os.Mkdir(empty, 0o700))
	fails(t, 1, "not finite", "replay", "--dir", empty, bad)
	left, err := os.ReadDir(empty)
	require.NoError(t, err)
	require.Empty(t, left)

	kept := filepath.Join(tmp, "kept")
	must(t, "replay", "--dir", kept, good)
	fails(t, 1, "not finite", "replay", "--dir", kept, bad)
	require.Equal(t, "2\n", must(t, "score", "--dir", kept, "main", "ada"))
	fails(t, 1, "not finite", "replay", "--dir", filepath.Join(tmp, "both"), good, bad)
	require.Equal(t, "2\n", must(t, "score", "--dir", filepath.Join(tmp, "both"), "main", "ada"), "the first file is in")
}

// TestFailedReplayBesideAnother: a failed replay does not remove a directory that another replay has made meanwhile.
func TestFailedReplayBesideAnother(t *testing.T) {
	tmp := t.TempDir()
	dir := filepath.Join(tmp, "data")
	r, w := io.Pipe()
	done := make(chan result)
	go func() { done <- zrank(r, "replay", "--dir", dir, "-") }()
	must(t, "replay", "--dir", dir, write(t, filepath.Join(tmp, "in.csv"), rowsHead+"1,ada,2\n")) // while the other waits for its header
	io.WriteString(w, rowsHead+"nonsense\n")
	w.Close()
	require.NotZero(t, (<-done).code)
	require.Equal(t, "2\n", must(t, "score", "--dir", dir, "main", "ada"))
}

// TestOnlyTheWrongFlagIsNamed: a message about one flag does not mention another.
func TestOnlyTheWrongFlagIsNamed(t *testing.T) {
	path := write(t, filepath.Join(t.TempDir(), "in.csv"), rowsHead+"1,ada,2\n")
	dir := filepath.Join(t.TempDir(), "data")
	for flag, value := range map[string]string{"--batch": "0", "--top": "-1", "--durability": "maybe", "--time-unit": "x", "--max-ahead": "x", "--ranks": "x",
		"--rename": "x", "--memory-limit": "x", "--op": "x", "--ties": "x", "--grace": "x"} {
		r := zrank(nil, "replay", "--dir", dir, flag, value, path)
		require.Equal(t, 2, r.code)
		require.Contains(t, r.errs, strings.TrimPrefix(flag, "--"))
		for _, other := range []string{"batch", "top", "durability", "time-unit", "max-ahead"} {
			if "--"+other != flag {
				require.NotContains(t, r.errs, "--"+other)
			}
		}
	}
}
