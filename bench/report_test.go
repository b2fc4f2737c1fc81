package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/bench/internal/peers"
	"github.com/zrankdb/zrank/bench/internal/report"
)

// recorded are files of figures that stay readable.
var recorded = []string{"results/2026-11-21.json", "results/2026-11-22-resp.json"}

func TestReportOfFiles(t *testing.T) {
	out := filepath.Join(t.TempDir(), "new", "page")
	said, _, err := bench(append([]string{"report", "--out", out}, recorded...)...)
	require.NoError(t, err)
	html, err := os.ReadFile(filepath.Join(out, htmlFile))
	require.NoError(t, err)
	markdown, err := os.ReadFile(filepath.Join(out, markdownFile))
	require.NoError(t, err)
	assert.Contains(t, said, " targets met, ")
	assert.Contains(t, said, filepath.Join(out, htmlFile))
	assert.Less(t, len(html), 2<<20)
	for _, text := range []string{string(html), string(markdown)} {
		for _, target := range report.Targets {
			assert.Contains(t, text, target.What)
		}
		for _, name := range []string{"map", "counted", "tidwall", "google", "bytedance", "workiva", "huandu"} {
			p, err := peers.Named(name)
			require.NoError(t, err)
			if name != "map" {
				assert.Contains(t, strings.ReplaceAll(text, "&#43;", "+"), p.Title)
			}
		}
		assert.Contains(t, text, "Rows we lose")
	}
	t.Logf("%d bytes, %d plots", len(html), bytes.Count(html, []byte("<figure>")))
}

func TestReportGoesOnWhereItStopped(t *testing.T) {
	out := t.TempDir()
	run := func(resume bool, parts ...part) (string, error) {
		r := reporting{out: out, dir: out, resume: resume, parts: parts}
		var said, progress bytes.Buffer
		cmd := &cobra.Command{}
		cmd.SetOut(&said)
		cmd.SetErr(&progress)
		cmd.SetContext(t.Context())
		return progress.String() + said.String(), r.run(cmd, nil)
	}
	good := part{args: []string{"compare", "--n", "1000", "--budget", "1ms", "--peers", "map"}}
	_, err := run(false, good, part{args: []string{"durable", "--n", "7"}})
	assert.ErrorContains(t, err, "durable: ")
	assert.ErrorContains(t, err, "want a whole number")
	assert.ErrorContains(t, err, "go on with the same flags and --resume")
	assert.FileExists(t, filepath.Join(out, "compare.json"))
	assert.NoFileExists(t, filepath.Join(out, "durable.json"))
	left, err := filepath.Glob(filepath.Join(out, ".part-*"))
	require.NoError(t, err)
	assert.Empty(t, left)

	_, err = run(false, good)
	assert.ErrorContains(t, err, "compare.json is there from an earlier run: go on with it by --resume")
	_, err = run(true, part{args: []string{"compare", "--no-such-flag"}})
	require.NoError(t, err, "it is not run again")
	assert.FileExists(t, filepath.Join(out, htmlFile))
}

func TestReportsThatMakeNoSense(t *testing.T) {
	for want, args := range map[string][]string{
		"are for a report that measures": {"results/2026-11-21.json", "--quick"},
		"no such file":                   {filepath.Join(t.TempDir(), "none.json"), "--out", t.TempDir()},
		"not a report in JSON":           {"README.md", "--out", t.TempDir()},
	} {
		_, _, err := bench(append([]string{"report"}, args...)...)
		assert.ErrorContains(t, err, want)
	}
}

// TestReportRunsCommandsThatAre says that the parts are commands, with flags that they have.
func TestReportRunsCommandsThatAre(t *testing.T) {
	for _, p := range parts {
		for _, args := range [][]string{p.args, p.quick} {
			cmd, rest, err := newRoot().Find(args)
			require.NoError(t, err)
			require.Equal(t, args[0], cmd.Name())
			require.NoError(t, cmd.ParseFlags(rest))
			assert.NotNil(t, cmd.Flags().Lookup("dir"), "%v", args)
			assert.NotNil(t, cmd.Flags().Lookup("json"), "%v", args)
		}
	}
}

func TestDiffOfFiles(t *testing.T) {
	same := recorded[1]
	out, _, err := bench("diff", same, same, "--fail-above", "5%")
	require.NoError(t, err)
	assert.Contains(t, out, "3 and 3 repetitions can never reach p < 0.05")
	assert.Contains(t, out, "0 worse, 0 better")
	out, _, err = bench("diff", same, same, "--against", "redis", "--json")
	require.NoError(t, err)
	assert.Contains(t, out, `"against": "redis"`)

	one := filepath.Join(t.TempDir(), "new.json")
	text, err := os.ReadFile(recorded[0])
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(one, bytes.ReplaceAll(text, []byte(`"bytes_small": `), []byte(`"bytes_small": 9`)), 0o600))
	_, _, err = bench("diff", recorded[0], one, "--alpha", "0.2", "--fail-above", "10")
	assert.ErrorContains(t, err, "figures got worse by more than 10%, first of all memory in boards of 128")

	for _, args := range [][]string{{"--alpha", "0"}, {"--alpha", "NaN"}, {"--fail-above", "ten"}, {"--fail-above", "-3%"}, {"--against", "redis"}} {
		_, _, err := bench(append([]string{"diff", recorded[0], recorded[0]}, args...)...)
		assert.Error(t, err, "%v", args)
	}
	_, _, err = bench("diff", recorded[0], recorded[1])
	assert.ErrorContains(t, err, "the old one is of compare, the new one of resp")
}
