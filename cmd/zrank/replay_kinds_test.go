package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// kinds are boards of every kind: a spec, rows, and the tables after them.
var kinds = map[string]struct{ spec, rows, want string }{
	"rolling": {
		`{"name": "x", "op": "sum", "windows": [{"name": "3h", "kind": "rolling", "span": "3h"}]}`,
		"time,member,delta\n2026-11-20T12:00:00Z,ada,5\n2026-11-20T13:00:00Z,bea,3\n2026-11-20T14:00:00Z,ada,1\n2026-11-20T15:30:00Z,cyd,2\n",
		"member,score\nx,3h,all,1,bea,3\nx,3h,all,2,cyd,2\nx,3h,all,3,ada,1\n",
	},
	"rolling, removal": {
		`{"name": "x", "op": "sum", "windows": [{"name": "3h", "kind": "rolling", "span": "3h"}]}`,
		"time,member,delta,op\n2026-11-20T12:00:00Z,ada,5,\n2026-11-20T13:00:00Z,bea,3,\n2026-11-20T13:30:00Z,ada,,remove\n2026-11-20T14:00:00Z,ada,1,\n",
		"member,score\nx,3h,all,1,bea,3\nx,3h,all,2,ada,1\n",
	},
	"top": {
		`{"name": "x", "top": {"n": 2, "reserve": 1}}`,
		"time,member,score,op\n1,ada,9,submit\n2,bea,8,submit\n3,cyd,7,submit\n4,dan,6,\n5,ada,,remove\n6,nobody,,remove\n",
		"member,score\nx,all,all,1,bea,8\nx,all,all,2,cyd,7\n",
	},
	"parts": {
		`{"name": "x", "op": "sum", "parts": 4}`,
		"time,member,delta,op\n1,ada,1,\n2,bea,2,\n3,ada,4,\n4,cyd,9,\n5,cyd,-,remove\n",
		"member,score\nx,all,all,1,ada,5\nx,all,all,2,bea,2\n",
	},
	"part members": {
		`{"name": "x", "op": "sum", "partMembers": 1}`,
		"time,member,delta,op\n1,ada,1,\n2,bea,2,\n3,ada,4,\n4,cyd,9,\n5,dan,7,\n6,cyd,-,remove\n7,eve,8,\n8,dan,-,remove\n9,ada,1,\n",
		"member,score\nx,all,all,1,eve,8\nx,all,all,2,ada,6\nx,all,all,3,bea,2\n",
	},
	"bestof":    {`{"name": "x", "op": "bestof", "k": 2}`, "time,member,score\n1,ada,5\n2,ada,4\n3,ada,6\n", "member,score\nx,all,all,1,ada,11\n"},
	"lastof":    {`{"name": "x", "op": "lastof", "k": 2}`, "time,member,score\n1,ada,5\n3,ada,6\n2,ada,4\n", "member,score\nx,all,all,1,ada,10\n"},
	"dropworst": {`{"name": "x", "op": "dropworst", "k": 1}`, "time,member,score\n1,ada,5\n2,ada,4\n3,ada,6\n", "member,score\nx,all,all,1,ada,11\n"},
	"bestof, removal": {
		`{"name": "x", "op": "bestof", "k": 2}`,
		"time,member,score,op\n1,ada,5,\n2,ada,4,\n3,ada,,remove\n4,ada,1,\n", "member,score\nx,all,all,1,ada,1\n",
	},
	"wide": {
		`{"name": "x", "columns": [{"name": "a"}, {"name": "b", "min": 0, "max": 9}, {"name": "c", "order": "asc"}, {"name": "d", "min": 0, "max": 1},
			{"name": "e", "min": -5, "max": 5}, {"name": "f", "min": 0, "max": 99, "order": "asc"}]}`,
		"time,f,e,d,c,b,a,member\n1,50,-1,0,7,3,1,ada\n2,49,-1,0,7,3,1,bea\n", "member,a,b,c,d,e,f\nx,all,all,1,bea,1,3,7,0,-1,49\nx,all,all,2,ada,1,3,7,0,-1,50\n",
	},
	"decimals": {
		`{"name": "x", "op": "sum", "columns": [{"name": "score", "decimals": 2}]}`,
		"time,member,score\n1,ada,1.14\n2,ada,0.56\n3,ada,1\n", "member,score\nx,all,all,1,ada,2.70\n",
	},
	"absent": {
		`{"name": "x", "op": "sum", "columns": [{"name": "points"}, {"name": "bonus", "absent": "last"}, {"name": "laps", "order": "asc", "absent": "first", "op": "min"}]}`,
		"time,member,points,bonus,laps\n1,ada,3,,9\n2,bea,3,0,-\n3,ada,0,,4\n4,cyd,3,0,2\n",
		"member,points,bonus,laps\nx,all,all,1,bea,3,0,-\nx,all,all,2,cyd,3,0,2\nx,all,all,3,ada,3,-,4\n",
	},
	"absent, one column": {
		`{"name": "x", "op": "max", "columns": [{"absent": "last"}]}`,
		"time,member,delta\n1,ada,\n2,bea,-4\n", "member,score\nx,all,all,1,bea,-4\nx,all,all,2,ada,-\n",
	},
	"computed": {
		`{"name": "x", "op": "sum", "columns": [{"name": "heat", "of": {"likes": 1, "gifts": 10, "minutes": 0.5}}, {"name": "likes"}, {"name": "gifts"}, {"name": "minutes", "absent": "last"}]}`,
		"time,member,likes,gifts,minutes\n1,ada,5,1,3\n2,bea,0,2,\n3,ada,4,0,\n",
		"member,heat,likes,gifts,minutes\nx,all,all,1,ada,20.5,9,1,3\nx,all,all,2,bea,20.0,0,2,-\n",
	},
}

