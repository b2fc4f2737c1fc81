package main

import (
	"bufio"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/cmd/zrank/internal/specs"
)

// TestLook runs all commands that read a small board, in every format.
func TestLook(t *testing.T) {
	tmp := t.TempDir()
	dir := filepath.Join(tmp, "data")
	path := write(t, filepath.Join(tmp, "in.csv"), "time,board,member,delta\n"+
		"2026-11-20T10:00:00Z,x,ada,5\n2026-11-20T11:00:00Z,x,bea,7\n2026-11-27T11:00:00Z,x,cid,6\n2026-11-27T12:00:00Z,y/z,dan,1\n")
	must(t, "replay", "--dir", dir, "--window", "all,week", path)

	require.Equal(t, "board,window,period,rank,member,score\nx,all,all,1,bea,7\nx,all,all,2,cid,6\n",
		must(t, "top", "--dir", dir, "-n", "2", "--format", "csv", "x"))
	require.Equal(t, `{"board":"x","window":"week","period":"2026-W48","rank":1,"member":"cid","score":[6],"reached":"2026-11-27T11:00:00Z"}`+"\n",
		must(t, "top", "--dir", dir, "--window", "week", "--format", "json", "x"), "the latest period")
	require.Equal(t, `{"board":"x","window":"week","period":"2026-W47","rank":2,"member":"ada","score":[5],"reached":"2026-11-20T10:00:00Z"}`+"\n",
		must(t, "rank", "--dir", dir, "--window", "week", "--period", "2026-W47", "--format", "json", "x", "ada"))
	require.Equal(t, "board,window,period,rank,member,score\nx,all,all,1,bea,7\nx,all,all,2,cid,6\nx,all,all,3,ada,5\n",
		must(t, "around", "--dir", dir, "-n", "1", "--format", "csv", "x", "bea"), "full size at the edge")
	require.Equal(t, "5\n", must(t, "score", "--dir", dir, "x", "ada"))
	require.Contains(t, must(t, "score", "--dir", dir, "--format", "json", "x", "ada"), `"score":[5],`)
	require.Contains(t, must(t, "top", "--dir", dir, "y/z"), "dan")

	var stored []board.Spec
	for line := range strings.Lines(must(t, "boards", "--dir", dir, "--format", "json")) {
		var info boardInfo
		require.NoError(t, json.Unmarshal([]byte(line), &info))
		require.Positive(t, info.Memory)
		stored = append(stored, info.Spec)
	}
	require.Len(t, stored, 2)
	text, err := json.Marshal(stored)
	require.NoError(t, err)
	read, array, err := specs.ReadFile(write(t, filepath.Join(tmp, "specs.json"), string(text)))
	require.NoError(t, err)
	require.True(t, array)
	require.Equal(t, stored, read, "what boards prints is what --spec reads")
	require.Contains(t, must(t, "boards", "--dir", dir, "--format", "csv"), "x,score:desc,sum,first,all week+forever,3,3,")
	require.Contains(t, must(t, "boards", "--dir", dir), "y/z")
}

// TestControlCharacters: names that would clear the screen are refused as boards, and escaped as members and in errors.
func TestControlCharacters(t *testing.T) {
	tmp := t.TempDir()
	dir := filepath.Join(tmp, "data")
	fails(t, 1, `\x1b[2J`, "replay", "--dir", dir, write(t, filepath.Join(tmp, "in.csv"), "time,board,member,delta\n1,\"a\x1b[2J\nb\",ada,5\n"))
	must(t, "replay", "--dir", dir, write(t, filepath.Join(tmp, "in.csv"), "time,board,member,delta\n1,a,\"\x1b[2J\",5\n"))
	require.Contains(t, must(t, "top", "--dir", dir, "a"), `\x1b[2J`)
	fails(t, 1, `\x1b`, "top", "--dir", dir, "a\x1b[31m")
}

// TestHelp has every command explain itself.
func TestHelp(t *testing.T) {
	help := must(t, "help")
	for _, name := range []string{"demo", "replay", "boards", "top", "rank", "around", "score", "periods", "history", "close", "migrate"} {
		require.Contains(t, help, name)
		require.Contains(t, must(t, name, "--help"), "--dir")
	}
}

// inUse starts a process that has the directory open in the middle of a replay. end lets the replay end.
func inUse(t *testing.T, dir string) (end func()) {
	c := process("replay", "--dir", dir, "--skip-bad", "-")
	in, err := c.StdinPipe()
	require.NoError(t, err)
	errs, err := c.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, c.Start())
	in.Write([]byte("time,member,delta\n1,ada,2\nbad\n" + strings.Repeat("1,ada,2\n", 50_000)))
	line, err := bufio.NewReader(errs).ReadString('\n') // the report of the bad row
	require.NoError(t, err)
	require.Contains(t, line, "skipped")
	return func() {
		in.Close()
		require.NoError(t, c.Wait())
	}
}

// TestInUse: a second process gets an error that the directory is in use, and how to ask the program that has it.
func TestInUse(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	end := inUse(t, dir)
	fails(t, 1, ": if it has the HTTP API, ask it with --addr http://HOST:PORT", "top", "--dir", dir, "main")
	end()
	require.Equal(t, "100002\n", must(t, "score", "--dir", dir, "main", "ada"))
}
