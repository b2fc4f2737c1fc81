package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestMain lets the test program be the child process of a configuration: see newDiskDir.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == childCommand {
		os.Exit(run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// call runs a command line.
func call(t *testing.T, args ...string) (code int, out, errs string) {
	var o, e bytes.Buffer
	code = run(t.Context(), args, strings.NewReader(""), &o, &e)
	return code, o.String(), e.String()
}

// TestCampaign runs two layers for a moment.
func TestCampaign(t *testing.T) {
	code, out, errs := call(t, "--for", "100ms", "--seed", "3", "--lines", "20", "--workers", "2", "--config", "zset", "--config", "engine/mem*", "--out", t.TempDir())
	require.Zero(t, code, "%s%s", out, errs)
	require.Contains(t, out, "engine/memory")
	require.NotContains(t, out, "engine/sync")
	require.Contains(t, out, " configurations in ")
	require.Contains(t, errs, "scripts of 20 lines, 2 at a time, for 100ms\n")
}

// TestPrintAndRun: run replays a script that print has printed.
func TestPrintAndRun(t *testing.T) {
	code, out, errs := call(t, "print", "--seed", "7", "--config", "engine/memory", "--lines", "30")
	require.Zero(t, code, errs)
	_, again, _ := call(t, "print", "--seed", "7", "--config", "engine/memory", "--lines", "30")
	require.Equal(t, out, again)
	file := filepath.Join(t.TempDir(), "script")
	require.NoError(t, os.WriteFile(file, []byte(out), 0o600))
	code, out, errs = call(t, "run", file)
	require.Zero(t, code, "%s%s", out, errs)
	require.Contains(t, out, "ok engine/memory: 1 run in ")
	require.NoError(t, os.WriteFile(file, []byte("add a m 1\nrank a m\n"), 0o600))
	code, out, errs = call(t, "run", "--verbose", "--times", "2", "--config", "zset/entries=1,member=0", file)
	require.Zero(t, code, "%s%s", out, errs)
	require.Contains(t, out, "   2  rank a m                                  0 0 true\n")
}

// TestList lists everything.
func TestList(t *testing.T) {
	code, out, errs := call(t, "list")
	require.Zero(t, code, errs)
	for _, text := range []string{"disk/sync", "kill every 37", "board/memory", "fill", "removes a member"} {
		require.Contains(t, out, text)
	}
}

// TestCombinations counts the same combinations each time.
func TestCombinations(t *testing.T) {
	code, out, errs := call(t, "combinations", "--seed", "7", "--scripts", "40", "--lines", "30")
	require.Zero(t, code, errs)
	_, again, _ := call(t, "combinations", "--seed", "7", "--scripts", "40", "--lines", "30")
	require.Equal(t, out, again)
	for _, text := range []string{"dropworst", "hidden yes", " of 5,616 combinations that are allowed", "why Define refuses 2,160 combinations", "feed: the board is in parts"} {
		require.Contains(t, out, text)
	}
}

// TestMistakes: each wrong call and each failure gives an error of one line, and its exit code.
func TestMistakes(t *testing.T) {
	file := filepath.Join(t.TempDir(), "script")
	require.NoError(t, os.WriteFile(file, []byte("# About.\n# config nobody\nadd a m 1\n"), 0o600))
	bad := file + ".bad"
	require.NoError(t, os.WriteFile(bad, []byte("add a m 1\nad a m 1\n"), 0o600))
	for _, row := range []struct {
		args string
		code int
		says string
	}{
		{"--nosuch", 2, "unknown flag"},
		{"nosuch", 2, "unknown command"},
		{"--for 0s", 2, "above zero"},
		{"--config engin", 2, `no configuration is called "engin"`},
		{"--config nobody", 2, `no configuration is called "nobody"`},
		{"--config [", 2, "syntax error in pattern"},
		{"run", 2, "accepts 1 arg"},
		{"run --times 0 " + file, 2, "above zero"},
		{"run " + file, 1, `"nobody"`},
		{"run " + file + ".not", 1, "no such file"},
		{"run " + bad, 1, `line 2: no operation is called "ad"`},
		{"--out " + file, 2, "not a directory"},
		{"--out " + file + ".not", 2, "no such file"},
		{"print --lines 0", 2, "above zero"},
		{"combinations --scripts 0", 2, "above zero"},
		{"serve-process nobody dir 0", 1, `"nobody"`},
	} {
		code, _, errs := call(t, strings.Fields(row.args)...)
		require.Equal(t, row.code, code, row.args)
		require.Contains(t, errs, row.says, row.args)
		require.Equal(t, 1, strings.Count(errs, "\n"), "%s: %s", row.args, errs)
		require.True(t, strings.HasPrefix(errs, "zrankfuzz: "), errs)
	}
}
