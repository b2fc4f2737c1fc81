package main

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const guildSpecs = `[{"name": "arena", "op": "sum", "windows": ["all", "week"], "columns": [{"name": "points"}, {"name": "kills"}]},
	{"name": "arena/guilds", "derived": {"from": "arena", "groups": "guild"}}]`

const guildRows = "time,member,points,kills\n2026-11-16T10:00:00Z,ada,5,1\n2026-11-16T10:01:00Z,bea,7,0\n2026-11-16T10:02:00Z,cy,7,0\n"

const laterRows = "time,member,points,kills\n2026-11-17T10:00:00Z,ada,5,1\n2026-11-23T10:00:00Z,cy,2,0\n"

// guilds returns a directory with two guilds and a board of them.
func guilds(t *testing.T) string {
	t.Helper()
	tmp := t.TempDir()
	dir, spec := filepath.Join(tmp, "data"), write(t, filepath.Join(tmp, "spec.json"), guildSpecs)
	must(t, "replay", "--dir", dir, "--spec", spec, write(t, filepath.Join(tmp, "in.csv"), guildRows))
	must(t, "groups", "import", "--dir", dir, "--create", "guild", write(t, filepath.Join(tmp, "members.csv"), "group,since,member\nwolves,,ada\nwolves,,bea\nlions,2020,cy\n"))
	must(t, "replay", "--dir", dir, "--spec", spec, write(t, filepath.Join(tmp, "later.csv"), laterRows))
	return dir
}

// TestGroups: the commands of groups show kinds, groups and members, and change them.
func TestGroups(t *testing.T) {
	dir := guilds(t)
	groups := func(args ...string) string {
		return must(t, append([]string{"groups", "--dir", dir, "--format", "csv"}, args...)...)
	}
	require.Equal(t, "kind,groups,members\nguild,2,3\n", must(t, "groups", "--dir", dir, "--format", "csv"))
	require.Equal(t, "name,members,created,meta\nlions,1,2026-11-16T10:02:00Z,\nwolves,2,2026-11-16T10:02:00Z,\n", groups("list", "guild"))
	require.Equal(t, "member\nada\nbea\n", groups("show", "guild", "wolves"))
	require.Equal(t, "group\nlions\n", groups("of", "guild", "cy"))
	fails(t, 1, `"dan" is in no guild`, "groups", "of", "--dir", dir, "guild", "dan")

	require.Empty(t, groups("define", "country"))
	require.Empty(t, groups("create", "--meta", "{}", "country", "base64:_w"))
	require.Equal(t, `{"name":"base64:_w","members":0,"created":"2026-11-23T10:00:00Z","meta":"{}"}`+"\n", must(t, "groups", "list", "--dir", dir, "--format", "json", "country"))
	require.Empty(t, groups("meta", "country", "\xff", "far away"))
	require.Equal(t, "name,members,created,meta\n\xff,0,2026-11-23T10:00:00Z,far away\n", groups("list", "country"))
	require.Equal(t, " NAME  MEMBERS  CREATED               META\n───────────────────────────────────────────────\n \\xff        0  2026-11-23T10:00:00Z  far away\n",
		must(t, "groups", "list", "--dir", dir, "country"))
	require.Empty(t, groups("join", "country", "dan", "\xff"))
	require.Equal(t, "group\n\xff\n", groups("of", "country", "dan"))

	require.Empty(t, groups("move", "guild", "ada", "lions"))
	require.Equal(t, "group\nlions\n", groups("of", "guild", "ada"))
	require.Empty(t, groups("leave", "guild", "ada"))
	fails(t, 1, `board: member is in no group: "ada" is in no guild`, "groups", "leave", "--dir", dir, "guild", "ada")
	require.Empty(t, must(t, "groups", "join", "--dir", dir, "--format", "json", "guild", "ada", "lions"))
	require.Equal(t, `{"group":"lions"}`+"\n", must(t, "groups", "of", "--dir", dir, "--format", "json", "guild", "ada"))
	require.Empty(t, groups("rename", "guild", "ada", "eva"))
	require.Equal(t, `{"member":"cy"}`+"\n"+`{"member":"eva"}`+"\n", must(t, "groups", "show", "--dir", dir, "--format", "json", "guild", "lions"))
	fails(t, 1, `board: member is in no group: "ada" is in no guild`, "groups", "rename", "--dir", dir, "guild", "ada", "eva")
	fails(t, 1, `board: member is in a group already: "bea" is in guild "wolves"`, "groups", "rename", "--dir", dir, "guild", "eva", "bea")
	require.Empty(t, groups("dissolve", "guild", "wolves"))
	fails(t, 1, `board: no such group: "wolves" of "guild"`, "groups", "show", "--dir", dir, "guild", "wolves")
	fails(t, 1, `board: no such kind of groups: "clan"`, "groups", "list", "--dir", dir, "clan")
	fails(t, 1, `board: the group exists already: "lions" of "guild"`, "groups", "create", "--dir", dir, "guild", "lions")
	fails(t, 1, `board: member is in a group already: "cy" is in guild "lions"`, "groups", "join", "--dir", dir, "guild", "cy", "lions")
	fails(t, 2, "MEMBER is \"base64:*\"", "groups", "of", "--dir", dir, "guild", "base64:*")
	must(t, "groups", "define", "--dir", dir, "clan")
	require.Equal(t, "no group\n", must(t, "groups", "list", "--dir", dir, "clan"))
	must(t, "check", "--dir", dir)
}

