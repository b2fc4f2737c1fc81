package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestBoardFile exports boards, imports them into a new directory, and exports them again: to the same bytes.
func TestBoardFile(t *testing.T) {
	tmp := t.TempDir()
	dir, other := filepath.Join(tmp, "data"), filepath.Join(tmp, "other")
	must(t, "demo", "--dir", dir, "--players", "300", "--results", "4500", "--weeks", "3")
	first, second := filepath.Join(tmp, "a.jsonl"), filepath.Join(tmp, "b.jsonl")
	require.Contains(t, must(t, "export", "--dir", dir, "--format", "jsonl", first), "speedrun")
	require.Contains(t, must(t, "import", "--dir", other, "--dry-run", first), "arena")
	require.NoDirExists(t, other)
	require.Contains(t, must(t, "import", "--dir", other, first), "arena")
	text, err := os.ReadFile(first)
	require.NoError(t, err)
	must(t, "export", "--dir", other, "--format", "jsonl", second, "arena", "ladder", "speedrun")
	again, err := os.ReadFile(second)
	require.NoError(t, err)
	require.Equal(t, string(text), string(again))
	for _, look := range [][]string{{"top", "--window", "week", "--period", "2026-W41", "arena"}, {"top", "speedrun"}} {
		require.Equal(t, must(t, append(look, "--dir", dir)...), must(t, append(look, "--dir", other)...))
	}
	require.Contains(t, must(t, "import", "--dir", other, first), "was there already")

	cut := write(t, filepath.Join(tmp, "cut.jsonl"), string(text[:len(text)-100]))
	fails(t, 1, "unexpected EOF (2 boards before it)", "import", "--dir", filepath.Join(tmp, "third"), cut)
	require.Contains(t, must(t, "import", "--dir", filepath.Join(tmp, "third"), first), "speedrun")
	fails(t, 1, "no such board", "export", "--dir", dir, "--format", "jsonl", filepath.Join(tmp, "c"), "nothing")
	require.NoFileExists(t, filepath.Join(tmp, "c"))
	fails(t, 2, "want rdb or jsonl", "export", "--dir", dir, "--format", "csv", "x")
	fails(t, 2, "boards are for --format jsonl", "export", "--dir", dir, "x", "arena")
	r := zrank(strings.NewReader(""), "export", "--dir", dir, "--format", "jsonl", "-", "ladder")
	require.Zero(t, r.code, r.errs)
	require.True(t, strings.HasPrefix(r.out, `{"board":{"name":"ladder"`))
}
