package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/bench/internal/measure"
	"github.com/zrankdb/zrank/bench/internal/peers"
	"github.com/zrankdb/zrank/bench/internal/report"
	"github.com/zrankdb/zrank/bench/internal/workload"
)

// TestMain lets the test program be the subprocess that a command starts.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && (os.Args[1] == "measure" || os.Args[1] == "child") {
		main()
		return
	}
	os.Exit(m.Run())
}

// bench runs the program with these arguments.
func bench(args ...string) (stdout, stderr string, err error) {
	var out, errs bytes.Buffer
	root := newRoot()
	root.SetArgs(args)
	root.SetOut(&out)
	root.SetErr(&errs)
	err = root.Execute()
	return out.String(), errs.String(), err
}

func TestCompareAsJSONAndPrintedAgain(t *testing.T) {
	t.Setenv("PATH", t.TempDir()) // no redis-server
	out, progress, err := bench("compare", "--n", "1100,200", "--budget", "1ms", "--dir", t.TempDir(), "--json")
	require.NoError(t, err)
	assert.Contains(t, progress, "no redis-server in the path: not measured")
	assert.Contains(t, progress, "9 peers agree with the model")
	assert.Contains(t, progress, "n = 1100, repetition 3 of 3: bytedance ... ")
	assert.Contains(t, progress, " s, about ")

	var rep report.Report
	require.NoError(t, json.Unmarshal([]byte(out), &rep))
	assert.NotEmpty(t, rep.Machine.Go)
	assert.Positive(t, rep.Machine.Cores)
	assert.Equal(t, peers.Names()[:9], rep.Peers)
	assert.Equal(t, "uniform", rep.Workload)
	require.Len(t, rep.Sizes, 2)
	for i, n := range []int{1100, 200} {
		size := rep.Sizes[i]
		assert.Equal(t, n, size.N)
		assert.Len(t, size.Runs, 3*len(rep.Peers))
		assert.Len(t, size.Targets, len(report.Targets))
		for _, j := range size.Targets {
			assert.NotEqual(t, report.NotMeasured, j.Verdict, "%s against %s", j.What, j.Peer)
		}
		// Each repetition begins with another peer.
		assert.NotEqual(t, size.Runs[0].Peer, size.Runs[len(rep.Peers)].Peer)
	}

	raw := filepath.Join(t.TempDir(), "raw.json")
	require.NoError(t, os.WriteFile(raw, []byte(out), 0o600))
	tables, _, err := bench("table", raw)
	require.NoError(t, err)
	for _, d := range measure.Descriptions {
		assert.Equal(t, d.Metric != measure.Replay, strings.Contains(tables, d.Title), d.Title)
	}
	assert.Contains(t, tables, "pebble: wall time")
	for _, target := range report.Targets {
		assert.Contains(t, tables, target.What)
	}
	assert.Contains(t, tables, "n = 1,100 members of 20 bytes")
	assert.Contains(t, tables, "n = 200 members of 20 bytes")
	assert.Contains(t, tables, "median over 3 repetitions")
	for line := range strings.SplitSeq(tables, "\n") {
		assert.LessOrEqual(t, utf8.RuneCountInString(line), report.Width, line)
	}

	markdown, _, err := bench("table", raw, "--markdown")
	require.NoError(t, err)
	for _, p := range peers.All[:9] {
		if p.Name != "map" {
			assert.Contains(t, markdown, " "+p.Title+" |")
		}
	}
	assert.Contains(t, markdown, "compare --n 200`")
}

func TestTableOfWhatIsNoReport(t *testing.T) {
	_, _, err := bench("table", filepath.Join(t.TempDir(), "none.json"))
	assert.ErrorIs(t, err, os.ErrNotExist)
	for text, want := range map[string]string{
		"# README":            "not a report in JSON",
		"{}":                  "zset is not the first of its peers",
		`{"peers": ["map"]}`:  "zset is not the first of its peers",
		`{"peers": ["zset"]}`: "it has no sizes",
		`{"peers": ["zset"], "sizes": [{"n": 7, "runs": [{"peer": "redis"}]}]}`: `n = 7 has a run of "redis", which is not among the peers`,
	} {
		raw := filepath.Join(t.TempDir(), "raw.json")
		require.NoError(t, os.WriteFile(raw, []byte(text), 0o600))
		_, _, err := bench("table", raw)
		assert.ErrorContains(t, err, raw+": ")
		assert.ErrorContains(t, err, want)
	}
}

func TestCompareWithSomePeersPrintsTables(t *testing.T) {
	out, _, err := bench("compare", "--n", "2000", "--budget", "2ms", "--peers", "map")
	require.NoError(t, err)
	assert.Contains(t, out, "score look-up")
	assert.Contains(t, out, "not measured", "tidwall was left out")
	assert.NotContains(t, out, "google")
}

func TestFlagsThatMakeNoSense(t *testing.T) {
	for _, c := range []struct{ flag, value, want string }{
		{"--n", "12", "want a whole number from 100 to 100000000, such as 1e6"},
		{"--n", "1.5e0", "want a whole number"},
		{"--n", "many", "want a whole number"},
		{"--n", "NaN", "want a whole number"},
		{"--n", "1e3,", `want a whole number from 100 to 100000000, such as 1e6, not ""`},
		{"--n", "1e3,1e5,1000", "1000 is there twice"},
		{"--repetitions", "2", "need 3 or more"},
		{"--budget", "0s", "must be positive"},
		{"--peers", "valkey", `no peer "valkey"; there are zset, `},
		{"--workload", "rush", `no workload "rush"; there are uniform, zipf, hottail, append, small, and FILE.csv`},
		{"--workload", "none.csv", "none.csv: no such file"},
		{"--dir", filepath.Join(t.TempDir(), "none"), "no such file"},
	} {
		_, _, err := bench("compare", c.flag, c.value)
		assert.ErrorContains(t, err, c.want, "%s %s", c.flag, c.value)
	}
}

func TestAFailingSubprocessIsReported(t *testing.T) {
	l := lineup{repetitions: 3, budget: 1, workload: workload.Uniform, dir: t.TempDir()}
	_, err := l.subprocess(t.Context(), task{n: 1, peer: peers.All[0]}, "", nil) // n = 1 is refused by the flag of measure
	assert.ErrorContains(t, err, "measure zset")
	assert.ErrorContains(t, err, "want a whole number")
}

func TestTheEstimateOfWhatIsLeft(t *testing.T) {
	at := func(n size, peer string) task { return task{n: n, peer: peers.Peer{Name: peer}} }
	rest := []task{at(1000, "zset"), at(1000, "huandu")}
	assert.Equal(t, "10 s", pace{}.left(rest), "nothing known")
	known := pace{{at(1000, "zset"), 2}, {at(1000, "zset"), 4}}
	assert.Equal(t, "6 s", known.left(rest), "huandu as the mean of the others")
	known = append(known, timed{at(1000, "huandu"), 297})
	assert.Equal(t, "5 min", known.left(rest))
	assert.Equal(t, "3 min", known.left([]task{at(1e7, "zset")}), "another size says nothing")
}
