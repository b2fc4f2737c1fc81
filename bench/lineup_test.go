package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/bench/internal/measure"
	"github.com/zrankdb/zrank/bench/internal/report"
	"github.com/zrankdb/zrank/bench/internal/workload"
)

// smallFile is 300 events of 150 members, whose columns have names of their own, in a directory that the test is then in.
func smallFile(t *testing.T) string {
	var b strings.Builder
	b.WriteString("team,points\n")
	for i := range 300 {
		fmt.Fprintf(&b, "team %d,%d\n", i%150, 1+i/150)
	}
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("season.csv", []byte(b.String()), 0o600))
	return "season.csv?member=team&delta=points"
}

func TestCompareReplaysAFile(t *testing.T) {
	file := smallFile(t)
	dir := t.TempDir()
	out, _, err := bench("compare", "--workload", file, "--budget", "1ms", "--peers", "map", "--dir", dir)
	require.NoError(t, err)
	assert.Contains(t, out, "n = 150 members of 7 bytes, workload "+file)
	assert.Contains(t, out, "replay, an event of the file")
	assert.Contains(t, out, "another size or load; this is n = 150, "+file)
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Empty(t, left, "what was made is gone")

	_, _, err = bench("compare", "--workload", file, "--n", "1e3")
	assert.ErrorContains(t, err, "--n is 1000, but the file that --workload names has 150 members; leave it out")
	_, _, err = bench("growth", "--workload", file, "--peers", "map")
	assert.ErrorContains(t, err, "has 150 members and cannot grow; compare replays it")
}

func TestGrowthAsJSONAndPrintedAgain(t *testing.T) {
	s, tables, markdown, progress := printedAgain(t, "growth", "--to", "1500", "--budget", "1ms", "--peers", "map,pebble", "--workload", "append")
	assert.Contains(t, progress, "3 peers agree with the model")
	assert.Contains(t, progress, "n = 1000, repetition 3 of 3: map ... ")
	assert.Equal(t, report.Growth, s.Kind)
	assert.Equal(t, 1000, s.N, "the largest size")
	sizes, systems := map[int]int{}, map[string]int{}
	for _, x := range s.Samples {
		sizes[x.N]++
		systems[x.System]++
		assert.Len(t, x.Figures, 1)
	}
	assert.Equal(t, map[string]int{"zset": 3 * 2 * 6, "map": 3 * 2 * 3, "pebble": 3 * 2 * 4}, systems)
	assert.Len(t, sizes, 2)
	for _, text := range []string{"rank of a member", "memory per member", "--to 1000 --peers map,pebble --workload append --budget 1ms"} {
		assert.Contains(t, tables, text)
		assert.Contains(t, markdown, text)
	}
	t.Logf("%d samples", len(s.Samples))
}

func TestLatencyAsJSONAndPrintedAgain(t *testing.T) {
	file := smallFile(t)
	s, tables, markdown, _ := printedAgain(t, "latency", "--budget", "2ms", "--peers", "counted", "--workload", file)
	assert.Equal(t, report.Latency, s.Kind)
	assert.Equal(t, 150, s.N)
	assert.Len(t, s.Samples, 3*(1+2*len(measure.Timed)))
	for _, x := range s.Samples {
		assert.NotEmpty(t, x.Points, x.Line)
		assert.Equal(t, 100.0, x.Points[len(x.Points)-1][0])
		assert.Positive(t, x.Figures["calls"])
	}
	for _, text := range []string{"two looks at the clock", "increment, zipf", "coordinated omission", "'" + file + "'"} {
		assert.Contains(t, tables, text)
		assert.Contains(t, markdown, text)
	}
}

func TestLatencyAndGrowthWithoutSense(t *testing.T) {
	for _, c := range []struct{ command, flag, value, want string }{
		{"latency", "--n", "1e3,1e4", "latency takes one size"},
		{"latency", "--repetitions", "1", "need 3 or more"},
		{"latency", "--workload", "rush", `no workload "rush"`},
		{"growth", "--to", "50", "want a whole number from 100"},
		{"growth", "--to", "1e8", "--to is 100000000; the most is 10000000"},
		{"growth", "--peers", "valkey", `no peer "valkey"`},
		{"durable", "--n", "500", "--n is 500; it must be 1000 or more"},
	} {
		_, _, err := bench(c.command, c.flag, c.value)
		assert.ErrorContains(t, err, c.want, "%s %s %s", c.command, c.flag, c.value)
	}
}

func TestWorkloadsAreListed(t *testing.T) {
	out, _, err := bench("workloads")
	require.NoError(t, err)
	for _, w := range workload.All {
		assert.Contains(t, out, w.Name+": "+w.What+"\n")
	}
	assert.Contains(t, out, "FILE.csv[.gz]: replay of a file")
}

func TestTargetsAreListed(t *testing.T) {
	out, _, err := bench("targets")
	require.NoError(t, err)
	assert.Equal(t, len(report.Rows()), strings.Count(out, "not measured"))
	out, _, err = bench("targets", "results/2026-11-21.json", "results/2026-11-22-resp.json")
	require.NoError(t, err)
	assert.Contains(t, out, "  met ")
	_, _, err = bench("targets", filepath.Join(t.TempDir(), "none.json"))
	assert.ErrorIs(t, err, os.ErrNotExist)
}

// TestEveryResultIsReadable prints what earlier programs wrote.
func TestEveryResultIsReadable(t *testing.T) {
	files, err := filepath.Glob("results/*.json")
	require.NoError(t, err)
	assert.GreaterOrEqual(t, len(files), 3)
	for _, name := range files {
		for _, args := range [][]string{{"table", name}, {"table", name, "--markdown"}} {
			_, _, err := bench(args...)
			assert.NoError(t, err)
		}
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		assert.True(t, json.Valid(text))
	}
	t.Logf("%d files", len(files))
}
