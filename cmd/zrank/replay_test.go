package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/cmd/zrank/internal/show"
)

// rowsOf reads JSON output: the members of each ranking, best first, as "member score".
func rowsOf(t *testing.T, out string) map[string][]string {
	t.Helper()
	tables := map[string][]string{}
	for line := range strings.Lines(out) {
		var row show.Row
		require.NoError(t, json.Unmarshal([]byte(line), &row))
		name := row.Board + "/" + row.Window + "/" + row.Period
		require.Equal(t, len(tables[name])+1, row.Rank)
		tables[name] = append(tables[name], fmt.Sprintf("%s %v", row.Member, row.Score))
	}
	return tables
}

// TestGoals replays 46,934 real goals and expects what their README states.
func TestGoals(t *testing.T) {
	input := sharedData(t, "goals/goals.csv.gz")
	dir := filepath.Join(t.TempDir(), "data")
	tables := rowsOf(t, must(t, "replay", "--dir", dir, "--window", "all,year", "--format", "json", input))
	cup := tables["FIFA World Cup/all/all"]
	require.Equal(t, []string{"Kylian Mbappé (France) 22", "Lionel Messi (Argentina) 21", "Miroslav Klose (Germany) 16",
		"Ronaldo (Brazil) 15", "Gerd Müller (Germany) 14", "Harry Kane (England) 14", "Just Fontaine (France) 13"}, cup[:7])
	// Villa scored his fifth goal on 3 July at 83', Sneijder on 6 July, Müller and Forlán on 10 July at 19' and 51'.
	require.Equal(t, []string{"David Villa (Spain) 5", "Wesley Sneijder (Netherlands) 5", "Thomas Müller (Germany) 5",
		"Diego Forlán (Uruguay) 5"}, tables["FIFA World Cup/year/2010"][:4])
	require.True(t, strings.HasSuffix(tables["FIFA World Cup/year/2010"][4], " 4"))
	require.ElementsMatch(t, []string{"Oleg Salenko (Russia) 6", "Hristo Stoichkov (Bulgaria) 6"}, tables["FIFA World Cup/year/1994"][:2])
	require.Equal(t, "Harry Kane (England) 6", tables["FIFA World Cup/year/2018"][0])
	require.True(t, strings.HasSuffix(tables["FIFA World Cup/year/2018"][5], " 4"))
	require.Equal(t, []string{"Kylian Mbappé (France) 8", "Lionel Messi (Argentina) 7"}, tables["FIFA World Cup/year/2022"][:2])

	require.Equal(t, "21\n", must(t, "score", "--dir", dir, "FIFA World Cup", "Lionel Messi (Argentina)"))
	require.Equal(t, 20, strings.Count(must(t, "boards", "--dir", dir, "--format", "json"), "\n"))
}

// TestGoalsOverAll puts all tournaments on one board.
func TestGoalsOverAll(t *testing.T) {
	in := csv.NewReader(strings.NewReader(unzip(t, sharedData(t, "goals/goals.csv.gz"))))
	rows, err := in.ReadAll()
	require.NoError(t, err)
	var b strings.Builder
	out := csv.NewWriter(&b)
	for _, row := range rows {
		out.Write([]string{row[3], row[2], row[0]})
	}
	out.Flush()
	tmp := t.TempDir()
	input := write(t, filepath.Join(tmp, "one.csv"), b.String())
	tables := rowsOf(t, must(t, "replay", "--dir", filepath.Join(tmp, "data"), "--board", "goals", "--top", "20000", "--format", "json", input))
	all := tables["goals/all/all"]
	require.Len(t, all, 14_900)
	require.Equal(t, []string{"Cristiano Ronaldo (Portugal) 124", "Harry Kane (England) 75", "Lionel Messi (Argentina) 71"}, all[:3])
	ones := 0
	for _, row := range all {
		if strings.HasSuffix(row, " 1") {
			ones++
		}
	}
	require.Equal(t, 6934, ones)
}

// TestContests replays seven contests, solved and penalty as columns, and expects the official final tables.
func TestContests(t *testing.T) {
	number := func(text string) int {
		n, err := strconv.Atoi(text)
		require.NoError(t, err)
		return n
	}
	tables := rowsOf(t, must(t, "replay", "--dir", filepath.Join(t.TempDir(), "data"), "--top", "1000", "--format", "json", "--op", "sum",
		"--column", "delta_solved", "--column", "delta_penalty_min:asc", sharedData(t, "icpcwf/events.csv.gz")))

	final, err := csv.NewReader(strings.NewReader(unzip(t, sharedData(t, "icpcwf/final.csv.gz")))).ReadAll()
	require.NoError(t, err)
	compared := 0
	for _, r := range final[1:] {
		board, member, rank := r[0], r[1], number(r[6])
		want := fmt.Sprintf("%s %s %s", member, r[2], r[3])
		table := tables[board+"/all/all"]
		if number(r[2]) == 0 {
			continue // a team that solved nothing has no event
		}
		require.Contains(t, table[rank-1:min(rank+3, len(table))], want, "%s rank %d", board, rank)
		compared++
	}
	t.Logf("%d places compared", compared)
}

