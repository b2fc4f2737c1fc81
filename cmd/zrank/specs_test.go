package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/cmd/zrank/internal/specs"
	"github.com/zrankdb/zrank/internal/specschema"
)

// TestSchema: the command prints the schema, and files may name it.
func TestSchema(t *testing.T) {
	require.Equal(t, string(specschema.JSON), must(t, "schema"))
	tmp := t.TempDir()
	spec := write(t, filepath.Join(tmp, "spec.json"), `[{"$schema": "spec.schema.json", "name": "arena"}]`)
	in := write(t, filepath.Join(tmp, "in.csv"), "board,member,score,time\narena,ada,5,2026-11-07T12:00:00Z\n")
	must(t, "replay", "--dir", filepath.Join(tmp, "data"), "--spec", spec, in)
	require.Equal(t, "5\n", must(t, "score", "--dir", filepath.Join(tmp, "data"), "arena", "ada"))
}

// TestSpecPattern: the one spec of a spec file is the pattern for every board that the rows name.
func TestSpecPattern(t *testing.T) {
	tmp := t.TempDir()
	dir := filepath.Join(tmp, "data")
	spec := write(t, filepath.Join(tmp, "spec.json"), `{"name": "shop/main", "op": "sum", "columns": [{"name": "solved"}, {"name": "penalty", "order": "asc"}],
		"ties": "member", "windows": ["all", "week-sunday@America/New_York#1"]}`)
	in := write(t, filepath.Join(tmp, "in.csv"), "penalty,solved,board,member,time\n"+
		"10,1,shop/main,ada,2026-11-07T12:00:00Z\n5,1,shop/main,bea,2026-11-07T13:00:00Z\n20,2,other,cyd,2026-11-07T14:00:00Z\n"+
		"1,1,shop/main,ada,2026-11-15T04:59:59Z\n1,0,shop/main,bea,2026-11-15T05:00:00Z\n")
	require.Equal(t, `board,window,period,rank,member,solved,penalty
other,all,all,1,cyd,2,20
other,week,2026-11-01,1,cyd,2,20
shop/main,all,all,1,ada,2,11
shop/main,all,all,2,bea,1,6
shop/main,week,2026-11-08,1,ada,1,1
shop/main,week,2026-11-15,1,bea,0,1
`, must(t, "replay", "--dir", dir, "--spec", spec, "--format", "csv", in), "a week of New York ends at 05:00 UTC, and one closed week is kept")
	require.Equal(t, "2 11\n", must(t, "score", "--dir", dir, "shop/main", "ada"))
	require.Equal(t, `{"board":"shop/main","window":"all","period":"all","rank":1,"member":"ada","score":[2,11]}`+"\n",
		must(t, "rank", "--dir", dir, "--format", "json", "shop/main", "ada"))
	require.Contains(t, must(t, "top", "--dir", dir, "shop/main"), " RANK  MEMBER  SOLVED  PENALTY\n")
	require.Contains(t, must(t, "boards", "--dir", dir, "--format", "csv"),
		"shop/main,solved:desc penalty:asc,sum,member,all week-sunday@America/New_York#1,3,2,")
	fails(t, 1, "no such period", "top", "--dir", dir, "--window", "week", "--period", "2026-11-01", "shop/main")
	fails(t, 1, "2026-11-15", "top", "--dir", dir, "--window", "week", "--period", "2026-W47", "shop/main")
}