// TestReplayKinds replays rows into boards of every kind. Replay, top and rank show the same rows, and a second replay changes nothing.
func TestReplayKinds(t *testing.T) {
	for name, k := range kinds {
		t.Run(name, func(t *testing.T) {
			tmp := t.TempDir()
			dir := filepath.Join(tmp, "data")
			args := []string{"replay", "--dir", dir, "--format", "csv", "--spec", write(t, filepath.Join(tmp, "spec.json"), k.spec), write(t, filepath.Join(tmp, "in.csv"), k.rows)}
			want := "board,window,period,rank," + k.want
			require.Equal(t, want, must(t, args...))
			require.Equal(t, want, must(t, args...))
			require.Equal(t, want, must(t, "top", "--dir", dir, "--format", "csv", "x"))
			lines := strings.SplitAfter(want, "\n")
			for _, line := range lines[1 : len(lines)-1] {
				require.Equal(t, lines[0]+line, must(t, "rank", "--dir", dir, "--format", "csv", "x", strings.Split(line, ",")[4]))
			}
		})
	}
}

// TestWrongRows: a row that is wrong ends the replay with one line, after the rows before it; the rest is read once it is mended or skipped.
func TestWrongRows(t *testing.T) {
	const spec = `{"name": "x", "op": "sum", "columns": [{"name": "points"}, {"name": "bonus", "absent": "last"}]}`
	const head, good = "time,member,points,bonus,op\n", "1,ada,1,2,\n"
	for row, why := range map[string]string{
		"2,ada,,2,":              "in.csv:3: points is missing",
		"2,ada,-,2,":             "in.csv:3: points is missing",
		"2,ada,,,":               "in.csv:3: points is missing",
		"2,ada,1,x,":             `in.csv:3: bonus "x" is not a number`,
		"2,ada,1,2,drop":         `in.csv:3: op is "drop", want submit, remove or nothing`,
		"2,ada,1,2,Remove":       `in.csv:3: op is "Remove", want`,
		"2,ada,1,,remove":        `in.csv:3: a row that removes its member has no score, but here points is "1"`,
		"2,ada,,x,remove":        `in.csv:3: a row that removes its member has no score, but here bonus is "x"`,
		"2,,,,remove":            "in.csv:3: member is empty",
		"yesterday,ada,,,remove": `in.csv:3: time "yesterday"`,
	} {
		tmp := t.TempDir()
		dir, in := filepath.Join(tmp, "data"), filepath.Join(tmp, "in.csv")
		args := []string{"replay", "--dir", dir, "--format", "csv", "--spec", write(t, filepath.Join(tmp, "spec.json"), spec), write(t, in, head+good+row+"\n3,ada,4,,submit\n")}
		fails(t, 1, why, args...)
		require.Equal(t, "1 2\n", must(t, "score", "--dir", dir, "x", "ada"), row)
		r := zrank(nil, append(args, "--skip-bad")...)
		require.Zero(t, r.code, r.errs)
		require.Contains(t, r.errs, "1 bad rows skipped")
		require.Equal(t, "5 2\n", must(t, "score", "--dir", dir, "x", "ada"), row)
	}
}

// TestAbsentOnOneBoard: of two boards with the same columns, only the one with absent takes rows that leave the column out.
func TestAbsentOnOneBoard(t *testing.T) {
	tmp := t.TempDir()
	dir := filepath.Join(tmp, "data")
	spec := write(t, filepath.Join(tmp, "spec.json"), `[{"name": "x", "columns": [{"name": "a"}, {"name": "b", "absent": "last"}]}, {"name": "y", "columns": [{"name": "a"}, {"name": "b"}]}]`)
	in := write(t, filepath.Join(tmp, "in.csv"), "time,board,member,a,b\n1,x,ada,1,\n2,y,ada,1,\n3,z,ada,,2\n")
	fails(t, 1, `in.csv:3: board: column has no value: - in column "b"`, "replay", "--dir", dir, "--spec", spec, in)
	require.Equal(t, "1 -\n", must(t, "score", "--dir", dir, "x", "ada"))
}