// TestWindowsAndOptions replays a few events into every window.
func TestWindowsAndOptions(t *testing.T) {
	tmp := t.TempDir()
	input := write(t, filepath.Join(tmp, "in.csv"), "score,time,member\n"+
		"5,2026-11-20T15:30:00Z,ada\n7,2026-11-20T15:30:00Z,bea\n6,2026-11-20T15:30:00.000Z,cid\n9,2026-11-23T00:00:00+01:00,ada\n")
	out := must(t, "replay", "--dir", filepath.Join(tmp, "data"), "--window", "all,hour,day,week,month,year", "--format", "csv",
		"--board", "b", "--order", "asc", "--op", "best", "--durability", "interval", "--batch", "1", input)
	require.Equal(t, `board,window,period,rank,member,score
b,all,all,1,ada,5
b,all,all,2,cid,6
b,all,all,3,bea,7
b,hour,2026-11-20T15,1,ada,5
b,hour,2026-11-20T15,2,cid,6
b,hour,2026-11-20T15,3,bea,7
b,hour,2026-11-22T23,1,ada,9
b,day,2026-11-20,1,ada,5
b,day,2026-11-20,2,cid,6
b,day,2026-11-20,3,bea,7
b,day,2026-11-22,1,ada,9
b,week,2026-W47,1,ada,5
b,week,2026-W47,2,cid,6
b,week,2026-W47,3,bea,7
b,month,2026-11,1,ada,5
b,month,2026-11,2,cid,6
b,month,2026-11,3,bea,7
b,year,2026,1,ada,5
b,year,2026,2,cid,6
b,year,2026,3,bea,7
`, out)
}

// TestTies orders equal scores by each rule.
func TestTies(t *testing.T) {
	tmp := t.TempDir()
	input := write(t, filepath.Join(tmp, "in.csv"), "time,member,score\n30,c,5\n10,b,5\n10,d,5\n20,a,5\n")
	for ties, want := range map[string]string{"first": "b d a c", "last": "c a d b", "member": "a b c d"} {
		out := must(t, "replay", "--dir", filepath.Join(tmp, ties), "--ties", ties, "--format", "json", input)
		got := strings.ReplaceAll(strings.Join(rowsOf(t, out)["main/all/all"], " "), " 5", "")
		require.Equal(t, want, got, ties)
	}
}

// TestStandardInput replays a pipe twice, then a longer one, then another one.
func TestStandardInput(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	text := "time,member,delta\n1,ada,2\n2,bea,3\n"
	replay := func(text string, more ...string) result {
		return zrank(strings.NewReader(text), append([]string{"replay", "--dir", dir, "--format", "csv", "-"}, more...)...)
	}
	want := "board,window,period,rank,member,score\nmain,all,all,1,bea,3\nmain,all,all,2,ada,2\n"
	require.Equal(t, want, replay(text).out)
	again := replay(text)
	require.Equal(t, want, again.out)
	require.Contains(t, again.errs, "2 rows were in already")
	longer := replay(text + "3,ada,9\n")
	require.Zero(t, longer.code, longer.errs)
	require.Contains(t, longer.out, "1,ada,11")
	require.Contains(t, replay("time,member,delta\n1,zoe,2\n").errs, "standard input: changed")
	require.Contains(t, replay("time,member,delta\n1,zoe,50\n", "--stdin-name", "other").out, "1,zoe,50")
}

