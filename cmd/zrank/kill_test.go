package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/cmd/zrank/internal/season"
	"github.com/zrankdb/zrank/internal/matrix"
)

// TestRow01KillReplay kills a replay with SIGKILL at random moments and runs it again, and expects the tables of one run without
// kills, byte for byte, at the end and whenever a run finished before its kill.
func TestRow01KillReplay(t *testing.T) {
	results := matrix.Pick(4000, 30_000)
	t.Run("season", func(t *testing.T) {
		killReplay(t, seasonFile(t, results), "--window", "all,day", "--column", "score:float64")
	})
	t.Run("goals", func(t *testing.T) { killReplay(t, goals(t, results), "--window", "all,year") })
	t.Run("closings", func(t *testing.T) {
		spec := write(t, filepath.Join(t.TempDir(), "spec.json"), closingSpec)
		killReplay(t, seasonFile(t, results/3), "--spec", spec, "--skip-bad")
	})
	t.Run("removals", func(t *testing.T) {
		tmp := t.TempDir()
		text, _ := removalRows(rand.New(rand.NewPCG(1, 0)), results/4)
		killReplay(t, write(t, filepath.Join(tmp, "in.csv"), text), "--spec", write(t, filepath.Join(tmp, "spec.json"), removalSpec))
	})
}

// goals returns a file of the first real goals.
func goals(t *testing.T, first int) string {
	path := sharedData(t, "goals/goals.csv.gz")
	lines := strings.SplitAfter(unzip(t, path), "\n")
	return write(t, filepath.Join(t.TempDir(), "goals.csv"), strings.Join(lines[:min(first, len(lines))], ""))
}

// closingSpec has periods that close while a simulated season goes on: days with an hour of grace, of which 20 are kept, and seasons
// with a gap between them, in which rows count for days alone.
const closingSpec = `{"name": "x", "columns": [{"name": "score", "kind": "float64"}], "op": "sum", "windows": [
	"day@Asia/Shanghai+1h#20",
	{"kind": "seasons", "zone": "Europe/Berlin", "seasons": [
		{"name": "early", "start": "2026-10-01", "end": "2026-10-20T12:00:00"}, {"name": "late", "start": "2026-10-22", "end": "2026-12-01"}]}]}`

// killReplay replays input into one directory again and again, and kills most runs. After a run that finishes it takes a new directory.
// Every finished run must print what a single run without kills prints.
func killReplay(t *testing.T, input string, flags ...string) {
	args := func(dir string) []string {
		return append([]string{"replay", "--dir", dir, "--format", "json", "--batch", "50", input}, flags...)
	}
	want := must(t, args(filepath.Join(t.TempDir(), "whole"))...)
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	kills := matrix.Pick(8, 500)
	finished, rounds := 0, 0
	dir := filepath.Join(t.TempDir(), "data")
	for killed := 0; killed < kills || finished == 0; rounds++ {
		require.Less(t, rounds, 50*kills, "runs finish before they can be killed, or never")
		var out, errs bytes.Buffer
		c := process(args(dir)...)
		c.Stdout, c.Stderr = &out, &errs
		require.NoError(t, c.Start())
		delay := 5 + rng.IntN(300+20*killed) // in ms; it grows, so that a run finishes on a slow machine too
		kill := time.AfterFunc(time.Duration(delay)*time.Millisecond, func() { c.Process.Kill() })
		err := c.Wait()
		kill.Stop()
		if err == nil {
			require.Equal(t, want, out.String(), "after %d kills", killed)
			finished++
			dir = filepath.Join(t.TempDir(), fmt.Sprint("data", rounds))
			continue
		}
		require.Equal(t, -1, c.ProcessState.ExitCode(), "not killed but failed: %s", errs.String())
		killed++
	}
	last := zrank(nil, args(dir)...)
	require.Equal(t, want, last.out, "after the last kill")
	require.Equal(t, want, must(t, args(dir)...), "run again when finished")
	matrix.Row(t, 1, "%d kills of a replay of %s, %d runs finished in between, %d tables equal to one run without kills", kills, filepath.Base(input), finished, finished+2)
}

// seasonFile writes a simulated season as CSV.
func seasonFile(t *testing.T, results int) string {
	t.Helper()
	s, err := season.New(season.Config{Seed: 1, Players: 2000, Results: results})
	require.NoError(t, err)
	var b strings.Builder
	b.WriteString("member,time,score,board\n")
	for r := range s.All() {
		fmt.Fprintf(&b, "%s,%s,%v,%s\n", r.Player, r.Time.Format(time.RFC3339Nano), r.Score, r.Board)
	}
	return write(t, filepath.Join(t.TempDir(), "season.csv"), b.String())
}

// TestKillTwoFiles kills a replay of two files into the same boards: each position is in the commit of its own scores.
func TestKillTwoFiles(t *testing.T) {
	text, _ := os.ReadFile(seasonFile(t, 4000))
	lines := strings.SplitAfter(string(text), "\n")
	half := len(lines) / 2
	tmp := t.TempDir()
	one := write(t, filepath.Join(tmp, "one.csv"), strings.Join(lines[:half], ""))
	two := write(t, filepath.Join(tmp, "two.csv"), lines[0]+strings.Join(lines[half:], ""))
	args := func(dir string) []string {
		return []string{"replay", "--dir", dir, "--op", "sum", "--column", "score:float64", "--batch", "20", "--format", "json", one, two}
	}
	want := must(t, args(filepath.Join(tmp, "whole"))...)
	dir := filepath.Join(tmp, "killed")
	for i := range 10 {
		c := process(args(dir)...)
		require.NoError(t, c.Start())
		kill := time.AfterFunc(time.Duration(20+10*i)*time.Millisecond, func() { c.Process.Kill() })
		c.Wait()
		kill.Stop()
	}
	require.Equal(t, want, must(t, args(dir)...))
}
