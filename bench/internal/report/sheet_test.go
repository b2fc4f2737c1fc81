package report

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/bench/internal/disk"
	"github.com/zrankdb/zrank/bench/internal/durable"
	"github.com/zrankdb/zrank/bench/internal/figure"
)

// samples are rounds of one system in one line.
func samples(line, system string, m figure.Metric, values ...float64) []Sample {
	var list []Sample
	for i, v := range values {
		list = append(list, Sample{Line: line, System: system, Round: i, Figures: figure.Figures{m: v}})
	}
	return list
}

// The rows of the design's section 8 that concern the disk, and what is asked of a million small sets, written a second time.
func TestGoalsAreThoseOfTheDesign(t *testing.T) {
	want := map[string]float64{
		"durable sync/256 per_second pebble": 0.8, "durable sync/batch per_second pebble": 0.7,
		"durable interval per_second memory": 0.6,
		"recover clean open_ms ":             50, "recover clean touch_ms ": 4000,
		"recover killed open_ms ": 2000, "recover killed/beside open_ms ": 2000,
		"keyspace sets set_overhead_bytes ": 120,
		"pauses snapshot/sync/big p999_ns ": 2e6, "pauses snapshot/interval/big p999_ns ": 2e6,
		"boards close p999_ns ":       2e6,
		"recover stall/sync p999_ns ": 2e6, "recover stall/interval p999_ns ": 2e6,
	}
	// What issue 7 asks of a server, of the worst of its commands, by either client.
	for _, level := range []string{"memory", "interval"} {
		want["resp "+level+"/process memory_filled_bytes redis"] = 0.6
		want["resp "+level+"/process memory_loaded_bytes redis"] = 0.6
		for depth, rate := range map[string]float64{"1": 0.9, "16": 1} {
			for _, client := range []string{"client", "redis-benchmark"} {
				var lines []string
				for _, command := range []string{"ZADD", "ZINCRBY", "ZRANK", "ZSCORE", "ZRANGE"} {
					lines = append(lines, strings.Join([]string{level, depth, command, client}, "/"))
				}
				all := "resp " + strings.Join(lines, " ")
				want[all+" per_second redis"], want[all+" p99_ns redis"] = rate, 1.3
			}
		}
	}
	got := map[string]float64{}
	for kind, l := range layouts {
		for _, g := range l.goals {
			got[strings.Join([]string{kind, g.Line, string(g.Metric), g.Peer}, " ")] = g.Limit
		}
	}
	assert.Equal(t, want, got)
}

func TestARatioIsTakenWithinARound(t *testing.T) {
	// The machine was ten times slower in the second round, for both.
	s := Sheet{Kind: Durable}
	s.Samples = append(samples("sync/256", durable.Zrank, figure.Rate, 80, 9, 70, 5),
		samples("sync/256", durable.Pebble, figure.Rate, 100, 10, 100)...)
	o := s.outcome(layouts[Durable].goals[0])
	assert.Equal(t, Outcome{Goal: o.Goal, Found: Stat{Value: 0.8, Min: 0.7, Max: 0.9}, Verdict: Met}, o)
}

func TestOutcomes(t *testing.T) {
	for name, c := range map[string]struct {
		goal    Goal
		samples []Sample
		want    Verdict
	}{
		"at most, met":       {Goal{Limit: 2}, samples("l", zrank, "m", 1, 2, 9), Met},
		"at most, missed":    {Goal{Limit: 2}, samples("l", zrank, "m", 1, 2.1, 9), Missed},
		"at most, nothing":   {Goal{Limit: 2}, nil, NotMeasured},
		"ratio, missed":      {Goal{Limit: 0.5, Peer: "p"}, append(samples("l", zrank, "m", 4), samples("l", "p", "m", 10)...), Missed},
		"ratio, no peer":     {Goal{Limit: 0.5, Peer: "p"}, samples("l", zrank, "m", 4), NotMeasured},
		"ratio, other round": {Goal{Limit: 0.5, Peer: "p"}, append(samples("l", zrank, "m", 4, 4)[1:], samples("l", "p", "m", 1)...), NotMeasured},
	} {
		t.Run(name, func(t *testing.T) {
			c.goal.Line, c.goal.Metric = "l", "m"
			s := Sheet{Samples: c.samples}
			assert.Equal(t, c.want, s.outcome(c.goal).Verdict)
		})
	}
}

func TestASheetSaysWhatItStandsOn(t *testing.T) {
	s := Sheet{Kind: Recover, N: 1e6, Disk: disk.Disk{FileSystem: "tmpfs", Flush: 100, FlushP99: 2e6},
		Samples: append(samples(LineClean, zrank, figure.Open, 12, 14, 13), samples(LineRedis, Redis, figure.Open, 130, 130, 130)...)}
	var b strings.Builder
	require.NoError(t, s.WriteTables(&b))
	assert.Contains(t, b.String(), "a flush of 4 KiB takes 100 ns, p99 2.00 ms; THIS IS MEMORY")
	assert.Contains(t, b.String(), "13.0 ms  12.0 ms  14.0 ms       0.10x")
	assert.Contains(t, b.String(), "10,000,000 (not 1,000,000)")
	assert.Contains(t, b.String(), "not measured")
	assert.NotContains(t, b.String(), "Redis was not measured")
}

func TestQuantities(t *testing.T) {
	for want, got := range map[string]string{
		"950 ns": quantity(950, figure.Nanoseconds), "1.20 ms": quantity(1.2e6, figure.Nanoseconds), "12.0 s": quantity(12e3, figure.Milliseconds),
		"1,234": quantity(1234.4, figure.PerSecond), "64.0 MB": quantity(64e6, figure.Bytes), "0.50x": quantity(0.5, figure.Times),
		"7": quantity(7, figure.Count),
	} {
		assert.Equal(t, want, got)
	}
}