// TestChangedInput: replay refuses to go on with a file whose replayed part has changed.
func TestChangedInput(t *testing.T) {
	tmp := t.TempDir()
	dir, path := filepath.Join(tmp, "data"), filepath.Join(tmp, "in.csv")
	write(t, path, "time,member,delta\n1,ada,2\n2,bea,3\n")
	want := must(t, "replay", "--dir", dir, path)
	for name, text := range map[string]string{
		"edited":    "time,member,delta\n1,ada,7\n2,bea,3\n",
		"shorter":   "time,member,delta\n1,ada,2\n",
		"columns":   "time,member,score\n1,ada,2\n2,bea,3\n",
		"all other": "time,member,delta\n",
	} {
		write(t, path, text)
		r := zrank(nil, "replay", "--dir", dir, path)
		require.Equal(t, 1, r.code, name)
		require.Contains(t, r.errs, path, name)
		require.Empty(t, r.out)
	}
	write(t, path, "time,member,delta\n1,ada,2\n2,bea,3\n")
	require.Equal(t, want, must(t, "replay", "--dir", dir, path))
	fails(t, 1, "was replayed with other flags: op is sum, not best", "replay", "--dir", dir, "--op", "best", path)
}

// TestSameBytes: replay recognizes a file that was moved, linked or copied.
func TestSameBytes(t *testing.T) {
	tmp := t.TempDir()
	dir, path := filepath.Join(tmp, "data"), filepath.Join(tmp, "in.csv")
	text := "time,member,delta\n1,ada,2\n2,bea,3\n"
	want := must(t, "replay", "--dir", dir, write(t, path, text))
	require.NoError(t, os.Symlink(path, filepath.Join(tmp, "link.csv")))
	copied := write(t, filepath.Join(tmp, "copy.csv"), text)
	for _, other := range []string{filepath.Join(tmp, "link.csv"), copied} {
		r := zrank(nil, "replay", "--dir", dir, other)
		require.Equal(t, want, r.out)
		require.Contains(t, r.errs, "2 rows were in already")
	}
	write(t, path, text+"3,cid,4\n")
	must(t, "replay", "--dir", dir, path)
	require.Equal(t, "4\n", must(t, "score", "--dir", dir, "main", "cid"))
}

// TestLongMembers: with long members every commit is smaller than the log's limit, whatever --batch is.
func TestLongMembers(t *testing.T) {
	tmp := t.TempDir()
	var b strings.Builder
	b.WriteString("time,member,delta\n")
	for i := range 12_000 {
		fmt.Fprintf(&b, "%d,%s%d,1\n", i, strings.Repeat("x", 1000), i)
	}
	path := write(t, filepath.Join(tmp, "in.csv"), b.String())
	must(t, "replay", "--dir", filepath.Join(tmp, "data"), "--window", "all,hour", "--batch", "10000", "--top", "0", "--durability", "none", path)
	require.Contains(t, must(t, "boards", "--dir", filepath.Join(tmp, "data"), "--format", "csv"), ",12000,")
}

// TestFailedFirst: a replay whose first row is bad leaves no directory.
func TestFailedFirst(t *testing.T) {
	tmp := t.TempDir()
	dir := filepath.Join(tmp, "data")
	fails(t, 1, "not finite", "replay", "--dir", dir, write(t, filepath.Join(tmp, "in.csv"), "time,member,delta\n1,ada,NaN\n"))
	require.NoDirExists(t, dir)
}

// TestBadRows: replay commits the rows before a malformed row and stops there. It goes on after the row is mended, and skips it with
// --skip-bad.
func TestBadRows(t *testing.T) {
	tmp := t.TempDir()
	head := "time,member,delta\n1,ada,2\n"
	for bad, why := range map[string]string{
		"2,bea":               "2 fields where the header has 3",
		"yesterday,bea,1":     "time",
		"2,bea,NaN":           "not finite",
		"2,bea,":              "delta is missing",
		"2,,1":                "member is empty",
		"2,b\"ea,1":           "not CSV",
		"2,bea,1,surplus,2,3": "6 fields",
	} {
		t.Run(why, func(t *testing.T) {
			tmp := t.TempDir()
			dir, path := filepath.Join(tmp, "data"), filepath.Join(tmp, "in.csv")
			write(t, path, head+bad+"\n3,ada,5\n")
			for range 2 {
				fails(t, 1, path+":3: ", "replay", "--dir", dir, path)
				fails(t, 1, why, "replay", "--dir", dir, path)
			}
			require.Equal(t, "2\n", must(t, "score", "--dir", dir, "main", "ada"), "what came before is in, once")
			r := zrank(nil, "replay", "--dir", dir, "--skip-bad", path)
			require.Zero(t, r.code, r.errs)
			require.Contains(t, r.errs, "skipped: "+path+":3: ")
			require.Contains(t, r.errs, "1 bad rows skipped")
			require.Equal(t, "7\n", must(t, "score", "--dir", dir, "main", "ada"))
		})
	}
	dir, path := filepath.Join(tmp, "mended"), filepath.Join(tmp, "in.csv")
	write(t, path, head+"oops\n3,ada,5\n")
	fails(t, 1, ":3: ", "replay", "--dir", dir, path)
	write(t, path, head+"2,bea,9\n3,ada,5\n")
	fails(t, 1, "--resume-edited", "replay", "--dir", dir, path)
	out := must(t, "replay", "--dir", dir, "--resume-edited", "--format", "csv", path)
	require.Contains(t, out, "1,bea,9")
	require.Contains(t, out, "2,ada,7")
}

