package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// played returns a data directory with a board in it.
func played(t *testing.T) string {
	tmp := t.TempDir()
	dir := filepath.Join(tmp, "data")
	must(t, "replay", "--dir", dir, "--window", "all,week", "--top", "0", write(t, filepath.Join(tmp, "in.csv"),
		"time,board,member,delta\n2026-11-20T10:00:00Z,x,ada,5\n2026-11-20T11:00:00Z,x,bea,7\n2026-11-27T11:00:00Z,x,cid,6\n"))
	return dir
}

const playedTop = "board,window,period,rank,member,score\nx,all,all,1,bea,7\nx,all,all,2,cid,6\nx,all,all,3,ada,5\n"

// TestTools checks a directory, backs it up, restores it and salvages it.
func TestTools(t *testing.T) {
	dir := played(t)
	backup, restored, salvaged := dir+"-backup", dir+"-restored", dir+"-salvaged"
	out := must(t, "check", "--dir", dir)
	require.Regexp(t, `(?m)^problems +none$`, out)
	require.Contains(t, out, "3 commits in 3 groups")
	require.Contains(t, must(t, "backup", "--dir", dir, backup), "checked")
	require.Contains(t, must(t, "restore", "--dir", restored, backup), "3 sets")
	require.Regexp(t, `(?m)^copied +3 sets.*\nmissing +nothing$`, must(t, "salvage", "--dir", backup, salvaged))
	for _, d := range []string{dir, backup, restored, salvaged} {
		require.Regexp(t, `(?m)^problems +none$`, must(t, "check", "--dir", d))
		require.Equal(t, playedTop, must(t, "top", "--dir", d, "--format", "csv", "x"))
	}
	fails(t, 1, "there already", "backup", "--dir", dir, backup)
	fails(t, 1, "there already", "restore", "--dir", dir, backup)
	fails(t, 1, "there already", "salvage", "--dir", backup, dir)
	for _, args := range [][]string{{"check", "--dir", dir + "-none"}, {"backup", "--dir", dir + "-none", dir + "-new"},
		{"restore", "--dir", dir + "-new", dir + "-none"}, {"salvage", "--dir", dir + "-none", dir + "-new"}} {
		fails(t, 1, "not a zrank store", args...)
		require.NoDirExists(t, dir+"-new")
	}
	for _, name := range []string{"check", "backup", "restore", "salvage"} {
		fails(t, 2, "zrank "+name+" takes", name, dir, dir+"-new")
		require.Contains(t, must(t, "help"), name)
		require.Contains(t, must(t, name, "--help"), "--dir")
	}
}

// TestCheckDamaged damages each file of a directory in turn. If check has read the damaged byte, it lists problems and exits with 1. Salvage
// always makes a directory that check finds whole, says whether anything is missing, and exits with 3 if so.
func TestCheckDamaged(t *testing.T) {
	dir := played(t)
	found := 0
	require.NoError(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil || len(text) == 0 {
			return err
		}
		bad := append([]byte{}, text...)
		bad[len(bad)/2] ^= 0x40
		if err := os.WriteFile(path, bad, 0o600); err != nil {
			return err
		}
		r := zrank(nil, "check", "--dir", dir)
		if r.code != 0 {
			found++
			require.Equal(t, 1, r.code, r.errs)
			require.Regexp(t, `(?m)^problem +\S`, r.out)
			require.Contains(t, r.errs, "zrank salvage")
			require.Equal(t, 1, strings.Count(r.errs, "\n"))
		}
		fresh := filepath.Join(t.TempDir(), "new")
		made := zrank(nil, "salvage", "--dir", dir, fresh)
		require.Contains(t, made.out, "copied")
		if r.code == 0 {
			require.Zero(t, made.code, made.errs)
			require.Regexp(t, `(?m)^missing +nothing$`, made.out)
		} else {
			require.Equal(t, 3, made.code, made.errs)
			require.NotRegexp(t, `(?m)^missing +nothing$`, made.out)
			require.Contains(t, made.errs, "has not everything")
		}
		must(t, "check", "--dir", fresh)
		return os.WriteFile(path, text, 0o600)
	}))
	require.GreaterOrEqual(t, found, 2)
	must(t, "check", "--dir", dir)
}

// TestToolsInUse: the tools refuse a directory that a process has open.
func TestToolsInUse(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	end := inUse(t, dir)
	fails(t, 1, "in use", "check", "--dir", dir)
	fails(t, 1, "stop the process that has it open, or if that is a Go program of yours let it call Engine.Compact", "compact", "--dir", dir)
	fails(t, 1, "stop the process that has it open, or if that is a Go program of yours let it call Engine.Backup", "backup", "--dir", dir, dir+"-new")
	fails(t, 1, "in use", "restore", "--dir", dir+"-new", dir)
	fails(t, 1, "in use", "salvage", "--dir", dir, dir+"-new")
	require.NoDirExists(t, dir+"-new")
	end()
}