// TestGroupsAmong: groups among ranks the members of a group, in a closed period too, and a board of groups has been right in each period.
func TestGroupsAmong(t *testing.T) {
	dir := guilds(t)
	require.Equal(t, `board,window,period,local,rank,member,points,kills
arena,all,all,1,1,ada,10,2
arena,all,all,2,3,bea,7,0
`, must(t, "groups", "among", "--dir", dir, "--format", "csv", "guild", "wolves", "arena"))
	require.Equal(t, `{"board":"arena","window":"week","period":"2026-W47","rank":2,"member":"cy","score":[7,0],"reached":"2026-11-16T10:02:00Z","local":1}`+"\n",
		must(t, "groups", "among", "--dir", dir, "--format", "json", "--window", "week", "--period", "2026-W47", "--ranks", "competition", "guild", "lions", "arena"))
	require.Equal(t, "arena · week · 2026-W48\n nobody is ranked here\n", must(t, "groups", "among", "--dir", dir, "--window", "week", "guild", "wolves", "arena"))
	fails(t, 2, "--ranks is", "groups", "among", "--dir", dir, "--ranks", "x", "guild", "lions", "arena")
	require.Equal(t, "board,window,period,rank,member,points,kills,members\narena/guilds,week,2026-W47,1,wolves,17,2,2\narena/guilds,week,2026-W47,2,lions,7,0,1\n",
		must(t, "top", "--dir", dir, "--format", "csv", "--window", "week", "--period", "2026-W47", "arena/guilds"))
	require.Equal(t, "n\n0\n", must(t, "groups", "rebuild", "--dir", dir, "--format", "csv", "arena/guilds"))
	fails(t, 1, `board: follows no other board: "arena"`, "groups", "rebuild", "--dir", dir, "arena")
}

// TestGroupsImport: import checks all rows before any member joins, names the line of a wrong one, can be interrupted, and skips those that have joined.
func TestGroupsImport(t *testing.T) {
	dir := guilds(t)
	file := filepath.Join(t.TempDir(), "m.csv")
	wrong := func(why, text string, args ...string) {
		fails(t, 1, why, append([]string{"groups", "import", "--dir", dir, "guild", write(t, file, text)}, args...)...)
	}
	wrong("m.csv: is empty", "")
	wrong(`m.csv: the first row is ["member" "guild"], and must name the columns member and group`, "member,guild\n")
	wrong(`m.csv:3: board: no such group: "bears" of "guild"`, "member,group\ndan,lions\neve,bears\n")
	wrong(`m.csv:3: board: member is in a group already: "ada" is in guild "wolves"`, "member,group\ndan,lions\nada,lions\n")
	wrong(`m.csv:3: board: member is in a group already: "dan" is in guild "lions"`, "member,group\ndan,lions\ndan,bears\n", "--create")
	wrong("m.csv:2: board: member is empty", "member,group\n,lions\n")
	wrong("m.csv: record on line 2", "member,group\ndan\n")
	fails(t, 1, `"dan" is in no guild`, "groups", "of", "--dir", dir, "guild", "dan")
	fails(t, 1, "board: no such group: \"bears\"", "groups", "show", "--dir", dir, "guild", "bears")

	stopped, stop := context.WithCancel(context.Background())
	stop()
	var errs strings.Builder
	write(t, file, "member,group\ndan,lions\n")
	require.Equal(t, 1, run(stopped, []string{"groups", "import", "--dir", dir, "guild", file}, nil, &errs, &errs))
	require.Equal(t, "zrank: stopped after 0 members; the same command goes on from there\n", errs.String())

	text := "member,group\nada,wolves\ndan,lions\ndan,lions\neve,bears\n"
	r := zrank(strings.NewReader(text), "groups", "import", "--dir", dir, "--create", "--format", "csv", "guild", "-")
	require.Equal(t, result{out: "kind,created,joined,moved,present\nguild,1,2,0,2\n"}, r)
	require.Equal(t, `{"kind":"guild","created":0,"joined":0,"moved":0,"present":4}`+"\n", must(t, "groups", "import", "--dir", dir, "--format", "json", "guild", write(t, file, text)))
	require.Equal(t, "member\neve\n", must(t, "groups", "show", "--dir", dir, "--format", "csv", "guild", "bears"))
}

