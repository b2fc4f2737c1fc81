package main

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/traces"
)

// TestCompact: after compact no file of a directory has the name of a member that was removed, and the others are as before.
func TestCompact(t *testing.T) {
	tmp, name := t.TempDir(), traces.Name(7, 40)
	dir := filepath.Join(tmp, "data")
	must(t, "replay", "--dir", dir, "--window", "all,day#0", "--op", "sum", "--top", "0", write(t, filepath.Join(tmp, "in.csv"),
		"time,board,member,delta,op\n2026-11-20T10:00:00Z,x,ada,5,\n2026-11-20T11:00:00Z,x,"+name+",7,\n2026-11-20T11:00:01Z,x,"+name+",,remove\n"))
	traced := func() []traces.Trace {
		found, err := traces.FindOnDisk(dir, name)
		require.NoError(t, err)
		return found
	}
	require.NotEmpty(t, traced())
	var sum compacted
	require.NoError(t, json.Unmarshal([]byte(must(t, "compact", "--dir", dir, "--format", "json")), &sum))
	require.Empty(t, traced())
	require.Equal(t, dir, sum.Dir)
	require.Positive(t, sum.Before)
	require.Positive(t, sum.After)
	require.Contains(t, must(t, "compact", "--dir", dir), "BEFORE")
	require.Equal(t, "board,window,period,rank,member,score\nx,all,all,1,ada,5\n", must(t, "top", "--dir", dir, "--format", "csv", "x"))
	require.Regexp(t, `(?m)^problems +none$`, must(t, "check", "--dir", dir))
	require.Empty(t, traced())
	fails(t, 1, "not a zrank store", "compact", "--dir", dir+"-none")
	fails(t, 2, "zrank compact takes", "compact", dir)
	fails(t, 2, "format", "compact", "--dir", dir, "--format", "xml")
}