// TestSpecArray feeds the boards of the spec file and no others.
func TestSpecArray(t *testing.T) {
	tmp := t.TempDir()
	dir := filepath.Join(tmp, "data")
	spec := write(t, filepath.Join(tmp, "spec.json"), ` [{"name": "run", "columns": [{"name": "score", "kind": "float64", "order": "asc"}]}, {"name": "jump", "op": "max"}]`)
	in := write(t, filepath.Join(tmp, "in.csv"), "time,board,member,score\n1,run,ada,9.5\n2,run,ada,11\n3,jump,ada,7\n4,swim,ada,1\n5,,ada,1\n6,jump,bea,1.5\n7,jump,cyd,9\n")
	fails(t, 1, `in.csv:5: the spec file has no such board: "swim"`, "replay", "--dir", dir, "--spec", spec, in)
	r := zrank(nil, "replay", "--dir", dir, "--spec", spec, "--skip-bad", "--format", "csv", in)
	require.Zero(t, r.code, r.errs)
	require.Equal(t, "board,window,period,rank,member,score\njump,all,all,1,cyd,9\njump,all,all,2,ada,7\nrun,all,all,1,ada,9.5\n", r.out)
	for _, why := range []string{`in.csv:5: the spec file`, `in.csv:6: board is empty`, `in.csv:7: board: value of the wrong kind`,
		"takes fractions", "3 bad rows skipped"} {
		require.Contains(t, r.errs, why)
	}
	write(t, spec, `[{"name": "run", "columns": [{"name": "score", "kind": "float64"}]}, {"name": "climb"}]`)
	fails(t, 1, `board "run": column score: order is asc, not desc; board "climb" is new; board "jump" is gone`, "replay", "--dir", dir, "--spec", spec, in)
	more := write(t, filepath.Join(tmp, "more.csv"), "time,board,member,score\n8,run,ada,9.5\n")
	fails(t, 1, "column score: order is asc, not desc", "replay", "--dir", dir, "--spec", spec, more)
}

// TestWrongSpecs: each mistake in a spec file gives an error of one line, and no directory is made.
func TestWrongSpecs(t *testing.T) {
	tmp := t.TempDir()
	in := write(t, filepath.Join(tmp, "in.csv"), "time,member,delta\n1,ada,2\n")
	dir := filepath.Join(tmp, "data")
	for text, why := range map[string]string{
		``:                               "spec.json: board: impossible spec",
		`{"name": "x", "colour": 1}`:     "colour",
		`{"name": "x"} {}`:               "more behind",
		`{"name": "x", "op": "median"}`:  "median",
		`{"op": "sum"}`:                  "name has 0 bytes",
		`[]`:                             "has no spec",
		`[{"name": "x"}`:                 "spec.json: unexpected end",
		`[{"name": "x"}, {"name": "x"}]`: `spec 2: board "x" is there twice`,
		`[{"name": "x"}, {"name": "y", "columns": [{"name": "z"}]}]`:                             `boards "x" and "y" have other columns`,
		`{"name": "x", "columns": [{"name": "time"}]}`:                                           `called "time"`,
		`{"name": "x", "windows": [{"kind": "day", "zone": "Mars/Olympus"}, {"kind": "month"}]}`: "Mars/Olympus",
	} {
		spec := write(t, filepath.Join(tmp, "spec.json"), text)
		fails(t, 1, why, "replay", "--dir", dir, "--spec", spec, in)
		require.NoDirExists(t, dir)
	}
	spec := write(t, filepath.Join(tmp, "spec.json"), `{"name": "x"}`)
	for _, flag := range []string{"--op=sum", "--window=day", "--board=y", "--column=a", "--order=asc", "--ties=last", "--grace=1h"} {
		fails(t, 2, "the spec file says it", "replay", "--dir", dir, "--spec", spec, flag, in)
	}
	fails(t, 1, "nothere.json", "replay", "--dir", dir, "--spec", filepath.Join(tmp, "nothere.json"), in)
	fails(t, 1, "nothere.json", "migrate", "--dir", dir, "--spec", filepath.Join(tmp, "nothere.json"))
}

// TestShownSpec: replay reads the spec that docs/cli.md shows.
func TestShownSpec(t *testing.T) {
	page, err := os.ReadFile("../../docs/cli.md")
	require.NoError(t, err)
	_, text, found := strings.Cut(string(page), "```json\n")
	require.True(t, found)
	text, _, _ = strings.Cut(text, "```")
	all, array, err := specs.ReadFile(write(t, filepath.Join(t.TempDir(), "boards.json"), text))
	require.NoError(t, err)
	require.False(t, array)
	require.Len(t, all[0].Windows, 3)
}

