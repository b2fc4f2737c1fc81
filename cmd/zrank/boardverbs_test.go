package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestBoardVerbs: the verbs that are made from the table do what they say, in a directory, with the arguments and flags of their words, and refuse others.
func TestBoardVerbs(t *testing.T) {
	tmp := t.TempDir()
	dir := filepath.Join(tmp, "data")
	in := write(t, filepath.Join(tmp, "in.csv"), "time,member,score\n2026-11-20T10:00:00Z,ada,5\n2026-11-20T11:00:00Z,bea,7\n2026-11-20T12:00:00Z,\xff,9\n")
	must(t, "replay", "--dir", dir, "--window", "all,week", "--board", "arena", in)
	csv := func(name string, args ...string) string {
		return must(t, append([]string{"board", name, "--dir", dir, "--format", "csv"}, args...)...)
	}
	require.Equal(t, "board,window,period,rank,member,score\narena,all,all,1,\xff,9\narena,all,all,2,bea,7\n", csv("places", "arena", "1", "2.0"))
	require.Equal(t, "board,window,period,rank,member,score\narena,all,all,3,ada,5\n", csv("places", "arena", "--", "-1", "-1"))
	require.Equal(t, "n\n2\n", csv("count", "--best", "9", "--worst", "7", "arena"))
	require.Equal(t, "ahead,top\n50,67\n", csv("percentile", "arena", "bea"))
	require.Equal(t, "board,window,period,rank,member,score\narena,all,all,1,\xff,9\n", csv("atpercentile", "arena", "10"))
	require.Equal(t, "board,window,period,local,rank,member,score\narena,all,all,1,1,\xff,9\narena,all,all,2,3,ada,5\n", csv("among", "--member", "ada", "--member", "base64:_w", "arena"))
	require.Equal(t, "best,worst,members\n9,7,2\n7,5,1\n", csv("histogram", "arena", "2"))
	require.Contains(t, must(t, "board", "card", "--dir", dir, "--top", "1", "--each", "0", "arena", "bea"), "arena · all · bea\n RANK  MEMBER  SCORE\n─────────────────────\n    2  bea         7\n")
	require.Equal(t, `{"moves":[{"window":"week","period":"2026-W47","after":{"rank":1,"member":"cy","score":[12],"reached":"2026-11-20T12:00:00Z"},"changed":true,"improved":true,"passed":3,"members":4}]}`+"\n",
		must(t, "board", "submit", "--dir", dir, "--format", "json", "--window", "week", "--if", "new", "arena", "cy", "12"))
	require.Contains(t, csv("remove", "arena", "cy"), "week,2026-W47,")
	require.Equal(t, "", csv("savebaseline", "arena", "start"))
	require.Equal(t, "name\nstart\n", csv("baselines", "arena"))
	require.Contains(t, csv("places", "--baseline", "start", "arena", "1", "1"), "1,\xff,9\n")
	require.Equal(t, "at\n2026-11-23T00:00:00Z\n", csv("nextreset", "--window", "week", "arena"))
	require.Equal(t, "nothing\n", must(t, "board", "nextreset", "--dir", dir, "arena"))
	require.Contains(t, must(t, "board"), "histogram")

	require.Contains(t, csv("submit", "--once", "k", "arena", "cy", "1"), "duplicate,skipped\n")
	require.Contains(t, csv("submit", "--once", "k", "arena", "cy", "1"), ",true,\n")
	require.Contains(t, csv("submit", "--if", "new", "arena", "cy", "1"), ",true\n")
	require.Regexp(t, ` more: --cursor \S+\n$`, must(t, "board", "page", "--dir", dir, "-n", "1", "arena"))
	require.Equal(t, 5, strings.Count(csv("between", "arena"), "\n"))
	require.Equal(t, "at\n2026-11-24T00:00:00Z\n", must(t, "board", "deadline", "--dir", deadlineData(t), "--format", "csv", "daily"), "by the clock of the directory")
	require.Contains(t, must(t, "board", "banall", "--dir", dir, "--dry-run", "bea"), "arena · bea would be banned: 2 places (dry run)\n")
	fails(t, 2, `want --yes: "arena" and all its periods would be gone`, "board", "drop", "--dir", dir, "arena")
	fails(t, 2, `unknown command "nope"`, "board", "nope")
	fails(t, 1, "board: no such board", "board", "count", "--dir", dir, "none")
	fails(t, 1, `board: member is not ranked: "nobody"`, "board", "gap", "--dir", dir, "arena", "nobody")
	fails(t, 2, `FIRST is "x"`, "board", "places", "--dir", dir, "arena", "x", "1")
	fails(t, 2, `SCORE is "y"`, "board", "submit", "--dir", dir, "arena", "ada", "y")
	fails(t, 2, `--at is "soon"`, "board", "submit", "--dir", dir, "--at", "soon", "arena", "ada", "1")
	fails(t, 2, "takes BOARD MEMBER SCORE, not 2 arguments", "board", "submit", "--dir", dir, "arena", "ada")
	require.Equal(t, 4, strings.Count(must(t, "top", "--dir", dir, "--format", "csv", "arena"), "arena,all,"))
}

// deadlineData returns a directory that lives in the time of its data, 23 November 2026.
func deadlineData(t *testing.T) string {
	tmp := t.TempDir()
	dir, spec := filepath.Join(tmp, "data"), write(t, filepath.Join(tmp, "spec.json"), `{"name": "daily", "windows": ["day"]}`)
	must(t, "replay", "--dir", dir, "--spec", spec, write(t, filepath.Join(tmp, "in.csv"), "time,member,score\n2026-11-23T10:00:00Z,ada,5\n"))
	return dir
}
