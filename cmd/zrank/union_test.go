package main

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestUnion: union shows one ranking of periods, and of boards with weights; stores it, shows it again, and drops it; check counts it.
func TestUnion(t *testing.T) {
	tmp := t.TempDir()
	dir := filepath.Join(tmp, "data")
	must(t, "replay", "--dir", dir, "--window", "all,day", write(t, filepath.Join(tmp, "in.csv"), "time,board,member,delta\n"+
		"2026-11-20T10:00:00Z,x,ada,5\n2026-11-21T11:00:00Z,x,bea,7\n2026-11-22T11:00:00Z,x,ada,6\n2026-11-22T12:00:00Z,y/z,dan,3\n"))
	const head = "board,window,period,rank,member,score\n"
	union := func(args ...string) string {
		return must(t, append([]string{"union", "--dir", dir, "--format", "csv"}, args...)...)
	}
	require.Equal(t, head+"x,union,,1,ada,11\nx,union,,2,bea,7\n", union("--window", "day", "--last", "3", "x"))
	require.Equal(t, head+"x,union,,1,bea,7\n", union("--window", "day", "--combine", "max", "--from", "2026-11-20", "-n", "1", "x"))
	require.Equal(t, head+"x+y/z,union,,1,ada,11.0\nx+y/z,union,,2,bea,7.0\nx+y/z,union,,3,dan,1.5\n", union("--weight", "1", "--weight", "0.5", "x", "y/z"))
	days := write(t, filepath.Join(tmp, "u.json"), `{"sources": [{"board": "x", "window": "day", "from": "2026-11-20", "to": "2026-11-21", "weights": [0.25]}]}`)
	want := head + "x,union,two days,1,bea,1.75\nx,union,two days,2,ada,1.25\n"
	require.Equal(t, want, union("--spec", days, "--store", "two days"))
	require.Equal(t, want, union("--stored", "two days"))
	require.Equal(t, `{"board":"x","window":"union","period":"two days","rank":1,"member":"bea","score":[1.75],"reached":"2026-11-21T11:00:00Z"}`+"\n",
		must(t, "union", "--dir", dir, "--format", "json", "-n", "1", "--stored", "two days"))
	require.Contains(t, must(t, "union", "--dir", dir, "--stored", "two days"), "x · union · two days")
	require.Contains(t, must(t, "union", "--dir", dir, "x", "y/z"), "x+y/z · union\n")
	fails(t, 1, "unknown field", "union", "--dir", dir, "--spec", write(t, filepath.Join(tmp, "bad.json"), `{"source": []}`))
	require.Contains(t, must(t, "check", "--dir", dir), "1 as they were stored")
	require.Empty(t, must(t, "union", "--dir", dir, "--drop", "--stored", "two days"))
	fails(t, 1, "no such stored union", "union", "--dir", dir, "--stored", "two days")
	fails(t, 1, "no such board", "union", "--dir", dir, "nobody")
	fails(t, 2, "want one of BOARD, --spec and --stored", "union", "--dir", dir)
	fails(t, 2, "--weight is", "union", "--dir", dir, "--weight", "much", "x")
	fails(t, 2, "times --weight", "union", "--dir", dir, "--weight", "1", "--weight", "2", "x")
	fails(t, 2, "--drop needs --stored", "union", "--dir", dir, "--drop", "x")
}
