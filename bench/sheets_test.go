package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/bench/internal/durable"
	"github.com/zrankdb/zrank/bench/internal/pauses"
	"github.com/zrankdb/zrank/bench/internal/recovery"
	"github.com/zrankdb/zrank/bench/internal/report"
	"github.com/zrankdb/zrank/bench/internal/served"
	"github.com/zrankdb/zrank/bench/internal/traffic"
)

// printedAgain runs a command with --json in a directory of its own, and returns its sheet, and the text of the tables that
// table makes of it.
func printedAgain(t *testing.T, args ...string) (s report.Sheet, tables, markdown, progress string) {
	dir := t.TempDir()
	out, progress, err := bench(append(args, "--json", "--dir", dir)...)
	require.NoError(t, err)
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Empty(t, left, "what was made is gone")
	require.NoError(t, json.Unmarshal([]byte(out), &s))
	raw := filepath.Join(dir, "raw.json")
	require.NoError(t, os.WriteFile(raw, []byte(out), 0o600))
	tables, _, err = bench("table", raw)
	require.NoError(t, err)
	markdown, _, err = bench("table", raw, "--markdown")
	require.NoError(t, err)
	for line := range strings.SplitSeq(tables, "\n") {
		assert.LessOrEqual(t, utf8.RuneCountInString(line), report.Width, line)
	}
	return s, tables, markdown, progress
}

func TestDurableAsJSONAndPrintedAgain(t *testing.T) {
	s, tables, markdown, progress := printedAgain(t, "durable", "--n", "1000", "--for", "50ms")
	assert.Contains(t, progress, "round 3 of 3: Sync, 16 callers ... ")
	assert.Contains(t, progress, ", about ")
	assert.Equal(t, report.Durable, s.Kind)
	assert.Positive(t, s.Disk.Flush)
	for _, c := range durable.Cases {
		assert.Contains(t, tables, c.Title)
		assert.Contains(t, markdown, "| "+c.Title+" |")
	}
	assert.Len(t, s.Samples, 3*2*len(durable.Cases))
	for _, o := range s.Goals {
		assert.NotEqual(t, report.NotMeasured, o.Verdict, o.What)
	}
	assert.Contains(t, tables, "a flush of 4 KiB takes")
	assert.Contains(t, tables, ">= 0.80x")
	assert.Contains(t, tables, "median over 3 rounds")
	assert.Contains(t, markdown, "`cd bench && go run . durable --n 1000 --for 50ms`")
}

func TestRecoverAsJSONAndPrintedAgain(t *testing.T) {
	t.Setenv("PATH", t.TempDir()) // no redis-server
	s, tables, markdown, progress := printedAgain(t, "recover", "--n", "1000", "--log", "50000", "--calls", "20")
	assert.Contains(t, progress, "round 2 of 3: killed ... ")
	assert.Contains(t, progress, "no redis-server in the path")
	assert.Equal(t, report.Recover, s.Kind)
	for _, o := range s.Goals {
		assert.Equal(t, o.Log > 0, o.Verdict == report.NotMeasured, "%s: the log is short", o.What)
	}
	assert.Contains(t, markdown, "`cd bench && go run . recover --n 1000 --log 50000 --calls 20`")
	for _, text := range []string{"open after kill -9", "commits replayed", "Sync, during snapshots", "per byte of log, zipf",
		"Redis was not measured: there is no redis-server"} {
		assert.Contains(t, tables, text)
		assert.Contains(t, markdown, text)
	}
}

func TestEngineAsJSONAndPrintedAgain(t *testing.T) {
	s, tables, markdown, progress := printedAgain(t, "engine", "--n", "1000", "--sets", "10", "--for", "5ms")
	assert.Contains(t, progress, "round 3 of 3: one set, Interval ... ")
	assert.Equal(t, report.Engine, s.Kind)
	systems := map[string]bool{}
	for _, x := range s.Samples {
		systems[x.System] = true
	}
	for _, c := range traffic.Cases {
		for _, m := range traffic.Mixes {
			assert.Contains(t, tables, c.Describe()+", "+m.Title)
			assert.Contains(t, markdown, "| "+c.Describe()+", "+m.Title)
			for _, n := range traffic.Callers {
				assert.True(t, slices.ContainsFunc(s.Samples, func(x report.Sample) bool { return x.Line == c.Line(m, n) }), c.Line(m, n))
			}
		}
	}
	assert.Contains(t, tables, "1000 members of 20 bytes in the one set, 20 in each of 10 sets")
	t.Logf("%d samples of %d systems", len(s.Samples), len(systems))
}

