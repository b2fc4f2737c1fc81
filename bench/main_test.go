package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/bench/internal/bench"
	"github.com/zrankdb/zrank/bench/internal/peers"
	"github.com/zrankdb/zrank/bench/internal/render"
	"github.com/zrankdb/zrank/bench/internal/workload"
)

// TestMain lets the test program be the subprocess that a command starts.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == bench.ChildCommand {
		main()
		return
	}
	os.Exit(m.Run())
}

// run runs the program with these arguments.
func run(args ...string) (stdout, stderr string, err error) {
	var out, errs bytes.Buffer
	root := newRoot()
	root.SetArgs(args)
	root.SetOut(&out)
	root.SetErr(&errs)
	err = root.Execute()
	return out.String(), errs.String(), err
}

// smallFile is 300 events of 150 members, whose columns have names of their own.
func smallFile(t *testing.T) string {
	var b strings.Builder
	b.WriteString("team,points\n")
	for i := range 300 {
		fmt.Fprintf(&b, "team %d,%d\n", i%150, 1+i/150)
	}
	name := filepath.Join(t.TempDir(), "season.csv")
	require.NoError(t, os.WriteFile(name, []byte(b.String()), 0o600))
	return name + "?member=team&delta=points"
}

// TestEveryFigureComesOut measures one round of every benchmark with few members, and prints its result. Every target is measured but those
// that are stated for more log.
func TestEveryFigureComesOut(t *testing.T) {
	for name, c := range map[string]struct {
		flags    string
		contains string // several texts of the tables, with bars between them
		targets  int
	}{
		"compare":  {"--n 200,1100 --budget 1ms --peers map,tidwall,bytedance,pebble", "score look-up|n = 200 members|n = 1,100 members|allocations, walk|outside this process", 20},
		"growth":   {"--to 1500 --budget 1ms --peers map --workload append", "rank of a member|1,000|memory per member", 0},
		"latency":  {"--budget 2ms --peers counted --workload " + smallFile(t), "two looks at the clock|increment, zipf|150 members", 0},
		"durable":  {"--n 1000 --for 10ms", "Sync, 16 callers|None, 1 caller|a flush of 4 KiB takes|>= 0.80x", 3},
		"recover":  {"--n 1000 --log 50000 --calls 20 --periods 30", "open after kill -9|commits replayed|list of the periods|Sync, during snapshots|per byte of log, zipf", 9},
		"engine":   {"--n 1000 --sets 10 --for 5ms --cases hot/memory,many/sync", "one set, memory, 50/50|many sets, Sync, 95/5|8 goroutines|1,000 members", 0},
		"keyspace": {"--n 1000", "time to fill|overhead|bytes of files a set|first read of a set, p99", 1},
		"pauses":   {"--n 1000 --for 10ms", "Sync, united, stored: others|Interval, deleted|20,000 sets published|everything at once", 9},
		"boards":   {"--n 1000 --for 5ms --after 10ms --cases memory,interval,periods,single", "memory, submits, hot tail|Board.Submit, three windows|memory, cards, dense|Interval, submits, uniform|apply/100|live|migrate", 13},
		"hot":      {"--n 1000 --for 10ms", "95/5|64|ranks, batches of 1,000 commit", 4},
		"api":      {"--n 1000 --for 10ms --streams 20", "Submit, with ranks|256 callers|not modified|memory of a stream|top 10", 2},
		"cluster":  {"--n 1000 --for 10ms --callers 4 --cases calls,growth --sizes 1000", "Submit, with ranks|cluster/P=16|server|memory of the servers|1,000", 0},
	} {
		t.Run(name, func(t *testing.T) {
			if name == "cluster" && !hasRedis() {
				t.Skip("skipped: there is no redis-server in the path")
			}
			b, dir := bench.Named(benchmarks, name), t.TempDir()
			var o bench.Options
			f := pflag.NewFlagSet(name, pflag.ContinueOnError)
			b.AddFlags(f, &o)
			require.NoError(t, f.Parse(append(strings.Fields(c.flags), "--rounds", "1", "--dir", dir)))
			var progress, out, tables strings.Builder
			r, err := b.Run(t.Context(), f, o, &progress)
			require.NoError(t, err)
			left, err := os.ReadDir(dir)
			require.NoError(t, err)
			assert.Empty(t, left, "what was made is gone")
			assert.Contains(t, progress.String(), "round 1 of 1: ")
			require.NoError(t, r.WriteJSON(&out))
			again, err := bench.Read(strings.NewReader(out.String()), benchmarks)
			require.NoError(t, err)
			assert.Equal(t, r, again)
			measured := 0
			for _, s := range bench.Stand(benchmarks, r) {
				if s.Verdict != bench.NotMeasured {
					measured++
				}
			}
			assert.Equal(t, c.targets, measured)
			require.NoError(t, render.Text(&tables, r, false))
			for text := range strings.SplitSeq(c.contains, "|") {
				assert.Contains(t, tables.String(), text)
			}
			_, err = render.NewPage(benchmarks, []*bench.Result{r})
			require.NoError(t, err)
			t.Logf("%d samples", len(r.Samples))
		})
	}
}

