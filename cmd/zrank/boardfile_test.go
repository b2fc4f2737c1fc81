package main

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestBoardFile exports boards, imports them into a new directory, and exports them again: to the same bytes.
func TestBoardFile(t *testing.T) {
	tmp := t.TempDir()
	dir, other := filepath.Join(tmp, "data"), filepath.Join(tmp, "other")
	must(t, "demo", "--dir", dir, "--players", "300", "--results", "4500", "--weeks", "3")
	first, second := filepath.Join(tmp, "a.jsonl"), filepath.Join(tmp, "b.jsonl")
	require.Contains(t, must(t, "export", "--dir", dir, "--format", "jsonl", first), "speedrun")
	require.Contains(t, must(t, "import", "--dir", other, "--dry-run", first), "arena")
	require.NoDirExists(t, other)
	require.Contains(t, must(t, "import", "--dir", other, first), "arena")
	text, err := os.ReadFile(first)
	require.NoError(t, err)
	must(t, "export", "--dir", other, "--format", "jsonl", second, "arena", "ladder", "speedrun")
	again, err := os.ReadFile(second)
	require.NoError(t, err)
	require.Equal(t, string(text), string(again))
	for _, look := range [][]string{{"top", "--window", "week", "--period", "2026-W41", "arena"}, {"top", "speedrun"}} {
		require.Equal(t, must(t, append(look, "--dir", dir)...), must(t, append(look, "--dir", other)...))
	}
	require.Contains(t, must(t, "import", "--dir", other, first), "was there already")

	cut := write(t, filepath.Join(tmp, "cut.jsonl"), string(text[:len(text)-100]))
	fails(t, 1, "unexpected EOF (2 boards before it)", "import", "--dir", filepath.Join(tmp, "third"), cut)
	require.Contains(t, must(t, "import", "--dir", filepath.Join(tmp, "third"), first), "speedrun")
	fails(t, 1, "no such board", "export", "--dir", dir, "--format", "jsonl", filepath.Join(tmp, "c"), "nothing")
	require.NoFileExists(t, filepath.Join(tmp, "c"))
	fails(t, 2, "want rdb, jsonl or csv", "export", "--dir", dir, "--format", "xml", "x")
	fails(t, 2, "boards are for --format jsonl and csv", "export", "--dir", dir, "x", "arena")
	r := zrank(strings.NewReader(""), "export", "--dir", dir, "--format", "jsonl", "-", "ladder")
	require.Zero(t, r.code, r.errs)
	require.True(t, strings.HasPrefix(r.out, `{"board":{"name":"ladder"`))
}

// TestBoardCSV exports boards as CSV: the rows are those of top, of all windows and periods.
func TestBoardCSV(t *testing.T) {
	tmp := t.TempDir()
	dir, file := filepath.Join(tmp, "data"), filepath.Join(tmp, "a.csv")
	must(t, "demo", "--dir", dir, "--players", "300", "--results", "4500", "--weeks", "3")
	report := must(t, "export", "--dir", dir, "--format", "csv", file, "speedrun", "arena")
	require.Contains(t, report, "speedrun")
	f, err := os.Open(file)
	require.NoError(t, err)
	defer f.Close()
	all, err := csv.NewReader(f).ReadAll()
	require.NoError(t, err)
	require.Equal(t, []string{"board", "window", "period", "rank", "member", "seconds", "score", "reached", "meta"}, all[0])
	for _, look := range [][]string{{"speedrun", "week", "2026-W41"}, {"speedrun", "all", "all"}, {"arena", "month", "2026-10"}, {"arena", "week", "2026-W42"}} {
		want, err := csv.NewReader(strings.NewReader(must(t, "top", "--dir", dir, "--format", "csv", "-n", "1000", "--window", look[1], "--period", look[2], look[0]))).ReadAll()
		require.NoError(t, err)
		require.NotEmpty(t, want[1:], look)
		var got [][]string
		for _, row := range all[1:] {
			if slices.Equal(row[:3], look) {
				require.NotEmpty(t, row[7])
				got = append(got, append(slices.Clone(row[:5]), row[5]+row[6])) // a board has one of the two columns
			}
		}
		require.Equal(t, want[1:], got, look)
	}
	fails(t, 1, "no such board", "export", "--dir", dir, "--format", "csv", filepath.Join(tmp, "c"), "nothing")
	require.NoFileExists(t, filepath.Join(tmp, "c"))
	r := zrank(strings.NewReader(""), "export", "--dir", dir, "--format", "csv", "-", "ladder")
	require.Zero(t, r.code, r.errs)
	require.True(t, strings.HasPrefix(r.out, "board,window,period,rank,member,score,reached,meta\nladder,all,all,1,"), r.out)
	require.Contains(t, r.errs, "ladder")
	require.Equal(t, []string{"rdb", "jsonl", "csv"}, completed(t, "export", "--format", ""))
	fails(t, 1, "", "import", "--dir", filepath.Join(tmp, "other"), file)
}

// TestBoardFileOfGuilds exports a board of groups and what it follows, in any order, with the groups, and imports all of it where there is nothing, and where there are other groups.
func TestBoardFileOfGuilds(t *testing.T) {
	dir := guilds(t)
	other, file := dir+"-other", dir+".jsonl"
	report := must(t, "export", "--dir", dir, "--format", "jsonl", file, "arena/guilds", "arena")
	require.Regexp(t, `(?m)^ +guild +2 +3 *$`, report)
	require.Contains(t, report, "arena/guilds")
	require.Regexp(t, `(?m)^ +guild +2 +3 *$`, must(t, "import", "--dir", other, "--dry-run", file))
	require.NoDirExists(t, other)
	require.Contains(t, must(t, "import", "--dir", other, file), "arena/guilds")
	look := func(dir string) (text string) {
		for _, at := range [][]string{{"--window", "all"}, {"--window", "week", "--period", "2026-W47"}, {"--window", "week", "--period", "2026-W48"}} {
			text += must(t, append([]string{"top", "--dir", dir, "--format", "csv", "arena/guilds"}, at...)...)
		}
		return text + must(t, "groups", "show", "--dir", dir, "guild", "wolves")
	}
	require.Equal(t, look(dir), look(other))
	again := must(t, "export", "--dir", other, "--format", "jsonl", "-")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	lines := func(text string) []string { // without the last week, which is over by now: the import closes it
		return slices.DeleteFunc(strings.Split(text, "\n"), func(line string) bool {
			return strings.Contains(line, `"window":"week","through"`) || strings.Contains(line, `"period":"2026-W48"`)
		})
	}
	require.ElementsMatch(t, lines(string(text)), lines(again)) // boards in another order
	require.Equal(t, 3, strings.Count(must(t, "import", "--dir", other, file), "was there already"))
	require.Regexp(t, `(?m)^problems +none$`, must(t, "check", "--dir", other))

	must(t, "export", "--dir", dir, "--format", "jsonl", dir+".arena", "arena") // groups that there are stay as they are
	must(t, "import", "--dir", dir+"-third", dir+".arena")
	must(t, "groups", "define", "--dir", dir+"-third", "guild")
	report = must(t, "import", "--dir", dir+"-third", file)
	require.Equal(t, 2, strings.Count(report, "was there already"), report)
	require.Regexp(t, `(?m)^problems +none$`, must(t, "check", "--dir", dir+"-third"))
	fails(t, 1, "no such group", "groups", "show", "--dir", dir+"-third", "guild", "wolves")
}
