package suite

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/zrankdb/zrank/bench/internal/bench"
	"github.com/zrankdb/zrank/bench/internal/boards"
	"github.com/zrankdb/zrank/bench/internal/durable"
	"github.com/zrankdb/zrank/bench/internal/figure"
	"github.com/zrankdb/zrank/bench/internal/keyspace"
	"github.com/zrankdb/zrank/bench/internal/measure"
	"github.com/zrankdb/zrank/bench/internal/pauses"
	"github.com/zrankdb/zrank/bench/internal/peers"
	"github.com/zrankdb/zrank/bench/internal/recovery"
	"github.com/zrankdb/zrank/bench/internal/served"
	"github.com/zrankdb/zrank/bench/internal/traffic"
)

// All is every benchmark. To add one, declare it and add it here.
var All = []*bench.Benchmark{
	&measure.Compare, &measure.Growth, &measure.Latency, &durable.Benchmark, &recovery.Benchmark, &traffic.Benchmark,
	&keyspace.Benchmark, &pauses.Benchmark, &boards.Benchmark, &served.Benchmark,
}

// Named returns the benchmark of a name, and nil if there is none.
func Named(name string) *bench.Benchmark {
	for _, b := range All {
		if b.Name == name {
			return b
		}
	}
	return nil
}

// Read reads a result. Errors: those of bench.Read, and a kind that is none of All.
func Read(from io.Reader) (*bench.Result, error) {
	r, err := bench.Read(from)
	if err == nil && Named(r.Kind) == nil {
		err = fmt.Errorf("not a report: unknown kind %q", r.Kind)
	}
	return r, err
}

// Tables returns the tables of a result.
func Tables(r *bench.Result) []bench.Table { return Named(r.Kind).Tables(r) }

// Timed returns the lines whose percentiles are drawn, in the order of the tables.
func Timed(r *bench.Result) (list []string) {
	for _, t := range Tables(r) {
		for _, row := range t.Rows {
			if line := row.Cells[0].Line; t.Percentiles && !slices.Contains(list, line) {
				list = append(list, line)
			}
		}
	}
	return list
}

// Titles returns what the tables call each line: the title of its row, with the head of the column if the row has several lines.
func Titles(r *bench.Result) map[string]string {
	titles := map[string]string{}
	for _, t := range Tables(r) {
		title := ""
		for _, row := range t.Rows {
			if row.Title != "" {
				title = strings.TrimSpace(row.Title)
			}
			for i, c := range row.Cells {
				if _, ok := titles[c.Line]; ok {
					continue
				}
				if titles[c.Line] = title; row.Cells[0].Line != row.Cells[len(row.Cells)-1].Line {
					titles[c.Line] += ", " + t.Head[i]
				}
			}
		}
	}
	return titles
}

// Title returns what a reader calls a figure, of the titles of its result.
func Title(titles map[string]string, ref bench.Ref) string {
	title := cmp.Or(titles[ref.Line], ref.Line)
	if ref.N == 0 {
		title += ": " + ref.Metric.Title()
	}
	return title
}

// IsOurs reports whether a system is code of this project. The others are the same in every commit.
func IsOurs(system string) bool {
	name, _, _ := strings.Cut(system, "/")
	return name == bench.Zset || name != measure.LineClock && !slices.Contains(peers.Names(), name)
}

// Pairs returns for each peer's line the system of ours that it is held against.
func Pairs(r *bench.Result) map[[2]string]string {
	pairs := map[[2]string]string{}
	for _, t := range Tables(r) {
		for _, row := range t.Rows {
			for _, c := range row.Cells {
				if c.Ours != "" {
					pairs[[2]string{c.Line, c.System}] = c.Ours
				}
			}
		}
	}
	return pairs
}

// Better returns how many times as good a peer's figure is as ours; 0 if it is none, or no better.
func Better(r *bench.Result, c bench.Cell) (times float64, own, theirs bench.Stat) {
	if c.Ours == "" || IsOurs(c.System) || c.Metric.Better() == figure.Neither {
		return 0, own, theirs
	}
	ref := c.Ref
	ref.System = c.Ours
	own, ok := r.Stat(ref)
	theirs, also := r.Stat(c.Ref)
	if !ok || !also {
		return 0, own, theirs
	}
	if c.Metric == figure.Allocs { // fewer than one in a hundred calls come and go with the length of the loop
		if own.Value > theirs.Value+0.01 {
			return own.Value / max(theirs.Value, 0.001), own, theirs
		}
		return 0, own, theirs
	}
	a, b := own.Value, theirs.Value
	if c.Metric.Better() == figure.More {
		a, b = b, a
	}
	if b <= 0 || a <= b {
		return 0, own, theirs
	}
	return a / b, own, theirs
}