// TestExact replays the least and the greatest int64, and integers that would be equal as float64.
func TestExact(t *testing.T) {
	tmp := t.TempDir()
	in := write(t, filepath.Join(tmp, "in.csv"), "time,member,score\n1,a,9007199254740992\n2,b,9007199254740993\n3,c,-9223372036854775808\n4,d,9223372036854775807\n")
	for order, want := range map[string]string{
		"desc": "d 9223372036854775807, b 9007199254740993, a 9007199254740992, c -9223372036854775808",
		"asc":  "c -9223372036854775808, a 9007199254740992, b 9007199254740993, d 9223372036854775807",
	} {
		out := must(t, "replay", "--dir", filepath.Join(tmp, order), "--column", "score:"+order, "--format", "json", in)
		require.Equal(t, want, strings.Join(rowsOf(t, out)["main/all/all"], ", "))
	}
	fails(t, 1, "in.csv:3: board: value of the wrong kind", "replay", "--dir", filepath.Join(tmp, "float"), "--column", "score:float64", in)
	over := write(t, filepath.Join(tmp, "over.csv"), "time,member,delta\n1,a,9223372036854775807\n2,a,1\n3,b,9223372036854775808\n")
	r := zrank(nil, "replay", "--dir", filepath.Join(tmp, "over"), "--skip-bad", "--format", "csv", over)
	require.Contains(t, r.out, "a,9223372036854775807\n")
	require.Contains(t, r.errs, "over.csv:3: board: sum overflows")
	require.Contains(t, r.errs, "over.csv:4: delta \"9223372036854775808\" is out of range")
}

// TestOperators replays the same rows with each operator.
func TestOperators(t *testing.T) {
	tmp := t.TempDir()
	in := write(t, filepath.Join(tmp, "in.csv"), "time,member,score\n1,a,5\n2,a,9\n3,a,2\n4,a,4\n")
	for op, want := range map[string]string{"best": "9", "last": "4", "first": "5", "sum": "20", "min": "2", "max": "9"} {
		dir := filepath.Join(tmp, op)
		must(t, "replay", "--dir", dir, "--op", op, in)
		require.Equal(t, want+"\n", must(t, "score", "--dir", dir, "main", "a"), op)
	}
	dir := filepath.Join(tmp, "each")
	must(t, "replay", "--dir", dir, "--op", "sum", "--column", "runs", "--column", "seconds:asc:min:float64", "--column", "level:max",
		write(t, in, "time,member,runs,seconds,level\n1,a,1,9.5,3\n2,a,1,8,2\n"))
	require.Equal(t, "2 8.0 3\n", must(t, "score", "--dir", dir, "main", "a"))
}

// TestMigrate changes a board's spec, and goes on with its file under the new one.
func TestMigrate(t *testing.T) {
	tmp := t.TempDir()
	dir, in := filepath.Join(tmp, "data"), write(t, filepath.Join(tmp, "in.csv"), "time,member,score\n1,a,5\n2,b,7\n")
	first := write(t, filepath.Join(tmp, "first.json"), `{"name": "x", "op": "last"}`)
	second := write(t, filepath.Join(tmp, "second.json"), `{"name": "x", "op": "last", "columns": [{"name": "score", "order": "asc"}], "windows": ["all", "day"]}`)
	must(t, "replay", "--dir", dir, "--spec", first, in)
	const diff = "x: column score: order is desc, not asc\nx: window day is new\n"
	require.Equal(t, diff, must(t, "migrate", "--dir", dir, "--spec", second, "--dry-run"))
	require.Contains(t, must(t, "top", "--dir", dir, "--format", "csv", "x"), "1,b,7")
	fails(t, 1, "was replayed with other flags", "replay", "--dir", dir, "--spec", second, in)
	out := must(t, "migrate", "--dir", dir, "--spec", second)
	require.Contains(t, out, diff+"x: 2 entries in 1 period ranked anew in ")
	require.Contains(t, out, "version 2\n")
	require.Contains(t, must(t, "top", "--dir", dir, "--format", "csv", "x"), "1,a,5")
	require.Equal(t, "x: is so already\n", must(t, "migrate", "--dir", dir, "--spec", second))
	write(t, in, "time,member,score\n1,a,5\n2,b,7\n3,c,1\n")
	must(t, "replay", "--dir", dir, "--spec", second, in)
	require.Contains(t, must(t, "top", "--dir", dir, "--format", "csv", "--window", "day", "x"), "1,c,1")
	require.Contains(t, must(t, "top", "--dir", dir, "--format", "csv", "x"), "1,c,1\nx,all,all,2,a,5\nx,all,all,3,b,7\n")
	fails(t, 1, "no such board", "migrate", "--dir", dir, "--spec", write(t, filepath.Join(tmp, "other.json"), `{"name": "y"}`))
}