func hasRedis() bool {
	var o bench.Options
	return o.FindRedis(&bytes.Buffer{}) == nil && o.Redis != ""
}

// printed returns the tables of a result.
func printed(t *testing.T, result string) string {
	raw := filepath.Join(t.TempDir(), "raw.json")
	require.NoError(t, os.WriteFile(raw, []byte(result), 0o600))
	tables, _, err := run("table", raw)
	require.NoError(t, err)
	markdown, _, err := run("table", raw, "--markdown")
	require.NoError(t, err)
	assert.Contains(t, markdown, "|")
	return tables
}

// TestServers needs a build of zrank, and measures it beside Redis where there is one.
func TestServers(t *testing.T) {
	out, progress, err := run("resp", "--n", "1000", "--for", "3ms", "--pause", "0s", "--levels", "interval", "--json", "--dir", t.TempDir())
	require.NoError(t, err)
	assert.Contains(t, progress, "round 3 of 3: Interval ... ")
	tables := printed(t, out)
	for _, text := range []string{"Interval, P=16, ZADD", "Interval, P=1, ZRANGE", "all members in", "<= 0.60x", "round trips"} {
		assert.Contains(t, tables, text)
	}
	if hasRedis() {
		judged := 0
		for line := range strings.Lines(tables) {
			// CPU time is counted in ticks of 10 ms: so short a run may have none.
			if !strings.Contains(line, ": CPU ") && (strings.Contains(line, " met ") || strings.Contains(line, " missed ")) {
				judged++
			}
		}
		assert.Equal(t, 10, judged)
	}
	_, _, err = run("resp", "--dir", t.TempDir(), "--n", "1000", "--zrank", filepath.Join(t.TempDir(), "none"))
	assert.ErrorContains(t, err, "no such file")
}

// TestWithoutRedis runs a benchmark as its users do.
func TestWithoutRedis(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	out, progress, err := run("boards", "--n", "1000", "--for", "5ms", "--cases", "memory", "--systems", "bytedance,redis", "--dir", t.TempDir())
	require.NoError(t, err)
	assert.Contains(t, progress, "no redis-server in the path: not measured")
	assert.Regexp(t, `round 2 of 3: memory ... .* s, about .* left\n`, progress)
	assert.Contains(t, out, "Redis was not measured: there is no redis-server in the path")
	assert.Contains(t, out, "go run . boards --n 1000 --cases memory --for 5ms --systems bytedance,redis; median over 3 rounds")
	assert.NotContains(t, out, "redis/100  ")
}

