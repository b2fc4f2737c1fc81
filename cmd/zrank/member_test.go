package main

import (
	"encoding/csv"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/cmd/zrank/internal/datadir"
	"github.com/zrankdb/zrank/engine"
)

// TestMembersOfAnyBytes: every command accepts members of any bytes, and shows two different members differently.
func TestMembersOfAnyBytes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	members := []string{"\xff\xfe", `\xff\xfe`, `\\xff\xfe`, "a\x00b", `a\x00b`, "-n", "\ufffd\ufffd", "\xf0\x9f", "大谷", "tab\t"}
	require.NoError(t, datadir.OpenEngine(dir, engine.Options{}, func(e *engine.Engine) error {
		boards, err := local.Open(e, local.Options{})
		if err != nil {
			return err
		}
		defer boards.Close()
		b, err := boards.Define(t.Context(), board.Spec{Name: "x", Windows: []board.Window{board.All, board.Week}})
		if err != nil {
			return err
		}
		for i, m := range members {
			if _, err := b.Submit(t.Context(), board.Submission{Member: m, Score: board.Ints(int64(len(members) - i))}); err != nil {
				return err
			}
		}
		_, err = b.CloseNow(t.Context(), "week")
		return err
	}))
	top := must(t, "top", "--dir", dir, "x")
	for _, cell := range []string{`  \xff\xfe  `, `  \\xff\\xfe  `, `  \\\\xff\\xfe  `, `  a\x00b  `, `  a\\x00b  `, `  \xf0\x9f  `, `  tab\t  `} {
		require.Equal(t, 1, strings.Count(top, cell), "%s\n%s", cell, top)
	}
	rows, err := csv.NewReader(strings.NewReader(must(t, "top", "--dir", dir, "--format", "csv", "x"))).ReadAll()
	require.NoError(t, err)
	for i, m := range members {
		require.Equal(t, m, rows[i+1][4])
	}
	lines := strings.Split(must(t, "top", "--dir", dir, "--format", "json", "x"), "\n")
	for i, m := range members {
		var row struct{ Member string }
		require.NoError(t, json.Unmarshal([]byte(lines[i]), &row))
		for _, command := range []string{"rank", "score", "around", "history"} {
			named := []string{command, "--dir", dir, "--format", "csv", "x"}
			byBytes := must(t, append(named, "--", m)...)
			require.Contains(t, byBytes, m[:1], command)
			require.Equal(t, byBytes, must(t, append(named, "--", row.Member)...), command)
		}
	}
	require.Contains(t, must(t, "history", "--dir", dir, "--format", "json", "x", "base64:__4"), `"member":"base64:__4"`)
	require.Contains(t, must(t, "history", "--dir", dir, "x", "base64:__4"), `\xff\xfe`)
	fails(t, 1, `board: member is not ranked: "\xff\xff"`, "rank", "--dir", dir, "x", "\xff\xff")
	for _, command := range []string{"rank", "score", "around", "history"} {
		fails(t, 2, `MEMBER is "base64:*", want base64url behind base64:`, command, "--dir", dir, "x", "base64:*")
	}
}