// TestMigrateAsks: migrate lists what it would delete and asks first, at the terminal or by --yes; it says nothing of rankings where none changes.
func TestMigrateAsks(t *testing.T) {
	tmp := t.TempDir()
	dir, file := filepath.Join(tmp, "data"), filepath.Join(tmp, "spec.json")
	spec := func(text string) string { return write(t, file, `{"name": "x", "op": "last", `+text+`}`) }
	spec(`"columns": [{"name": "score"}, {"name": "lap"}], "windows": ["all", "day", "week"]`)
	must(t, "replay", "--dir", dir, "--spec", file, write(t, filepath.Join(tmp, "in.csv"),
		"time,member,score,lap\n2026-11-02T10:00:00Z,a,5,1\n2026-11-03T10:00:00Z,b,7,1\n2026-11-05T10:00:00Z,b,7,2\n"))
	migrate := func(answer string) (out string, err error) {
		c := migrateCommand(func(any) bool { return true })
		var text, errs bytes.Buffer
		c.SetArgs([]string{"--dir", dir, "--spec", file})
		c.SetIn(strings.NewReader(answer))
		c.SetOut(&text)
		c.SetErr(&errs)
		c.SilenceUsage, c.SilenceErrors = true, true
		err = c.ExecuteContext(t.Context())
		return text.String(), err
	}
	spec(`"windows": ["all", {"kind": "day", "keep": 1}]`)
	const plan = "x: column lap is gone\nx: window day: keep is 0, not 1\nx: window week is gone\nx: column lap would be deleted\n" +
		"x: window day: the oldest 1 period would be deleted\nx: window week would be deleted: 1 period with 2 places\n"
	require.Equal(t, plan, must(t, "migrate", "--dir", dir, "--spec", file, "--dry-run"))
	r := zrank(strings.NewReader("y\n"), "migrate", "--dir", dir, "--spec", file)
	require.Equal(t, 2, r.code)
	require.Equal(t, plan, r.out)
	require.Contains(t, r.errs, "say --yes")
	for _, answer := range []string{"", "n\n", "yess\n"} {
		out, err := migrate(answer)
		require.ErrorIs(t, err, errNotMigrated, "%q", answer)
		require.Equal(t, plan, out)
	}
	require.Contains(t, must(t, "top", "--dir", dir, "--format", "csv", "--window", "week", "x"), "1,b,7,2")
	out, err := migrate("y\n")
	require.NoError(t, err)
	require.Contains(t, out, plan+"x: 5 entries in 4 periods ranked anew in ")
	fails(t, 1, "no such window", "top", "--dir", dir, "--window", "week", "x")

	spec(`"windows": ["all"]`)
	require.Contains(t, must(t, "migrate", "--dir", dir, "--spec", file, "--yes"), "x: window day would be deleted")
	spec(`"windows": ["all"], "feed": {}`)
	require.Equal(t, "x: feed is none, not top 10\nx: the spec is stored, and no ranking changes, version 3\n", must(t, "migrate", "--dir", dir, "--spec", file))
	spec(`"windows": ["all"]`)
	require.Contains(t, must(t, "migrate", "--dir", dir, "--spec", file), "x: feed is top 10, not none\n")
}

// TestAnotherSpec: replay refuses a file whose spec differs from the board's, and reads it from the first row once the spec is right.
func TestAnotherSpec(t *testing.T) {
	tmp := t.TempDir()
	dir := filepath.Join(tmp, "data")
	right := write(t, filepath.Join(tmp, "right.json"), `[{"name": "x", "op": "sum"}, {"name": "y", "op": "sum"}]`)
	wrong := write(t, filepath.Join(tmp, "wrong.json"), `[{"name": "x", "op": "sum"}, {"name": "y", "op": "max"}]`)
	must(t, "replay", "--dir", dir, "--spec", right, write(t, filepath.Join(tmp, "1.csv"), "time,board,member,score\n1,x,a,1\n2,y,a,1\n"))
	for i, c := range []struct{ rows, line string }{{"3,y,a,10\n4,x,a,100\n", ":2: "}, {"3,x,a,1000\n4,y,a,10000\n", ":3: "}} {
		in := write(t, filepath.Join(tmp, string(rune('2'+i))+".csv"), "time,board,member,score\n"+c.rows)
		fails(t, 1, in+c.line+`board: exists with another spec: "y": op is sum, not max`, "replay", "--dir", dir, "--spec", wrong, "--skip-bad", in)
		must(t, "replay", "--dir", dir, "--spec", right, in)
	}
	require.Equal(t, "1101\n", must(t, "score", "--dir", dir, "x", "a"))
	require.Equal(t, "10011\n", must(t, "score", "--dir", dir, "y", "a"))
}

