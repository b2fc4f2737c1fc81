package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board/feed"
)

// TestFollow: replayed results are events; they are chosen by flags, go on behind a position, and end cleanly at an interrupt.
func TestFollow(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	spec := filepath.Join(t.TempDir(), "spec.json")
	require.NoError(t, os.WriteFile(spec, []byte(`{"name": "arena", "op": "sum", "windows": ["all", "day"], "feed": {"top": 2}}`), 0o600))
	in := filepath.Join(t.TempDir(), "in.csv")
	require.NoError(t, os.WriteFile(in, []byte("time,member,delta\n2026-11-20T10:00:00Z,ada,3\n2026-11-20T11:00:00Z,bob,5\n2026-11-20T12:00:00Z,\xff,4\n"), 0o600))
	must(t, "replay", "--dir", dir, "--spec", spec, in)
	leaders := must(t, "follow", "--dir", dir, "--once", "--window", "all", "--kind", "leader,overtaken")
	require.Len(t, strings.Split(strings.TrimSpace(leaders), "\n"), 4)
	for _, want := range []string{"leader  ada  rank 1", "leader  bob  other ada  rank 1", "overtaken  ada  by bob  rank 2  before 1  score 3"} {
		require.Contains(t, leaders, want)
	}
	text := must(t, "follow", "--dir", dir, "--once", "--json", "--window", "all")
	lines := strings.Split(strings.TrimSpace(text), "\n")
	require.Contains(t, text, `"member":"base64:_w"`)
	var third feed.Event
	require.NoError(t, json.Unmarshal([]byte(lines[2]), &third))
	require.Equal(t, strings.Join(lines[3:], "\n")+"\n", must(t, "follow", "--dir", dir, "--once", "--json", "--window", "all", "--from", third.Position.String()))
	require.Equal(t, "", must(t, "follow", "--dir", dir, "--once", "--from", "end"))
	require.NotEmpty(t, must(t, "follow", "--dir", dir, "--once", "--member", "base64:_w", "--kind", "submitted"))
	ctx, stop := context.WithCancel(t.Context())
	stop()
	var out, errs bytes.Buffer
	require.Zero(t, run(ctx, []string{"follow", "--dir", dir}, nil, &out, &errs), errs.String())
	for code, args := range map[int][]string{2: {"--kind", "x"}, 1: {"--from", "0000000000000001-5-0"}} {
		require.Equal(t, code, run(t.Context(), append([]string{"follow", "--once", "--dir", dir}, args...), nil, &out, &errs))
	}
}