// TestDerivedSpecs: replay makes the derived boards of a spec file, for boards that exist too; they take no rows, and migrate finds no differences.
func TestDerivedSpecs(t *testing.T) {
	tmp := t.TempDir()
	dir, spec := filepath.Join(tmp, "data"), write(t, filepath.Join(tmp, "spec.json"), guildSpecs)
	in := write(t, filepath.Join(tmp, "in.csv"), guildRows)
	alone := write(t, filepath.Join(tmp, "arena.json"), guildSpecs[:strings.Index(guildSpecs, ",\n")]+"]")
	must(t, "replay", "--dir", dir, "--spec", alone, in)
	must(t, "replay", "--dir", dir, "--spec", spec, in)
	require.Contains(t, must(t, "boards", "--dir", dir, "--format", "csv"), "arena/guilds,points:desc kills:desc members:desc,sum of arena,first,all week,")
	require.Equal(t, "arena: is so already\narena/guilds: is so already\n", must(t, "migrate", "--dir", dir, "--spec", spec))
	only := write(t, filepath.Join(tmp, "only.json"), `{"name": "arena/guilds", "derived": {"from": "arena", "groups": "guild"}}`)
	require.Equal(t, "arena/guilds: is so already\n", must(t, "migrate", "--dir", dir, "--spec", only))
	fails(t, 1, `board "arena/guilds" is derived, and takes no rows`, "replay", "--dir", dir, "--spec", only, in)
	rows := write(t, filepath.Join(tmp, "rows.csv"), "board,"+strings.ReplaceAll(guildRows, "\n2026", "\narena/guilds,2026"))
	fails(t, 1, `rows.csv:2: the spec file has no such board: "arena/guilds"`, "replay", "--dir", dir, "--spec", spec, rows)
	require.Equal(t, []string{"guild"}, completed(t, "groups", "join", "--dir", dir, ""))
	require.Contains(t, completed(t, "help", "groups", ""), "import")
}

// TestGroupsImportMoves: import --create makes the kind, unless a row is wrong, and --move takes members from other groups.
func TestGroupsImportMoves(t *testing.T) {
	dir := guilds(t)
	file := filepath.Join(t.TempDir(), "m.csv")
	load := func(text string, args ...string) string {
		return must(t, append([]string{"groups", "import", "--dir", dir, "--format", "csv", args[0], write(t, file, text)}, args[1:]...)...)
	}
	fails(t, 1, "no such kind of groups", "groups", "import", "--dir", dir, "country", write(t, file, "member,group\nada,fr\n"))
	fails(t, 1, "m.csv:3: ", "groups", "import", "--dir", dir, "--create", "country", write(t, file, "member,group\nada,fr\n,de\n"))
	fails(t, 1, "no such kind of groups", "groups", "list", "--dir", dir, "country")
	require.Equal(t, "kind,created,joined,moved,present\ncountry,2,2,0,0\n", load("member,group\nada,fr\nbea,de\n", "country", "--create"))
	require.Equal(t, "kind,created,joined,moved,present\nguild,1,1,2,1\n", load("member,group\nada,lions\nbea,bears\ncy,lions\ndan,lions\n", "guild", "--create", "--move"))
	require.Equal(t, "kind,created,joined,moved,present\nguild,0,0,0,2\n", load("member,group\nada,lions\nbea,bears\n", "guild", "--move"))
	fails(t, 1, `m.csv:3: board: member is in a group already: "ada"`, "groups", "import", "--dir", dir, "--move", "guild", write(t, file, "member,group\nada,bears\nada,wolves\n"))
	require.Contains(t, must(t, "top", "--dir", dir, "--format", "csv", "arena/guilds"), "1,lions,")
	must(t, "check", "--dir", dir)
}

// TestMemberColumns: the CSV of a member's places has a named column for each of the score's.
func TestMemberColumns(t *testing.T) {
	dir := guilds(t)
	require.Contains(t, must(t, "member", "--dir", dir, "--format", "csv", "arena", "ada"),
		"window,period,state,rank,points,kills,new rank,new points,new kills,moved\nall,all,open,1,10,2,,,,\n")
	require.Contains(t, must(t, "ban", "--dir", dir, "--format", "csv", "--dry-run", "arena", "ada"), "all,all,open,1,10,2,,,,")
}
