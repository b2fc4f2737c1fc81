package served

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"net"
	"os/exec"
	"strconv"
	"strings"

	"github.com/zrankdb/zrank/bench/internal/figure"
)

// benchmark has redis-benchmark make calls: twice as many, as often as it takes, if its clock of whole ms saw no time pass.
func benchmark(ctx context.Context, program, addr string, s spot, n, calls int) (figure.Figures, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, err
	}
	for ; ; calls *= 2 {
		args := append([]string{"-h", host, "-p", port, "-c", strconv.Itoa(connectionCount), "-P", strconv.Itoa(s.depth), "-n", strconv.Itoa(calls),
			"-r", strconv.Itoa(n), "--csv", "--precision", "3"}, s.command.benchmark...)
		out, err := exec.CommandContext(ctx, program, args...).Output()
		var failed *exec.ExitError
		if errors.As(err, &failed) {
			err = fmt.Errorf("%w: %s", err, failed.Stderr)
		}
		if err != nil {
			return nil, fmt.Errorf("redis-benchmark %s: %w", strings.Join(args, " "), err)
		}
		if f, err := parse(string(out)); err != nil || !math.IsInf(f[figure.Rate], 1) {
			return f, err
		}
	}
}

// parse reads the CSV of redis-benchmark: a head and one row, times in ms. The rate of calls that took less than 1 ms is +Inf.
func parse(text string) (figure.Figures, error) {
	table, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err == nil && len(table) != 2 {
		err = fmt.Errorf("%d rows, want 2", len(table))
	}
	if err != nil {
		return nil, fmt.Errorf("redis-benchmark: %w: %q", err, text)
	}
	found, f := map[string]float64{}, figure.Figures{}
	for i, column := range table[0] {
		found[column], _ = strconv.ParseFloat(table[1][i], 64) // 0 of what is no number
	}
	for m, column := range map[figure.Metric]string{figure.Rate: "rps", figure.P50: "p50_latency_ms", figure.P99: "p99_latency_ms", figure.Max: "max_latency_ms"} {
		v := found[column]
		if v <= 0 {
			return nil, fmt.Errorf("redis-benchmark: no %s: %q", column, text)
		}
		if f[m] = v; m != figure.Rate {
			f[m] = v * 1e6
		}
	}
	return f, nil
}
