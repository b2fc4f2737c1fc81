package main

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/bench/internal/measure"
	"github.com/zrankdb/zrank/bench/internal/peers"
	"github.com/zrankdb/zrank/bench/internal/report"
)

// TestMain lets the test program be the subprocess that compare starts.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "measure" {
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

func TestCompareAsJSONAndAsTables(t *testing.T) {
	out, progress, err := bench("compare", "--n", "2e3", "--budget", "5ms", "--json")
	require.NoError(t, err)
	assert.Contains(t, progress, "8 peers agree with the model")
	assert.Contains(t, progress, "repetition 3 of 3: bytedance ... ")

	var rep report.Report
	require.NoError(t, json.Unmarshal([]byte(out), &rep))
	assert.NotEmpty(t, rep.Machine.Go)
	assert.Positive(t, rep.Machine.Cores)
	assert.Equal(t, 2000, rep.N)
	assert.Equal(t, peers.Names(), rep.Peers)
	assert.Len(t, rep.Runs, 3*len(peers.All))
	assert.Len(t, rep.Targets, len(report.Targets))
	for _, j := range rep.Targets {
		assert.NotEqual(t, report.NotMeasured, j.Verdict, "%s against %s", j.What, j.Peer)
	}
	// Each repetition begins with another peer.
	assert.NotEqual(t, rep.Runs[0].Peer, rep.Runs[len(peers.All)].Peer)

	var tables bytes.Buffer
	require.NoError(t, rep.WriteTables(&tables))
	for _, d := range measure.Descriptions {
		assert.Contains(t, tables.String(), d.Title)
	}
	for _, target := range report.Targets {
		assert.Contains(t, tables.String(), target.What)
	}
	assert.Contains(t, tables.String(), "n = 2,000 members of 20 bytes, 3 repetitions")
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
		{"--n", "12", "want a whole number from 1000 to 100000000, such as 1e6"},
		{"--n", "1.5e0", "want a whole number"},
		{"--n", "many", "want a whole number"},
		{"--n", "NaN", "want a whole number"},
		{"--repetitions", "2", "need 3 or more"},
		{"--budget", "0s", "must be positive"},
		{"--peers", "redis", `no peer "redis"`},
	} {
		_, _, err := bench("compare", c.flag, c.value)
		assert.ErrorContains(t, err, c.want, "%s %s", c.flag, c.value)
	}
}

func TestAFailingSubprocessIsReported(t *testing.T) {
	c := comparison{n: 1, repetitions: 3, budget: 1} // n = 1 is refused by the flag of measure
	_, err := c.subprocess(t.Context(), peers.All[0], 0)
	assert.ErrorContains(t, err, "measure zset")
	assert.ErrorContains(t, err, "want a whole number")
}
