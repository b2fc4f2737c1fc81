package main

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// closeAs runs "zrank close" with an answer from a terminal, and returns its output.
func closeAs(t *testing.T, answer string, args ...string) (out string, err error) {
	t.Helper()
	c := closeCommand(func(any) bool { return true })
	var text, errs bytes.Buffer
	c.SetArgs(args)
	c.SetIn(strings.NewReader(answer))
	c.SetOut(&text)
	c.SetErr(&errs)
	c.SilenceUsage, c.SilenceErrors = true, true
	err = c.ExecuteContext(t.Context())
	return text.String(), err
}

// TestCloseAsks: close needs --window and a yes, at the terminal or by --yes.
func TestCloseAsks(t *testing.T) {
	dir := played(t)
	fails(t, 2, `--window is missing: "x" has week`, "close", "--dir", dir, "x")
	fails(t, 2, `--window is missing: "x" has week`, "close", "--dir", dir, "--yes", "x")
	fails(t, 2, "say --yes", "close", "--dir", dir, "--window", "week", "x")
	fails(t, 1, "no such board", "close", "--dir", dir, "--window", "week", "--yes", "y")
	fails(t, 1, "no such window", "close", "--dir", dir, "--window", "day", "--yes", "x")
	const plan = "x · week · 2026-W47: 2 members, ends 2026-11-23T00:00:00Z\n" +
		"x · week · 2026-W48: 1 member, ends 2026-11-30T00:00:00Z\n" +
		"Once closed, x refuses every result from before 2026-11-30T00:00:00Z, in all its windows: all, week.\n"
	require.Equal(t, plan, must(t, "close", "--dir", dir, "--window", "week", "--dry-run", "x"))
	for _, answer := range []string{"", "\n", "n\n", "yess\n", "N"} {
		out, err := closeAs(t, answer, "--dir", dir, "--window", "week", "x")
		require.ErrorIs(t, err, errNotClosed, "%q", answer)
		require.Equal(t, plan, out)
	}
	require.Equal(t, "period,start,end,members,rank,member,score,best\n", must(t, "history", "--dir", dir, "--format", "csv", "x"))

	out, err := closeAs(t, "Yes\n", "--dir", dir, "--window", "week", "x")
	require.NoError(t, err)
	require.Equal(t, plan+"x · week · 2026-W48 is closed\n", out)
	require.Contains(t, must(t, "history", "--dir", dir, "--format", "csv", "x"), "2026-W48,")
	require.Equal(t, "x · week: nothing is open\n", must(t, "close", "--dir", dir, "--window", "week", "--yes", "x"))
	path := write(t, filepath.Join(t.TempDir(), "in.csv"), "time,board,member,delta\n2026-11-29T23:00:00Z,x,ada,5\n")
	fails(t, 1, "period is closed: 2026-W48", "replay", "--dir", dir, "--window", "all,week", path)
}

// TestCloseStops: close closes nothing if the context ends before an answer.
func TestCloseStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	in, answer := neverRead{make(chan struct{})}, ""
	answer = readLine(ctx, in)
	close(in.end)
	require.Empty(t, answer)
}

// neverRead is a reader whose Read returns when end is closed.
type neverRead struct{ end chan struct{} }

func (r neverRead) Read([]byte) (int, error) { <-r.end; return 0, context.Canceled }

// TestCloseEmptySeason closes a live season without members, and a season that has ended and takes late results.
func TestCloseEmptySeason(t *testing.T) {
	tmp := t.TempDir()
	spec := write(t, filepath.Join(tmp, "spec.json"), `{"name": "x", "windows": ["all", {"kind": "seasons", "grace": "100h", "seasons": [
		{"name": "s1", "start": "2026-01-01", "end": "2026-02-01"}, {"name": "s2", "start": "2026-03-01", "end": "2026-04-01"}]}]}`)
	for _, c := range []struct{ at, plan string }{
		{"2026-01-15T00:00:00Z", "x · seasons · s1: 1 member, ends 2026-02-01T00:00:00Z\n"},
		{"2026-02-02T00:00:00Z", "x · seasons · s1: 1 member, ends 2026-02-01T00:00:00Z\n"},
		{"2026-03-02T00:00:00Z", "x · seasons · s2: 0 members, ends 2026-04-01T00:00:00Z\n"},
	} {
		dir := filepath.Join(tmp, c.at)
		rows := "time,member,score\n2026-01-15T00:00:00Z,a,1\n" + c.at + ",b,x\n"
		zrank(nil, "replay", "--dir", dir, "--spec", spec, "--skip-bad", write(t, filepath.Join(tmp, "in.csv"), rows))
		setTime(t, dir, c.at)
		require.Contains(t, must(t, "close", "--dir", dir, "--window", "seasons", "--dry-run", "x"), c.plan)
		require.Contains(t, must(t, "close", "--dir", dir, "--window", "seasons", "--yes", "x"), "is closed\n")
		r := zrank(nil, "close", "--dir", dir, "--window", "seasons", "--yes", "x")
		require.NotContains(t, r.out, "is closed\n", c.at)
	}
}