func TestFlagsThatMakeNoSense(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"compare --n 12", "want a whole number from 100 to 100000000, such as 1e6"},
		{"compare --n 1.5e0", "want a whole number"},
		{"compare --n NaN", "want a whole number"},
		{"compare --n 1e3,1e5,1000", "1000 is there twice"},
		{"compare --repetitions 2", "need 3 or more"},
		{"compare --budget 0s", "must be positive"},
		{"compare --peers valkey", `no peer "valkey"; there are zset, map, counted, tidwall, google, bytedance, workiva, huandu, pebble, redis`},
		{"compare --workload rush", `no workload "rush"; there are uniform, zipf, hottail, append, small, and FILE.csv`},
		{"compare --workload none.csv", "none.csv: no such file"},
		{"latency --n 1e3,1e4", "latency takes one size"},
		{"growth --to 1e8", "--to is 100000000; the most is 10000000"},
		{"growth --workload " + smallFile(t), "has 150 members and cannot grow; compare replays it"},
		{"durable --n 500", "--n is 500; it must be 1000 or more"},
		{"durable --for 0s", "must be positive"},
		{"durable --dir /none", "no such file"},
		{"recover --log 0", "must be positive"},
		{"recover --calls -1", "must be positive"},
		{"recover --periods 0", "must be positive"},
		{"engine --sets 0", "must be positive"},
		{"engine --cases warm/memory", `no "warm/memory"; there are hot/memory, `},
		{"boards --systems mysql", `no "mysql"; there are zrank, `},
		{"resp --levels always", `no "always"; there are memory, interval, sync`},
		{"resp --pause -1s", "must not be negative"},
	} {
		_, _, err := run(strings.Fields(c.args)...)
		assert.ErrorContains(t, err, c.want, c.args)
	}
}

func TestWorkloadsAndTargetsAreListed(t *testing.T) {
	out, _, err := run("workloads")
	require.NoError(t, err)
	for _, w := range workload.All {
		assert.Contains(t, out, w.Name+": "+w.What+"\n")
	}
	out, _, err = run("targets")
	require.NoError(t, err)
	want := 0
	for _, b := range benchmarks {
		want += len(b.Targets)
	}
	assert.Greater(t, want, 100)
	assert.Equal(t, want, strings.Count(out, "not measured"))
}

func TestOnlyPeersAreForeign(t *testing.T) {
	for _, name := range peers.Names() {
		assert.Equal(t, name == bench.Zset, bench.IsOurs(name), name)
	}
	for _, name := range []string{bench.Zrank, "zrank/16", "memory", "sets/100", "apply/100"} {
		assert.True(t, bench.IsOurs(name), name)
	}
	assert.False(t, bench.IsOurs("redis/100"))
}

// recorded are files of figures that stay readable.
var recorded = []string{"results/2026-11-21.json", "results/2026-11-22-resp.json"}

func TestEveryResultIsReadable(t *testing.T) {
	files, err := filepath.Glob("results/*.json")
	require.NoError(t, err)
	assert.GreaterOrEqual(t, len(files), 8)
	for _, name := range files {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		assert.NotEmpty(t, printed(t, string(text)))
	}
	out, _, err := run(append([]string{"targets"}, files...)...)
	require.NoError(t, err)
	for _, row := range []string{"memory per member  - <= 50.0 B 47.4 B ±0% met", "updates/s, Sync, 256 callers pebble >= 0.80x 0.82x ±",
		"memory, P=16, client: calls/s redis >= 1.00x 1.35x ±", "first touch - <= 4.00 s 174 ms ±"} {
		assert.Contains(t, strings.Join(strings.Fields(out), " "), strings.Join(strings.Fields(row), " "))
	}
	for text, want := range map[string]string{
		"# README":                           "not a report in JSON",
		"{}":                                 `unknown kind ""`,
		`{"kind": "lunch", "samples": [{}]}`: `unknown kind "lunch"`,
		`{"kind": "durable"}`:                "it has no samples",
		`{"kind": "durable", "samples": 7}`:  "not a report in JSON",
	} {
		raw := filepath.Join(t.TempDir(), "raw.json")
		require.NoError(t, os.WriteFile(raw, []byte(text), 0o600))
		_, _, err := run("table", raw)
		assert.ErrorContains(t, err, raw+": ")
		assert.ErrorContains(t, err, want)
	}
}