func TestKeyspaceAsJSONAndPrintedAgain(t *testing.T) {
	s, tables, markdown, progress := printedAgain(t, "keyspace", "--n", "1000")
	assert.Contains(t, progress, "round 3 of 3: bytedance ... ")
	assert.Equal(t, report.Keyspace, s.Kind)
	for _, text := range []string{"time to fill", "bytes of memory a set", "overhead", "bytes of files a set", "time to open", "first touch of a set, p99",
		"<= 120 B"} {
		assert.Contains(t, tables, text)
		assert.Contains(t, markdown, text)
	}
}

func TestPausesAsJSONAndPrintedAgain(t *testing.T) {
	s, tables, markdown, progress := printedAgain(t, "pauses", "--n", "1000", "--for", "30ms")
	assert.Contains(t, progress, "round 3 of 3: snapshot, interval ... ")
	assert.Equal(t, report.Pauses, s.Kind)
	assert.Len(t, s.Samples, 3*len(pauses.Levels)*len(pauses.Events)*len(pauses.Sides))
	for _, e := range pauses.Events {
		assert.Contains(t, tables, "Sync, "+e.Title+": others")
		assert.Contains(t, markdown, "| Interval, "+e.Title+": big set |")
	}
	for _, o := range s.Goals {
		assert.NotEqual(t, report.NotMeasured, o.Verdict, o.What)
	}
}

func TestBoardsAsJSONAndPrintedAgain(t *testing.T) {
	s, tables, markdown, progress := printedAgain(t, "boards", "--n", "1000", "--for", "5ms", "--after", "30ms")
	assert.Contains(t, progress, "round 3 of 3: periods, leave ... ")
	assert.Equal(t, report.Boards, s.Kind)
	for _, text := range []string{"memory, submits, hot tail", "memory, cards, dense", "Sync, submits, uniform", "apply/100", "live", "closed",
		"first card of a closed day", "submitters, the day is closed", "under load: closed, snapshotted"} {
		assert.Contains(t, tables, text)
		assert.Contains(t, markdown, text)
	}
	for _, o := range s.Goals {
		assert.NotEqual(t, report.NotMeasured, o.Verdict, o.What)
	}
	t.Logf("%d samples", len(s.Samples))
}

// TestRespAsJSONAndPrintedAgain builds zrank once for all that follows.
func TestRespAsJSONAndPrintedAgain(t *testing.T) {
	if !served.Supported() {
		t.Skip("Linux only")
	}
	program, err := build(t.Context(), t.TempDir())
	require.NoError(t, err)
	t.Run("beside Redis", func(t *testing.T) {
		s, tables, markdown, progress := printedAgain(t, "resp", "--n", "1000", "--for", "3ms", "--pause", "0s", "--levels", "interval", "--zrank", program)
		assert.Contains(t, progress, "round 3 of 3: Interval ... ")
		assert.Equal(t, report.Resp, s.Kind)
		for _, text := range []string{"Interval, P=16, ZADD", "Interval, P=1, ZRANGE", "all members in", "<= 0.60x", "round trips"} {
			assert.Contains(t, tables, text)
			assert.Contains(t, markdown, text)
		}
		for _, o := range s.Goals {
			there := strings.HasPrefix(o.What, "Interval") && !strings.Contains(progress, "no redis-")
			assert.Equal(t, there, o.Verdict != report.NotMeasured, o.What)
		}
		t.Logf("%d samples", len(s.Samples))
	})
	t.Run("alone", func(t *testing.T) {
		t.Setenv("PATH", t.TempDir())
		out, progress, err := bench("resp", "--n", "1000", "--for", "3ms", "--pause", "0s", "--levels", "memory", "--dir", t.TempDir(),
			"--zrank", program)
		require.NoError(t, err)
		assert.Contains(t, progress, "no redis-server in the path: not measured")
		assert.Contains(t, progress, "no redis-benchmark in the path")
		assert.Contains(t, out, "memory, P=16, ZADD")
		assert.Contains(t, out, "Redis was not measured: there is no redis-server in the path")
		assert.NotContains(t, out, "redis-benchmark: zrank")
	})
	t.Run("no server", func(t *testing.T) {
		_, _, err := bench("resp", "--dir", t.TempDir(), "--n", "1000", "--zrank", filepath.Join(t.TempDir(), "none"))
		assert.ErrorContains(t, err, "no such file")
	})
}