// TestHistory: history shows the winners of closed weeks, or the ranks of a member in them; top --since shows changes of ranks.
func TestHistory(t *testing.T) {
	tmp := t.TempDir()
	dir := filepath.Join(tmp, "data")
	must(t, "replay", "--dir", dir, "--window", "all,week@Europe/Berlin", "--grace", "0s", write(t, filepath.Join(tmp, "in.csv"), "time,member,delta\n"+
		"2026-11-02T12:00:00Z,ada,5\n2026-11-02T13:00:00Z,bea,5\n2026-11-02T14:00:00Z,cyd,4\n"+
		"2026-11-09T12:00:00Z,cyd,9\n2026-11-09T13:00:00Z,bea,8\n2026-11-09T13:00:00Z,dan,1\n"+
		"2026-11-16T12:00:00Z,bea,1\n"))
	history := func(more ...string) string {
		return must(t, append([]string{"history", "--dir", dir, "--format", "csv", "main"}, more...)...)
	}
	const head, w45, w46 = "period,start,end,members,rank,member,score,best\n",
		"2026-W45,2026-11-02T00:00:00+01:00,2026-11-09T00:00:00+01:00,3,", "2026-W46,2026-11-09T00:00:00+01:00,2026-11-16T00:00:00+01:00,3,"
	require.Equal(t, result{out: head}, zrank(nil, "history", "--dir", dir, "--format", "csv", "--window", "all", "main"))
	require.Equal(t, head+w45+"1,ada,5,\n"+w46+"1,cyd,9,\n", history())
	require.Equal(t, head+w45+"2,bea,5,best\n"+w46+"2,bea,8,\n", history("bea"))
	require.Equal(t, head+w45+"1,bea,5,best\n"+w46+"2,bea,8,\n", history("bea", "--ranks", "competition"))
	require.Equal(t, head+w45+",dan,,\n"+w46+"3,dan,1,best\n", history("dan"))
	require.Contains(t, must(t, "history", "--dir", dir, "--format", "json", "main", "zoe"),
		`{"board":"main","window":"week","period":"2026-W45","start":"2026-11-02T00:00:00+01:00","end":"2026-11-09T00:00:00+01:00","members":3,"member":"zoe"}`)
	require.Contains(t, must(t, "history", "--dir", dir, "main"), "cyd")
	fails(t, 1, "has no end", "close", "--dir", dir, "--window", "all", "--yes", "main")

	args := []string{"top", "--dir", dir, "--window", "week", "--period", "2026-W46", "main"}
	require.Equal(t, "board,window,period,rank,member,score,was\nmain,week,2026-W46,1,cyd,9,3\nmain,week,2026-W46,2,bea,8,2\nmain,week,2026-W46,3,dan,1,\n",
		must(t, append(args, "--since", "2026-W45", "--format", "csv")...))
	require.Contains(t, must(t, append(args, "--since", "2026-W45")...), "main · week · 2026-W46, since 2026-W45\n")
	require.Contains(t, must(t, append(args, "--since", "2026-W45")...), "↑2")
	fails(t, 1, "no such period", append(args, "--since", "2026-W40")...)
	for mode, want := range map[string]string{"ordinal": "1,ada 2,bea 3,cyd", "competition": "1,ada 1,bea 3,cyd", "modified": "2,ada 2,bea 3,cyd", "dense": "1,ada 1,bea 2,cyd"} {
		out := must(t, "top", "--dir", dir, "--window", "week", "--period", "2026-W45", "--ranks", mode, "--format", "csv", "main")
		got := []string{}
		for _, line := range strings.Split(strings.TrimSpace(out), "\n")[1:] {
			cells := strings.Split(line, ",")
			got = append(got, cells[3]+","+cells[4])
		}
		require.Equal(t, want, strings.Join(got, " "), mode)
	}
	require.Contains(t, must(t, "close", "--dir", dir, "--window", "week", "--yes", "main"), "main · week · 2026-W47 is closed\n")
	require.Contains(t, history(), "2026-W47,")
	fails(t, 1, "period is closed", "replay", "--dir", dir, "--window", "all,week@Europe/Berlin", "--grace", "0s",
		write(t, filepath.Join(tmp, "late.csv"), "time,member,delta\n2026-11-16T13:00:00Z,ada,1\n"))
}
