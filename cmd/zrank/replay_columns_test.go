package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestScoreAndDelta: where a file has both columns, --column or the spec chooses one. A delta column is summed.
func TestScoreAndDelta(t *testing.T) {
	const text = "time,member,score,delta\n1,ada,10,1\n2,ada,20,2\n"
	_, r := replayText(t, text)
	require.Equal(t, 1, r.code)
	require.Contains(t, r.errs, `exactly one of the columns "delta" and "score", has both; --column score or --column delta says which`)
	for column, want := range map[string]string{"score": "20", "delta": "3"} {
		dir, r := replayText(t, text, "--column", column)
		require.Zero(t, r.code, r.errs)
		require.Equal(t, want+"\n", must(t, "score", "--dir", dir, "main", "ada"))
	}
	dir, r := replayText(t, text, "--spec", write(t, filepath.Join(t.TempDir(), "s.json"), `{"name": "x", "columns": [{"name": "score"}]}`))
	require.Zero(t, r.code, r.errs)
	require.Equal(t, "20\n", must(t, "score", "--dir", dir, "x", "ada"))
}

// TestForeignColumns: --ignore-columns leaves columns out, and --rename reads columns under another name.
func TestForeignColumns(t *testing.T) {
	const text = "when,player,nation,points,level\n1,ada,fr,10,7\n2,bea,de,5,8\n"
	const want = "board,window,period,rank,member,score\nmain,all,all,1,ada,10\nmain,all,all,2,bea,5\n"
	_, r := replayText(t, text)
	require.Contains(t, r.errs, `unknown column "when"`)
	require.Contains(t, r.errs, "--rename")
	require.Contains(t, r.errs, "--ignore-columns")
	rename := []string{"--rename", "when=time,player=member", "--rename", "points=score"}
	for _, ignore := range []string{"nation,level", "*", "level,*,nothing"} {
		_, r = replayText(t, text, append(rename, "--ignore-columns", ignore)...)
		require.Zero(t, r.code, r.errs)
		require.Equal(t, want, r.out)
	}
	_, r = replayText(t, text, append(rename, "--ignore-columns", "nation")...)
	require.Contains(t, r.errs, `unknown column "level"`)
	_, r = replayText(t, text, append(rename, "--ignore-columns", "*", "--rename", "colour=board")...)
	require.Contains(t, r.errs, `no column "colour", which --rename names`)
	for _, flags := range [][]string{{"--rename", "x"}, {"--rename", "=x"}, {"--rename", "x="}, {"--rename", "x=a,x=b"}, {"--rename", "x=a", "--ignore-columns", "x"}} {
		_, r = replayText(t, text, flags...)
		require.Equal(t, 2, r.code, r.errs)
		require.Contains(t, r.errs, "--rename")
	}
	_, r = replayText(t, "time,member,score,board\n1,ada,10,x\n", "--ignore-columns", "board", "--board", "y")
	require.Contains(t, r.out, "y,all,all,1,ada,10\n")
}

// TestOtherColumnsLater: replay refuses to go on with a file if its columns are read differently than before.
func TestOtherColumnsLater(t *testing.T) {
	tmp := t.TempDir()
	dir, path := filepath.Join(tmp, "data"), filepath.Join(tmp, "in.csv")
	text := "time,member,a,b\n1,ada,1,10\n"
	must(t, "replay", "--dir", dir, "--rename", "a=score", "--ignore-columns", "*", write(t, path, text))
	write(t, path, text+"2,ada,2,20\n")
	fails(t, 1, `was replayed with other columns: score is "b", not "a"`, "replay", "--dir", dir, "--rename", "b=score", "--ignore-columns", "*", path)
	must(t, "replay", "--dir", dir, "--rename", "a=score", "--ignore-columns", "b", path)
	require.Equal(t, "2\n", must(t, "score", "--dir", dir, "main", "ada"))
}

