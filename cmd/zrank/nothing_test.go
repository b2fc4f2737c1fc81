package main

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/cmd/zrank/internal/datadir"
	"github.com/zrankdb/zrank/engine"
)

// setTime sets the time of the data in a directory.
func setTime(t *testing.T, dir, text string) {
	t.Helper()
	at, err := time.Parse(time.RFC3339, text)
	require.NoError(t, err)
	require.NoError(t, datadir.Open(dir, datadir.Existing, func(d *datadir.Data) error {
		return d.Engine.Update(t.Context(), func(tx *engine.Tx) error { return d.Clock.Put(tx, at) })
	}))
}

// TestNothing lists empty directories and boards: the output is one line that says so, or no row, and no error.
func TestNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	require.NoError(t, datadir.Open(dir, engine.Options{}, func(*datadir.Data) error { return nil }))
	for _, c := range []struct {
		table, csv string
		args       []string
	}{
		{"no board is defined yet\n", "board,columns,op,ties,windows,periods,members,memory,disk\n", []string{"boards"}},
		{"x · week: no period with members is closed yet\n", "period,start,end,members,rank,member,score,best\n", []string{"history", "x"}},
		{"x · week: no period with members is closed yet\n", "period,start,end,members,rank,member,score,best\n", []string{"history", "x", "ada"}},
		{"x · all: no period with members is closed yet\n", "period,start,end,members,rank,member,score,best\n", []string{"history", "--window", "all", "x"}},
		{"x · all\n nobody is ranked here\n", "board,window,period,rank,member,score\n", []string{"top", "x"}},
	} {
		args := append([]string{c.args[0], "--dir", dir}, c.args[1:]...)
		require.Equal(t, result{out: c.table}, zrank(nil, args...), c.args)
		require.Equal(t, result{out: c.csv}, zrank(nil, append(args, "--format", "csv")...), c.args)
		require.Equal(t, result{}, zrank(nil, append(args, "--format", "json")...), c.args)
		if c.args[0] == "boards" {
			require.NoError(t, datadir.Open(dir, engine.Options{}, func(d *datadir.Data) error {
				_, err := d.Boards.Define(t.Context(), board.Spec{Name: "x", Windows: []board.Window{board.All, board.Week}})
				return err
			}))
		}
	}
	fails(t, 1, `board: member is not ranked: "ada"`, "rank", "--dir", dir, "x", "ada")
	fails(t, 1, `board: member is not ranked: "ada"`, "around", "--dir", dir, "x", "ada")
	require.Contains(t, must(t, "periods", "--dir", dir, "--format", "csv", "x"), "all,all,,,live,0,")
}