// TestWrongCalls: each wrong call gives an error of one line, and exit code 1 or 2. None changes stored data.
func TestWrongCalls(t *testing.T) {
	tmp := t.TempDir()
	dir := filepath.Join(tmp, "data")
	path := write(t, filepath.Join(tmp, "in.csv"), "time,member,delta\n1,ada,2\n")
	must(t, "replay", "--dir", dir, path)
	foreign := filepath.Join(tmp, "foreign")
	require.NoError(t, os.Mkdir(foreign, 0o700))
	write(t, filepath.Join(foreign, "thesis.txt"), "mine")

	fails(t, 2, "unknown command", "repaly")
	fails(t, 2, "unknown flag", "top", "--nope", "main")
	fails(t, 2, "arg", "top")
	fails(t, 2, "arg", "rank", "--dir", dir, "main")
	fails(t, 2, "median", "replay", "--dir", dir, "--op", "median", path)
	fails(t, 2, `"up"`, "replay", "--dir", dir, "--order", "up", path)
	fails(t, 2, "--grace", "replay", "--dir", dir, "--grace", "soon", path)
	fails(t, 2, "Atlantis", "replay", "--dir", dir, "--window", "day@Europe/Atlantis", path)
	fails(t, 2, "spec file", "replay", "--dir", dir, "--window", "seasons", path)
	fails(t, 2, `"float32"`, "replay", "--dir", dir, "--column", "score:float32", path)
	fails(t, 2, "--order", "replay", "--dir", dir, "--column", "score", "--order", "asc", path)
	fails(t, 2, `"member"`, "replay", "--dir", dir, "--column", "member", path)
	fails(t, 2, "impossible rules", "replay", "--dir", dir, "--column", "a", "--column", "a", path)
	fails(t, 2, `--ranks is "olympic"`, "top", "--dir", dir, "--ranks", "olympic", "main")
	fails(t, 2, "--spec", "migrate", "--dir", dir)
	fails(t, 2, `"decade"`, "replay", "--dir", dir, "--window", "all,decade", path)
	fails(t, 2, "--batch is 0", "replay", "--dir", dir, "--batch", "0", path)
	fails(t, 2, "--durability", "replay", "--dir", dir, "--durability", "maybe", path)
	fails(t, 2, "xml", "top", "--dir", dir, "--format", "xml", "main")
	fails(t, 2, "given twice", "replay", "--dir", dir, "-", "-")
	fails(t, 2, "--number is 0, want 1 or more", "top", "--dir", dir, "-n", "0", "main")
	fails(t, 2, "--number is -1, want 0 or more", "around", "--dir", dir, "-n", "-1", "main", "ada")

	fails(t, 1, "nothere.csv", "replay", "--dir", dir, filepath.Join(tmp, "nothere.csv"))
	fails(t, 1, "colour", "replay", "--dir", dir, write(t, filepath.Join(tmp, "x.csv"), "time,member,delta,colour\n"))
	fails(t, 1, "no such board", "top", "--dir", dir, "nobody's")
	fails(t, 1, `board: member is not ranked: "zoe"`, "rank", "--dir", dir, "main", "zoe")
	fails(t, 1, `board: member is not ranked: "zoe"`, "around", "--dir", dir, "main", "zoe")
	fails(t, 1, `board: member is not ranked: "zoe"`, "score", "--dir", dir, "main", "zoe")
	fails(t, 1, "no such window", "top", "--dir", dir, "--window", "week", "main")
	fails(t, 1, "no such period", "top", "--dir", dir, "--period", "2020", "main")
	for _, at := range []string{foreign, filepath.Join(tmp, "nowhere"), path} {
		fails(t, 1, "not a zrank", "top", "--dir", at, "main")
	}
	fails(t, 1, "not a zrank", "replay", "--dir", foreign, path)
	entries, err := os.ReadDir(foreign)
	require.NoError(t, err)
	require.Len(t, entries, 1, "a directory that is not ours stays as it is")
	require.NoDirExists(t, filepath.Join(tmp, "nowhere"))
	require.Equal(t, "2\n", must(t, "score", "--dir", dir, "main", "ada"), "nothing was lost")
}