// TestEmptyBoard: an empty cell in the column board makes a bad row.
func TestEmptyBoard(t *testing.T) {
	text := "time,member,delta,board\n1,ada,1,x\n2,ada,2,\n"
	_, r := replayText(t, text)
	require.Equal(t, 1, r.code)
	require.Contains(t, r.errs, "in.csv:3: board is empty")
	_, r = replayText(t, text, "--skip-bad")
	require.Equal(t, "board,window,period,rank,member,score\nx,all,all,1,ada,1\n", r.out)
}

// TestAnyBytes: replay accepts members that are not UTF-8, as the library does, and refuses such board names.
func TestAnyBytes(t *testing.T) {
	dir, r := replayText(t, "time,member,delta\n1,\xff\xfe,1\n2,a\xc3,2\n3,\xff\xfe,4\n")
	require.Zero(t, r.code, r.errs)
	require.Contains(t, must(t, "score", "--dir", dir, "main", "\xff\xfe"), "5\n")
	require.Contains(t, must(t, "score", "--dir", dir, "main", "a\xc3"), "2\n")
	_, r = replayText(t, "time,member,delta,board\n1,ada,1,\xff\n")
	require.Contains(t, r.errs, "not valid UTF-8")
}

// TestAppended: replay goes on with a file that has grown, plain or gzipped, and whether the run before finished or failed. It needs no flag.
func TestAppended(t *testing.T) {
	rows := []string{"1,ada,1\n", "2,bea,2\n", "bad\n", "3,ada,4\n"}
	for name, packed := range map[string]func(string) string{"plain": func(s string) string { return s }, "gzip": gzipped} {
		t.Run(name, func(t *testing.T) {
			tmp := t.TempDir()
			dir, path := filepath.Join(tmp, "data"), filepath.Join(tmp, "in.csv")
			for n := range len(rows) {
				write(t, path, packed(rowsHead+strings.Join(rows[:n+1], "")))
				r := zrank(nil, "replay", "--dir", dir, "--skip-bad", path)
				require.Zero(t, r.code, r.errs)
				again := must(t, "replay", "--dir", dir, path)
				require.Equal(t, r.out, again)
			}
			require.Equal(t, "5\n", must(t, "score", "--dir", dir, "main", "ada"))
			write(t, path, packed(rowsHead+"1,ada,7\n"+strings.Join(rows[1:], "")))
			fails(t, 1, "not the same any more", "replay", "--dir", dir, path)
		})
	}
	t.Run("unfinished", func(t *testing.T) {
		tmp := t.TempDir()
		dir, path := filepath.Join(tmp, "data"), filepath.Join(tmp, "in.csv")
		fails(t, 1, "where the header has 3", "replay", "--dir", dir, write(t, path, rowsHead+"1,ada,1\nbad\n3,ada,4\n"))
		r := zrank(nil, "replay", "--dir", dir, "--skip-bad", write(t, path, rowsHead+"1,ada,1\nbad\n3,ada,4\n4,ada,8\n"))
		require.Zero(t, r.code, r.errs)
		require.Equal(t, "13\n", must(t, "score", "--dir", dir, "main", "ada"))
	})
}

// TestReplayRanks numbers equal scores in the tables of replay as the other commands do.
func TestReplayRanks(t *testing.T) {
	for mode, want := range map[string]string{"ordinal": "123", "competition": "113", "modified": "223", "dense": "112"} {
		_, r := replayText(t, rowsHead+"1,a,5\n2,b,5\n3,c,4\n", "--ranks", mode)
		require.Zero(t, r.code, r.errs)
		got := ""
		for _, line := range strings.Split(strings.TrimSpace(r.out), "\n")[1:] {
			got += strings.Split(line, ",")[3]
		}
		require.Equal(t, want, got, mode)
	}
}

// TestReplayMemoryLimit gives the same tables with next to no memory.
func TestReplayMemoryLimit(t *testing.T) {
	text := rowsHead + strings.Join(feedRows(200), "")
	_, want := replayText(t, text, "--window", "all,day")
	_, got := replayText(t, text, "--window", "all,day", "--memory-limit", "1B", "--batch", "10")
	require.Zero(t, got.code, got.errs)
	require.Equal(t, want.out, got.out)
}