func TestReportOfFiles(t *testing.T) {
	out := filepath.Join(t.TempDir(), "new", "page")
	said, _, err := run(append([]string{"report", "--out", out}, recorded...)...)
	require.NoError(t, err)
	assert.Contains(t, said, " targets met, ")
	for _, name := range []string{htmlFile, markdownFile} {
		text, err := os.ReadFile(filepath.Join(out, name))
		require.NoError(t, err)
		for _, s := range bench.Stand(benchmarks) {
			assert.Contains(t, string(text), s.What)
		}
		assert.Contains(t, string(text), "Rows we lose")
	}
	_, _, err = run("report", recorded[0], "--quick")
	assert.ErrorContains(t, err, "are for a report that measures")
}

func TestReportGoesOnWhereItStopped(t *testing.T) {
	out := t.TempDir()
	measure := func(resume bool, parts ...part) error {
		r := reporting{out: out, dir: out, resume: resume, parts: parts}
		cmd := &cobra.Command{}
		cmd.SetOut(&bytes.Buffer{})
		cmd.SetErr(&bytes.Buffer{})
		cmd.SetContext(t.Context())
		return r.run(cmd, nil)
	}
	good := part{args: "compare --n 1000 --budget 1ms --peers map"}
	err := measure(false, good, part{args: "durable --n 7"})
	assert.ErrorContains(t, err, "durable: ")
	assert.ErrorContains(t, err, "go on with the same flags and --resume")
	assert.FileExists(t, filepath.Join(out, "compare.json"))
	assert.NoFileExists(t, filepath.Join(out, "durable.json"))
	assert.ErrorContains(t, measure(false, good), "compare.json exists from an earlier run: go on with it by --resume")
	require.NoError(t, measure(true, part{args: "compare --no-such-flag"}), "it is not run again")
	assert.FileExists(t, filepath.Join(out, htmlFile))
	for _, p := range parts {
		for _, args := range []string{p.args, p.quick} {
			cmd, rest, err := newRoot().Find(strings.Fields(args))
			require.NoError(t, err)
			require.NoError(t, cmd.ParseFlags(rest), args)
		}
	}
}

func TestDiffOfFiles(t *testing.T) {
	same := recorded[1]
	out, _, err := run("diff", same, same, "--fail-above", "5%")
	require.NoError(t, err)
	assert.Contains(t, out, "need >= 4 samples to detect a difference at alpha level 0.05")
	assert.Contains(t, out, "0 worse, 0 better")
	out, _, err = run("diff", same, same, "--against", "redis")
	require.NoError(t, err)
	assert.Contains(t, out, "figures are ours over those of redis in the same round")

	one := filepath.Join(t.TempDir(), "new.json")
	text, err := os.ReadFile(recorded[0])
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(one, regexp.MustCompile(`("line": "bytes_small".*"member_bytes": )`).ReplaceAll(text, []byte("${1}9")), 0o600))
	_, _, err = run("diff", recorded[0], one, "--alpha", "0.2", "--fail-above", "10")
	assert.ErrorContains(t, err, "figures got worse by more than 10%, first of all memory in boards of 128")
	for _, args := range [][]string{{"--alpha", "0"}, {"--alpha", "NaN"}, {"--fail-above", "ten"}, {"--fail-above", "-3%"}, {"--against", "redis"}} {
		_, _, err := run(append([]string{"diff", recorded[0], recorded[0]}, args...)...)
		assert.Error(t, err, "%v", args)
	}
	_, _, err = run("diff", recorded[0], recorded[1])
	assert.ErrorContains(t, err, "the old one is of compare, the new one of resp")
}
