package served

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"net"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// FindBenchmark returns the redis-benchmark beside a redis-server or in the path, and "" if there is none.
func FindBenchmark(server string) string {
	for _, name := range []string{filepath.Join(filepath.Dir(server), "redis-benchmark"), "redis-benchmark"} {
		if program, err := exec.LookPath(name); err == nil {
			return program
		}
	}
	return ""
}

// row is what redis-benchmark finds. Times are ns.
type row struct{ rate, p50, p99, max float64 }

// benchmark has redis-benchmark make calls.
func benchmark(ctx context.Context, program, addr string, s Spot, n, calls int) (row, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return row{}, err
	}
	args := append([]string{"-h", host, "-p", port, "-c", strconv.Itoa(Connections), "-P", strconv.Itoa(s.Depth), "-n", strconv.Itoa(calls),
		"-r", strconv.Itoa(n), "--csv", "--precision", "3"}, s.Command.benchmark...)
	out, err := exec.CommandContext(ctx, program, args...).Output()
	if err != nil {
		var failed *exec.ExitError
		if errors.As(err, &failed) {
			err = fmt.Errorf("%w: %s", err, failed.Stderr)
		}
		return row{}, fmt.Errorf("redis-benchmark %s: %w", strings.Join(args, " "), err)
	}
	return parse(string(out))
}

// parse reads the CSV of redis-benchmark: a head and one row, times in ms.
func parse(text string) (r row, err error) {
	table, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		return r, fmt.Errorf("redis-benchmark: %w: %q", err, text)
	}
	if len(table) != 2 {
		return r, fmt.Errorf("redis-benchmark: %d rows and not 2: %q", len(table), text)
	}
	const ms = 1e6
	for _, want := range []struct {
		column string
		to     *float64
		unit   float64
	}{{"rps", &r.rate, 1}, {"p50_latency_ms", &r.p50, ms}, {"p99_latency_ms", &r.p99, ms}, {"max_latency_ms", &r.max, ms}} {
		for i, name := range table[0] {
			if name != want.column {
				continue
			}
			v, err := strconv.ParseFloat(table[1][i], 64)
			if err != nil {
				return r, fmt.Errorf("redis-benchmark: %w: %q", err, text)
			}
			*want.to = v * want.unit
		}
		if *want.to <= 0 {
			return r, fmt.Errorf("redis-benchmark: no %s: %q", want.column, text)
		}
	}
	return r, nil
}
