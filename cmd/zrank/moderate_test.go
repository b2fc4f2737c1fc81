package main

import (
	"os/user"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const moderatedSpecs = `[{"name": "a/b", "op": "sum", "windows": ["all", "day"], "journal": 100}, {"name": "c", "windows": ["day"]},
	{"name": "r", "windows": [{"kind": "rolling", "span": "3h"}]}]`

const moderatedRows = "time,board,member,score\n" +
	"2026-11-20T10:00:00Z,a/b,ada,5\n2026-11-20T10:01:00Z,a/b,eve,7\n2026-11-20T10:02:00Z,a/b,cy,3\n2026-11-20T10:03:00Z,a/b,\xff,1\n" +
	"2026-11-21T10:04:00Z,a/b,eve,5\n2026-11-21T10:05:00Z,c,eve,4\n" +
	"2026-11-21T10:05:00Z,r,eve,4\n"

// moderated returns a directory with a closed day and a live one.
func moderated(t *testing.T) string {
	t.Helper()
	tmp := t.TempDir()
	dir := filepath.Join(tmp, "data")
	must(t, "replay", "--dir", dir, "--spec", write(t, filepath.Join(tmp, "spec.json"), moderatedSpecs), write(t, filepath.Join(tmp, "in.csv"), moderatedRows))
	return dir
}

// contents returns all that a directory shows of its boards, and their audit logs.
func contents(t *testing.T, dir string) (text string) {
	for _, args := range [][]string{{"top", "-n", "9", "--window", "all", "a/b"}, {"top", "-n", "9", "--window", "day", "--period", "2026-11-20", "a/b"},
		{"top", "-n", "9", "--window", "day", "--period", "2026-11-21", "a/b"}, {"top", "-n", "9", "c"}, {"audit"}, {"jobs"}} {
		text += must(t, append([]string{args[0], "--dir", dir, "--format", "csv"}, args[1:]...)...)
	}
	return text
}

// TestBan: a ban removes a member from open and closed periods of one board, says so, and ends with unban. A dry run changes nothing.
func TestBan(t *testing.T) {
	dir := moderated(t)
	before := contents(t, dir)
	require.Equal(t, `a/b · eve would be banned: 3 places (dry run)
 WINDOW  PERIOD      STATE   RANK  SCORE  MOVED
────────────────────────────────────────────────
 all     all         open       1     12
 day     2026-11-21  open       1      5
 day     2026-11-20  closed     1      7      3
`, must(t, "ban", "--dir", dir, "--dry-run", "a/b", "eve"))
	require.Contains(t, must(t, "ban", "--dir", dir, "--dry-run", "--format", "json", "a/b", "base64:_w"),
		`{"places":[{"window":"all","period":"all","rank":4,"score":[1]},`)
	require.Contains(t, must(t, "revert", "--dir", dir, "--dry-run", "--row", "5", "a/b", "eve"), "a/b · eve would be reverted: ")
	require.Equal(t, before, contents(t, dir))
	require.Equal(t, "window,period,state,rank,score,new rank,new score,moved\nall,all,open,1,12,,,\nday,2026-11-21,open,1,5,,,\nday,2026-11-20,closed,1,7,,,3\n",
		must(t, "ban", "--dir", dir, "--by", "mod", "--reason", "cheated", "--format", "csv", "a/b", "eve"))
	fails(t, 1, `board: member is banned: "eve"`, "ban", "--dir", dir, "a/b", "eve")
	require.NotContains(t, must(t, "top", "--dir", dir, "--window", "day", "--period", "2026-11-20", "a/b"), "eve")
	require.Contains(t, must(t, "top", "--dir", dir, "c"), "eve")
	require.Equal(t, "a/b · \\xff is banned: 2 places; entry 2 of the audit log\n", strings.SplitAfter(must(t, "ban", "--dir", dir, "a/b", "\xff"), "\n")[0])
	require.Equal(t, "a/b · eve would not be banned any more: 0 places (dry run)\n", must(t, "unban", "--dir", dir, "--dry-run", "a/b", "eve"))
	fails(t, 1, "member is banned", "ban", "--dir", dir, "a/b", "eve")
	require.Equal(t, "a/b · eve is not banned any more: 0 places; entry 3 of the audit log\n", must(t, "unban", "--dir", dir, "a/b", "eve"))
	require.Contains(t, must(t, "revert", "--dir", dir, "--row", "3", "--format", "json", "a/b", "cy"), `"entry":4,"rows":[3],`)
	require.Regexp(t, `^ NUMBER +ARRIVED +AT +MEMBER +SCORE +REVERTED\n─+\n +3 +2026-11-20T10:02:00Z +2026-11-20T10:02:00Z +cy +3 +4\n$`,
		must(t, "journal", "--dir", dir, "--member", "cy", "a/b"))
	require.Equal(t, `{"number":9,"arrived":"2026-11-21T10:05:00Z","at":"2026-11-21T10:05:00Z","member":"base64:_w","removal":true}`+"\n",
		must(t, "journal", "--dir", dir, "-n", "1", "--format", "json", "a/b"))
	require.Contains(t, must(t, "correct", "--dir", dir, "--window", "day", "--period", "2026-11-20", "--score", "70", "--dry-run", "a/b", "cy"),
		"a/b · cy would be corrected: 1 place (dry run)\n")
	require.Equal(t, "no row\n", must(t, "journal", "--dir", dir, "--since", "2100-01-01", "a/b"))
	must(t, "check", "--dir", dir)
}

// TestAsOf: commands that read a ranking show it as it was at a time, or after a row of the journal.
func TestAsOf(t *testing.T) {
	dir := moderated(t)
	read := func(args ...string) string {
		return must(t, append([]string{args[0], "--dir", dir, "--format", "csv"}, args[1:]...)...)
	}
	require.Equal(t, "board,window,period,rank,member,score\na/b,all,all,1,eve,7\na/b,all,all,2,ada,5\na/b,all,all,3,cy,3\n", read("top", "--as-of", "#3", "a/b"))
	require.Equal(t, "board,window,period,rank,member,score\na/b,day,2026-11-20,1,ada,5\n", read("rank", "--window", "day", "--period", "2026-11-20", "--as-of", "#1", "a/b", "ada"))
	require.Contains(t, read("score", "--as-of", "2100-01-01", "a/b", "eve"), "12")
	fails(t, 1, "board: the journal does not go back so far", "top", "--dir", dir, "--as-of", "2000-01-01", "a/b")
	fails(t, 1, "whose newest one is row 5", "top", "--dir", dir, "--as-of", "#99", "a/b")
	fails(t, 1, "board: keeps no journal", "top", "--dir", dir, "--as-of", "#1", "c")
	fails(t, 2, `--as-of is "#x", want a row as #123`, "top", "--dir", dir, "--as-of", "#x", "a/b")
	fails(t, 2, `--as-of is "today", want a time as`, "top", "--dir", dir, "--as-of", "today", "a/b")
	fails(t, 2, "name a period each", "top", "--dir", dir, "--window", "day", "--period", "2026-11-20", "--as-of", "2026-11-20", "a/b")
}

// TestReplayedRows: rows of a journal have arrived when their events happened, however many events one commit has, so the past after a replay is that of the events. A
// late event arrives at the time of the latest one before it, as it did then.
func TestReplayedRows(t *testing.T) {
	tmp := t.TempDir()
	spec := write(t, filepath.Join(tmp, "spec.json"), `[{"name": "a", "op": "sum", "journal": 100}, {"name": "c"}]`)
	in := write(t, filepath.Join(tmp, "in.csv"), "time,board,member,score\n2026-11-20T09:59:00Z,c,ada,5\n2026-11-20T10:00:00Z,a,ada,5\n2026-11-20T10:01:00Z,c,eve,7\n"+
		"2026-11-20T10:02:00Z,a,eve,7\n2026-11-20T10:02:00Z,a,cy,3\n2026-11-20T10:01:30Z,a,dan,2\n2026-11-20T10:09:00Z,a,eve,1\n2026-11-20T10:10:00Z,c,eve,9\n")
	for _, flags := range [][]string{nil, {"--batch", "1"}, {"--batch", "3"}} {
		dir := filepath.Join(tmp, strings.Join(append(flags, "data"), ""))
		must(t, append([]string{"replay", "--dir", dir, "--spec", spec, in}, flags...)...)
		var arrived []string
		for _, line := range strings.Split(strings.TrimSpace(must(t, "journal", "--dir", dir, "--format", "csv", "a")), "\n")[1:] {
			words := strings.Split(line, ",")
			arrived = append(arrived, words[1]+words[3])
		}
		require.Equal(t, []string{"2026-11-20T10:09:00Zeve", "2026-11-20T10:02:00Zdan", "2026-11-20T10:02:00Zcy", "2026-11-20T10:02:00Zeve", "2026-11-20T10:00:00Zada"}, arrived)
		require.Equal(t, "board,window,period,rank,member,score\na,all,all,1,ada,5\n", must(t, "top", "--dir", dir, "--format", "csv", "--as-of", "2026-11-20T10:01:00Z", "a"))
		require.Contains(t, must(t, "revert", "--dir", dir, "--dry-run", "--since", "2026-11-20T10:05:00Z", "--format", "json", "a", "eve"), `"rows":[5],`)
	}
}

// TestAudit: audit selects entries of the log, in all formats, and lists the places of one.
func TestAudit(t *testing.T) {
	dir := moderated(t)
	require.Equal(t, "no entry\n", must(t, "audit", "--dir", dir))
	must(t, "ban", "--dir", dir, "--by", "mod", "--reason", "cheated", "a/b", "eve")
	must(t, "ban", "--dir", dir, "c", "\xff")
	must(t, "unban", "--dir", dir, "--by", "mod", "a/b", "eve")
	u, err := user.Current()
	require.NoError(t, err)
	csv := func(args ...string) (kinds []string) {
		for _, line := range strings.Split(strings.TrimSpace(must(t, append([]string{"audit", "--dir", dir, "--format", "csv"}, args...)...)), "\n")[1:] {
			words := strings.Split(line, ",")
			kinds = append(kinds, words[0]+words[1]+words[3])
		}
		return kinds
	}
	require.Equal(t, []string{"a/b1ban", "a/b2unban", "c1ban"}, csv())
	require.Equal(t, []string{"c1ban"}, csv("c"))
	require.Equal(t, []string{"c1ban"}, csv("--by", u.Username))
	require.Equal(t, []string{"c1ban"}, csv("--member", "base64:_w"))
	require.Equal(t, []string{"a/b1ban", "a/b2unban"}, csv("--member", "eve", "--by", "mod"))
	require.Equal(t, []string{"a/b2unban"}, csv("--kind", "unban"))
	require.Equal(t, []string{"a/b2unban"}, csv("--after", "1"))
	require.Equal(t, []string{"a/b1ban", "a/b2unban", "c1ban"}, csv("--since", "2026-11-21", "--until", "2026-11-22T00:00:00+01:00"))
	require.Empty(t, csv("--until", "2026-11-21"))
	require.Equal(t, `{"board":"a/b","number":1,"at":"2026-11-21T10:05:00Z","kind":"ban","member":"eve","by":"mod","reason":"cheated","places":3,"done":true}
`, must(t, "audit", "--dir", dir, "--kind", "ban", "--format", "json", "a/b"))
	require.Equal(t, "window,period,state,rank,score,new rank,new score,moved\nall,all,open,1,12,,,\nday,2026-11-21,open,1,5,,,\nday,2026-11-20,closed,1,7,,,3\n",
		must(t, "audit", "--dir", dir, "--format", "csv", "a/b", "1"))
	require.Equal(t, "the entry has changed no place\n", must(t, "audit", "--dir", dir, "a/b", "2"))
	for _, args := range [][]string{{"jobs"}, {"jobs", "--wait", "a/b"}} {
		require.Equal(t, "nothing is in progress\n", must(t, append(args, "--dir", dir)...))
	}
}

// TestEraseAndMember: member shows the places of a member, and erase leaves none; a dry run changes nothing.
func TestEraseAndMember(t *testing.T) {
	dir := moderated(t)
	require.Equal(t, "window,period,state,rank,score,new rank,new score,moved\nall,all,open,1,12,,,\nday,2026-11-20,closed,1,7,,,\nday,2026-11-21,open,1,5,,,\n",
		must(t, "member", "--dir", dir, "--format", "csv", "a/b", "eve"))
	require.Contains(t, must(t, "member", "--dir", dir, "--format", "json", "a/b", "base64:_w"), `{"member":"base64:_w","windows":[{"window":"all","places":[{"window":"all","period":"all","rank":4,"score":[1]}],"bestRank":{`)
	require.Equal(t, "no place\n", must(t, "member", "--dir", dir, "a/b", "nobody"))
	before := contents(t, dir)
	require.Contains(t, must(t, "erase", "--dir", dir, "--dry-run", "a/b", "eve"), "a/b · eve would be erased: 3 places (dry run)\n")
	require.Equal(t, before, contents(t, dir))
	require.Contains(t, must(t, "erase", "--dir", dir, "--format", "json", "a/b", "eve"), `"entry":1,"places":[{`)
	require.Equal(t, "no place\n", must(t, "member", "--dir", dir, "a/b", "eve"))
	require.NotContains(t, must(t, "audit", "--dir", dir, "--format", "json", "a/b"), "eve")
	require.Regexp(t, `"hash":"[0-9a-f]{64}"`, must(t, "audit", "--dir", dir, "--format", "json", "--member", "eve", "a/b"))
	fails(t, 1, "board: no such board", "erase", "--dir", dir, "x", "eve")
	fails(t, 1, "board: no such board", "member", "--dir", dir, "x", "eve")
	must(t, "check", "--dir", dir)
}

// TestReceipt: the receipt of an erasure has the places, what was erased besides, and the hash; that of --all has every board and stored union.
func TestReceipt(t *testing.T) {
	dir := moderated(t)
	must(t, "union", "--dir", dir, "--window", "all", "--store", "kept", "a/b")
	before := contents(t, dir)
	require.Regexp(t, `^a/b · eve would be erased: 3 places \(dry run\)\n(?s:.*)r · eve would be erased: 1 place \(dry run\)\n(?s:.*)stored union kept · eve would be erased \(dry run\)\n$`,
		must(t, "erase", "--dir", dir, "--dry-run", "--all", "eve"))
	require.Equal(t, before, contents(t, dir))
	text := must(t, "erase", "--dir", dir, "a/b", "\xff")
	require.Regexp(t, `^a/b · \\xff is erased: 2 places; entry 1 of the audit log has [0-9a-f]{12} for the name\n`, text)
	require.Contains(t, text, ` ERASED       NAME  PERIOD      STATE   RANK  SCORE  COUNT
───────────────────────────────────────────────────────────
 place        all   all         open       4      1
 place        day   2026-11-20  closed     4      1
 journal row                                             1
`)
	require.Equal(t, `board,entry,erased,name,period,state,rank,score,moved,count,hash
a/b,2,place,all,all,open,1,12,,,HASH
a/b,2,place,day,2026-11-21,open,1,5,,,HASH
a/b,2,place,day,2026-11-20,closed,1,7,2,,HASH
a/b,2,journal row,,,,,,,2,HASH
c,1,place,day,2026-11-21,open,1,4,,,HASH
r,1,place,rolling,all,open,1,4,,,HASH
,,union,kept,,,,,,1,
`, hashes.ReplaceAllString(must(t, "erase", "--dir", dir, "--reason", "asked", "--format", "csv", "--all", "eve"), "HASH"))
	require.Equal(t, "no board has eve\n", must(t, "erase", "--dir", dir, "--all", "eve"))
	require.Equal(t, `{"boards":{"a/b":{"entry":4,"places":[`+
		`{"window":"all","period":"all","rank":2,"score":[3]},{"window":"day","period":"2026-11-20","closed":true,"rank":2,"members":2,"score":[3]}],`+
		`"hash":"HASH","traces":[{"kind":"journal row","count":1}]}},"unions":["kept"]}`+"\n", hashes.ReplaceAllString(must(t, "erase", "--dir", dir, "--format", "json", "--all", "cy"), "HASH"))
	require.NotContains(t, must(t, "union", "--dir", dir, "--stored", "kept"), "eve")
	require.Contains(t, must(t, "union", "--dir", dir, "--stored", "kept"), "ada")
	require.Contains(t, must(t, "erase", "--dir", dir, "--all", "ada"), "stored union kept · ada is erased\n")
	require.Equal(t, `{"boards":{}}`+"\n", must(t, "erase", "--dir", dir, "--format", "json", "--all", "eve"))
	must(t, "groups", "define", "--dir", dir, "guild")
	must(t, "groups", "create", "--dir", dir, "guild", "wolves")
	must(t, "groups", "join", "--dir", dir, "guild", "zoe", "wolves")
	require.Equal(t, "groups guild · zoe is erased\n", must(t, "erase", "--dir", dir, "--all", "zoe"))
	fails(t, 2, "zrank erase takes {BOARD MEMBER | --all MEMBER}, not 2 arguments", "erase", "--dir", dir, "--all", "a/b", "eve")
	fails(t, 2, "zrank erase takes {BOARD MEMBER | --all MEMBER}, not 1 argument", "erase", "--dir", dir, "eve")
	must(t, "check", "--dir", dir)
}

// hashes matches salted hashes, other ones in every run.
var hashes = regexp.MustCompile(`\b[0-9a-f]{64}\b`)

// TestHide: a hidden member is in no list until it is shown again; a dry run changes nothing.
func TestHide(t *testing.T) {
	dir := moderated(t)
	before := contents(t, dir)
	require.Contains(t, must(t, "hide", "--dir", dir, "--dry-run", "a/b", "eve"), "a/b · eve would be hidden: 3 places (dry run)\n")
	require.Equal(t, before, contents(t, dir))
	require.Contains(t, must(t, "hide", "--dir", dir, "a/b", "eve"), "a/b · eve is hidden: 3 places; entry 1 of the audit log\n")
	require.NotContains(t, must(t, "top", "--dir", dir, "--window", "all", "a/b"), "eve")
	require.Contains(t, must(t, "member", "--dir", dir, "a/b", "eve"), "a/b · eve is hidden\n")
	require.Contains(t, must(t, "member", "--dir", dir, "--format", "json", "a/b", "eve"), `{"member":"eve","hidden":true,`)
	require.Contains(t, must(t, "show", "--dir", dir, "a/b", "eve"), "a/b · eve is shown again: 3 places; entry 2 of the audit log\n")
	require.Contains(t, must(t, "top", "--dir", dir, "--window", "all", "a/b"), "eve")
	fails(t, 1, "board: ", "show", "--dir", dir, "a/b", "eve")
	must(t, "check", "--dir", dir)
}

// TestRename: a member has its places under another name, in open and closed periods; a dry run changes nothing.
func TestRename(t *testing.T) {
	dir := moderated(t)
	before := contents(t, dir)
	require.Contains(t, must(t, "rename", "--dir", dir, "--dry-run", "a/b", "eve", "zoe"), "a/b · eve would be renamed to zoe: 3 places (dry run)\n")
	require.Equal(t, before, contents(t, dir))
	require.Equal(t, `a/b · eve is renamed to zoe: 3 places; entry 1 of the audit log
 WINDOW  PERIOD      STATE   RANK  SCORE  NEW RANK  NEW SCORE
──────────────────────────────────────────────────────────────
 all     all         open       1     12         1         12
 day     2026-11-21  open       1      5         1          5
 day     2026-11-20  closed     1      7         1          7
`, must(t, "rename", "--dir", dir, "a/b", "eve", "zoe"))
	require.Contains(t, must(t, "audit", "--dir", dir, "--format", "json", "a/b"), `"kind":"rename","member":"eve","to":"zoe",`)
	require.Equal(t, "window,period,state,rank,score,new rank,new score,moved\nall,all,open,1,12,1,12,\nday,2026-11-21,open,1,5,1,5,\nday,2026-11-20,closed,1,7,1,7,\n",
		must(t, "audit", "--dir", dir, "--format", "csv", "a/b", "1"))
	require.NotContains(t, contents(t, dir)[:strings.Index(contents(t, dir), "board,entry")], "a/b,eve")
	fails(t, 1, `board: the new name has places already: "cy" of "a/b": use Merge to add the results of "zoe" to them`, "rename", "--dir", dir, "a/b", "zoe", "cy")
	require.Contains(t, must(t, "rename", "--dir", dir, "--format", "json", "a/b", "base64:_w", "base64:_g"), `{"entry":2,`)
	must(t, "check", "--dir", dir)
}

// TestMerge: the results of a member count for another one, in open and closed periods; a dry run changes nothing.
func TestMerge(t *testing.T) {
	dir := moderated(t)
	before := contents(t, dir)
	require.Contains(t, must(t, "merge", "--dir", dir, "--dry-run", "a/b", "eve", "ada"), "a/b · eve would be merged into ada: 3 places (dry run)\n")
	require.Equal(t, before, contents(t, dir))
	require.Equal(t, "window,period,state,rank,score,new rank,new score,moved\nall,all,open,3,3,1,15,\nday,2026-11-20,closed,3,3,1,10,1\n",
		must(t, "merge", "--dir", dir, "--by", "mod", "--reason", "two accounts", "--format", "csv", "a/b", "cy", "eve"))
	require.Contains(t, must(t, "audit", "--dir", dir, "--format", "json", "a/b"), `"kind":"merge","member":"cy","to":"eve","by":"mod","reason":"two accounts","places":2,`)
	require.NotContains(t, must(t, "top", "--dir", dir, "--window", "day", "--period", "2026-11-20", "a/b"), "cy")
	require.Contains(t, must(t, "merge", "--dir", dir, "a/b", "eve", "ada"), "a/b · eve is merged into ada: 3 places; entry 2 of the audit log\n")
	must(t, "hide", "--dir", dir, "a/b", "ada")
	fails(t, 1, `board: member is hidden: "ada" of "a/b": show it first`, "merge", "--dir", dir, "a/b", "eve", "ada")
	must(t, "ban", "--dir", dir, "a/b", "ada")
	fails(t, 1, `board: member is banned: "ada" of "a/b"`, "merge", "--dir", dir, "a/b", "eve", "ada")
	must(t, "check", "--dir", dir)
}

// TestModerationMistakes: wrong calls end with one line, and change nothing.
func TestModerationMistakes(t *testing.T) {
	dir := moderated(t)
	before := contents(t, dir)
	for _, c := range []struct {
		code int
		why  string
		args []string
	}{
		{1, "board: no such board", []string{"ban", "x", "ada"}},
		{1, "board: no such board", []string{"audit", "x"}},
		{1, "board: no such board", []string{"jobs", "x"}},
		{1, "board: member", []string{"ban", "c", ""}},
		{1, "board: impossible moderation action: By has 300 bytes", []string{"ban", "--by", strings.Repeat("x", 300), "c", "eve"}},
		{1, "board: impossible moderation action: By has 1 bytes", []string{"ban", "--by", "\xff", "c", "eve"}},
		{1, "board: impossible moderation action: Reason has 5000 bytes", []string{"ban", "--reason", strings.Repeat("x", 5000), "c", "eve"}},
		{1, "board: member is not banned", []string{"unban", "c", "eve"}},
		{1, `board: impossible moderation action: the two members are the same one: "eve"`, []string{"merge", "a/b", "eve", "eve"}},
		{1, `board: impossible moderation action: the two members are the same one: "eve"`, []string{"rename", "a/b", "eve", "eve"}},
		{1, "board: member", []string{"rename", "a/b", "eve", ""}},
		{1, "board: no such board", []string{"merge", "x", "eve", "ada"}},
		{1, "board: keeps no journal", []string{"revert", "--row", "1", "c", "eve"}},
		{1, "board: keeps no journal", []string{"journal", "c"}},
		{2, "want --window, --period and --score", []string{"correct", "--score", "1", "c", "eve"}},
		{2, `--score is "1,x"`, []string{"correct", "--window", "day", "--period", "2026-11-20", "--score", "1,x", "c", "eve"}},
		{2, `--at is "x"`, []string{"correct", "--window", "day", "--period", "2026-11-20", "--score", "1", "--at", "x", "c", "eve"}},
		{1, "board: no such window", []string{"correct", "--window", "year", "--period", "2026", "--score", "1", "c", "eve"}},
		{2, `--number is "-1": it is out of range`, []string{"journal", "-n", "-1", "a/b"}},
		{2, `--since is "x": "x" is no time`, []string{"journal", "--since", "x", "a/b"}},
		{2, `--member is "base64:*", want base64url`, []string{"journal", "--member", "base64:*", "a/b"}},
		{1, "board: not in the journal", []string{"revert", "--row", "99", "a/b", "eve"}},
		{2, "want --row or --since, and not both", []string{"revert", "a/b", "eve"}},
		{2, `--row is "0", want a row from 1 on, or a time`, []string{"revert", "--row", "0", "a/b", "eve"}},
		{2, `NEW is "base64:*"`, []string{"rename", "a/b", "eve", "base64:*"}},
		{1, `board: no such board: ""`, []string{"audit", ""}},
		{2, "want --row or --since, and not both", []string{"revert", "--row", "1", "--since", "2026-11-20", "a/b", "eve"}},
		{2, `--since is "x": "x" is no time`, []string{"revert", "--since", "x", "a/b", "eve"}},
		{2, `MEMBER is "base64:*"`, []string{"ban", "c", "base64:*"}},
		{2, "unknown format", []string{"unban", "--format", "x", "c", "eve"}},
		{1, "the audit log of \"c\" has no entry 7", []string{"audit", "c", "7"}},
		{2, `ENTRY is "x"`, []string{"audit", "c", "x"}},
		{2, "--by does not go with BOARD ENTRY", []string{"audit", "--by", "x", "c", "1"}},
		{2, `no such kind of entry of the audit log: "murder", want one of [ban unban`, []string{"audit", "--kind", "murder"}},
		{2, `--until is "x": "x" is no time`, []string{"audit", "--until", "x"}},
		{2, `--member is "base64:*", want base64url`, []string{"audit", "--member", "base64:*"}},
	} {
		fails(t, c.code, c.why, append([]string{c.args[0], "--dir", dir}, c.args[1:]...)...)
	}
	require.Equal(t, before, contents(t, dir))
	fails(t, 1, "", "ban", "--dir", filepath.Join(dir, "none"), "c", "eve")
	require.NoDirExists(t, filepath.Join(dir, "none"))
}