// TestWithoutRedis prints what there is.
func TestWithoutRedis(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	for _, args := range [][]string{{"engine", "--cases", "many/memory", "--n", "1000", "--sets", "10", "--for", "5ms"},
		{"keyspace", "--n", "1000"}, {"boards", "--n", "1000", "--for", "5ms", "--cases", "memory", "--systems", "bytedance,redis"}} {
		out, progress, err := bench(append(args, "--dir", t.TempDir())...)
		require.NoError(t, err)
		assert.Contains(t, progress, "no redis-server in the path: not measured")
		assert.Contains(t, out, "Redis was not measured: there is no redis-server in the path")
		assert.Contains(t, out, "bytedance")
		assert.NotContains(t, out, "redis/16  ", "no row")
		assert.NotContains(t, out, "redis/100  ", "no row")
	}
}

func TestFlagsOfSheetsThatMakeNoSense(t *testing.T) {
	for _, c := range []struct{ command, flag, value, want string }{
		{"durable", "--n", "12", "want a whole number"},
		{"durable", "--for", "0s", "must be positive"},
		{"durable", "--rounds", "2", "need 3 or more"},
		{"durable", "--dir", filepath.Join(t.TempDir(), "none"), "no such file"},
		{"recover", "--n", "1e9", "want a whole number"},
		{"recover", "--log", "0", "must be positive"},
		{"recover", "--calls", "-1", "must be positive"},
		{"recover", "--rounds", "1", "need 3 or more"},
		{"engine", "--for", "-1s", "must be positive"},
		{"engine", "--sets", "0", "must be positive"},
		{"engine", "--cases", "warm/memory", `no case "warm/memory"; there are hot/memory, `},
		{"keyspace", "--n", "1", "want a whole number"},
		{"pauses", "--for", "0s", "must be positive"},
		{"boards", "--for", "0s", "must be positive"},
		{"boards", "--after", "-1s", "must be positive"},
		{"boards", "--systems", "mysql", `no system "mysql"; there are zrank, `},
		{"boards", "--cases", "disk", `no case "disk"; there are memory, `},
		{"resp", "--for", "0s", "must be positive"},
		{"resp", "--pause", "-1s", "must not be negative"},
		{"resp", "--levels", "sync", `no level "sync"; there are memory, interval`},
	} {
		_, _, err := bench(c.command, c.flag, c.value)
		assert.ErrorContains(t, err, c.want, "%s %s %s", c.command, c.flag, c.value)
	}
}

func TestAPlayerThatFailsIsReported(t *testing.T) {
	_, err := join(t.Context(), "", order{Durable: &durable.Options{Case: "sync/7"}})
	assert.ErrorContains(t, err, `no case "sync/7"`)

	p, err := join(t.Context(), durable.Memory, order{Durable: &durable.Options{Case: "none", System: durable.Memory, N: 1000, For: 1e6}})
	require.NoError(t, err)
	require.NoError(t, p.cmd.Process.Kill())
	assert.ErrorContains(t, p.turn(), "signal: killed")
}

func TestAStageThatFailsIsReported(t *testing.T) {
	_, _, err := order{Recovery: &recovery.Options{Stage: "boil"}}.figures(t.Context())
	assert.ErrorContains(t, err, `no stage "boil"`)
	_, _, err = order{}.figures(t.Context())
	assert.ErrorContains(t, err, "nothing to do")
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	err = order{Recovery: &recovery.Options{Stage: recovery.StageFill, Dir: file, N: 1000}}.killed(t.Context())
	assert.ErrorContains(t, err, file)
}

func TestTableOfWhatIsNoSheet(t *testing.T) {
	for text, want := range map[string]string{
		`{"kind": "lunch"}`:                  `nothing is known of the kind "lunch"`,
		`{"kind": "durable"}`:                "it has no samples",
		`{"kind": "durable", "samples": 7}`:  "not a report in JSON",
		`{"kind": "recover", "samples": []}`: "it has no samples",
	} {
		raw := filepath.Join(t.TempDir(), "raw.json")
		require.NoError(t, os.WriteFile(raw, []byte(text), 0o600))
		_, _, err := bench("table", raw)
		assert.ErrorContains(t, err, raw+": ")
		assert.ErrorContains(t, err, want)
	}
}
