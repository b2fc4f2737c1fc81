package served

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/bench/internal/figure"
)

func TestBothClientsSendTheSameCommands(t *testing.T) {
	for _, c := range commands {
		assert.Len(t, c.args("player:0000000000007", 1<<39, 200), len(c.benchmark)-1, c.name)
		assert.Equal(t, c.name, c.benchmark[0])
	}
	assert.Equal(t, []any{"arena", 7, 106}, commands[4].args("", 107, 200), "100 ranks below n")
}

func TestWhatRedisBenchmarkPrints(t *testing.T) {
	const head = `"test","rps","avg_latency_ms","min_latency_ms","p50_latency_ms","p95_latency_ms","p99_latency_ms","max_latency_ms"` + "\n"
	f, err := parse(head + `"ZADD arena __rand_int__ x","70821.53","0.505","0.144","0.455","0.863","1.015","6.743"` + "\n")
	require.NoError(t, err)
	assert.Equal(t, figure.Figures{figure.Rate: 70821.53, figure.P50: 455_000, figure.P99: 1_014_999.9999999999, figure.Max: 6_743_000}, f)
	for _, text := range []string{"", head, "\"", "a,b\n1,2\n"} {
		_, err := parse(text)
		assert.ErrorContains(t, err, "redis-benchmark: ", "%q", text)
	}
}

// TestTooFewCallsForTheClock has a program that prints what redis-benchmark prints if its calls take less than 1 ms, until they are 3,200.
func TestTooFewCallsForTheClock(t *testing.T) {
	program := filepath.Join(t.TempDir(), "redis-benchmark")
	require.NoError(t, os.WriteFile(program, []byte(`#!/bin/sh
rate=inf
case "$*" in *"-n 3200 "*) rate=266666.66 ;; esac
echo '"test","rps","p50_latency_ms","p99_latency_ms","max_latency_ms"'
echo '"ZADD","'$rate'","0.469","0.607","0.647"'
`), 0o755))
	f, err := benchmark(t.Context(), program, "127.0.0.1:1", spot{depth: 16, command: commands[0]}, 100, 800)
	require.NoError(t, err)
	assert.Equal(t, 266_666.66, f[figure.Rate])
}
