package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/cmd/zrank/internal/datadir"
	"github.com/zrankdb/zrank/engine"
)

// completed returns what a shell would offer for the last word of a command line.
func completed(t *testing.T, args ...string) (offers []string) {
	t.Helper()
	r := zrank(nil, append([]string{"__complete"}, args...)...)
	require.Zero(t, r.code, r.errs)
	require.Equal(t, 1, strings.Count(r.errs, "\n"), r.errs) // cobra's own line, which shells drop
	for line := range strings.Lines(r.out) {
		if strings.HasPrefix(line, ":") {
			return offers
		}
		offer, _, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		offers = append(offers, offer)
	}
	t.Fatalf("no directive: %s", r.out)
	return nil
}

// TestCompletion completes boards, windows and periods of a directory, and values of flags.
func TestCompletion(t *testing.T) {
	dir := played(t)
	require.NoError(t, datadir.Open(dir, datadir.Existing, func(d *datadir.Data) error {
		_, err := d.Boards.Define(t.Context(), board.Spec{Name: "empty", Windows: []board.Window{board.Day}})
		return err
	}))
	for _, command := range []string{"top", "rank", "around", "score", "history", "periods", "close", "settle", "awards"} {
		require.Equal(t, []string{"empty", "x"}, completed(t, command, "--dir", dir, ""), command)
		require.Equal(t, []string{"all", "week"}, completed(t, command, "--dir", dir, "x", "--window", ""), command)
	}
	require.Equal(t, []string{"empty", "x"}, completed(t, "claim", "--dir", dir, ""))
	require.Equal(t, []string{"all", "day", "week"}, completed(t, "top", "--dir", dir, "--window", ""))
	require.Equal(t, []string{"2026-W47", "2026-W48", "last", "latest"}, completed(t, "top", "--dir", dir, "--window", "week", "x", "--period", ""))
	require.Equal(t, []string{"2026-W47", "2026-W48", "last", "latest"}, completed(t, "top", "--dir", dir, "--window", "week", "x", "--since", ""))
	require.Equal(t, []string{"all", "last", "latest"}, completed(t, "top", "--dir", dir, "x", "--period", ""))
	require.Equal(t, []string{"table", "csv", "json"}, completed(t, "boards", "--format", ""))
	require.Equal(t, []string{"ordinal", "competition", "modified", "dense"}, completed(t, "top", "--ranks", ""))
	require.Equal(t, []string{"sync", "interval", "none"}, completed(t, "serve", "--durability", ""))
	require.Contains(t, completed(t, "awards", "--state", ""), "withheld")
	require.Equal(t, shells, completed(t, "completion", ""))
	require.Contains(t, completed(t, "help", ""), "salvage")
	require.Empty(t, completed(t, "help", "top", ""))
	require.Empty(t, completed(t, "top", "--dir", dir, "x", ""), "no second argument")
	require.Empty(t, completed(t, "rank", "--dir", dir, "x", ""), "members are not listed")
	require.Empty(t, completed(t, "boards", ""))
	for _, shell := range shells {
		require.Contains(t, must(t, "completion", shell), "zrank")
	}
}

// TestCompletionAsks: completion of names asks the server that --addr names, with its key, as it reads the directory that --dir names.
func TestCompletionAsks(t *testing.T) {
	dir := played(t)
	words := [][]string{{"top", "AT", ""}, {"rank", "AT", "x", "--window", ""}, {"top", "AT", "--window", "week", "x", "--period", ""}, {"top", "AT", "--window", "week", "x", "--since", ""},
		{"union", "AT", "--window", "week", "x", "--from", ""}, {"union", "AT", "x", "--window", ""}, {"groups", "among", "AT", "guild", "wolves", ""}, {"groups", "list", "AT", ""}, {"follow", "AT", "--board", ""}}
	at := func(words []string, where ...string) []string {
		i := slices.Index(words, "AT")
		return completed(t, slices.Concat(words[:i], where, words[i+1:])...)
	}
	must(t, "groups", "define", "--dir", dir, "guild")
	var want [][]string
	for _, w := range words {
		want = append(want, at(w, "--dir", dir))
		require.NotEmpty(t, want[len(want)-1], w)
	}
	keys := write(t, filepath.Join(t.TempDir(), "keys"), "dash read "+readSecret+"\n")
	s := startServer(t, "--dir", dir, "--api-keys", keys)
	for i, w := range words {
		require.Equal(t, want[i], at(w, "--addr", s.api, "--key", readSecret), w)
		require.Empty(t, at(w, "--addr", s.api, "--key", allSecret), w)
	}
	s.stop()
}

// TestCompletionIsQuiet: completion offers nothing without a directory, for one with other contents, and for one that a process has open.
func TestCompletionIsQuiet(t *testing.T) {
	tmp := t.TempDir()
	require.Empty(t, completed(t, "top", "--dir", filepath.Join(tmp, "none"), ""))
	require.NoDirExists(t, filepath.Join(tmp, "none"))
	require.Empty(t, completed(t, "top", "--dir", tmp, ""))
	write(t, filepath.Join(tmp, "foreign"), "text")
	require.Empty(t, completed(t, "top", "--dir", tmp, ""))
	dir := filepath.Join(tmp, "data")
	end := inUse(t, dir)
	require.Empty(t, completed(t, "top", "--dir", dir, ""))
	require.Empty(t, completed(t, "top", "--dir", dir, "main", "--window", ""))
	end()
	require.Equal(t, []string{"main"}, completed(t, "top", "--dir", dir, ""))
}

// TestCompletionClosesNothing: completion closes no period that is due, and changes no file of the store.
func TestCompletionClosesNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	commits := func() (last uint64) {
		require.NoError(t, datadir.OpenEngine(dir, datadir.Existing, func(e *engine.Engine) error { last = e.LastSeq(); return nil }))
		return last
	}
	spec := write(t, filepath.Join(t.TempDir(), "spec.json"), `{"name": "x", "windows": ["day+1h"]}`)
	must(t, "replay", "--dir", dir, "--spec", spec, write(t, filepath.Join(t.TempDir(), "in.csv"), "time,member,score\n2026-11-20T10:00:00Z,a,1\n"))
	setTime(t, dir, "2026-11-22T00:00:00Z")
	before := commits()
	require.Equal(t, []string{"2026-11-20", "last", "latest"}, completed(t, "top", "--dir", dir, "--window", "day", "x", "--period", ""))
	require.Equal(t, before, commits())
	must(t, "periods", "--dir", dir, "x")
	require.Greater(t, commits(), before, "opening the directory as periods does closes it")
}
