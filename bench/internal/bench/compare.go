package bench

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/zrankdb/zrank/bench/internal/figure"
)

// Sorted sets have one figure a line, named after the operation. LineMetric returns the metric of a line.
func LineMetric(line string) figure.Metric {
	switch {
	case strings.HasPrefix(line, "bytes"):
		return figure.Member
	case strings.HasPrefix(line, "gc"):
		return figure.GC
	case strings.HasPrefix(line, "slowest"):
		return figure.Slowest
	case strings.HasPrefix(line, "allocs"):
		return figure.Allocs
	}
	return figure.Call
}

// compareFile is the format of compare's results before all benchmarks had one.
type compareFile struct {
	Command     string
	Machine     Machine
	Repetitions int
	Seed        uint64
	MemberBytes int `json:"member_bytes"`
	Workload    string
	Peers       []string
	Sizes       []struct {
		N    int
		Runs []struct {
			Peer       string
			Repetition int
			Seconds    float64
			Figures    map[string]float64
		}
	}
}

// Compare is the kind of a result that compares sorted sets.
const Compare = "compare"

func readCompare(text []byte) (*Result, error) {
	var f compareFile
	if err := json.Unmarshal(text, &f); err != nil {
		return nil, fmt.Errorf("not a report in JSON: %w", err)
	}
	if len(f.Peers) == 0 || f.Peers[0] != Zset {
		return nil, errors.New("not a report: zset is not the first of its peers")
	}
	if len(f.Sizes) == 0 {
		return nil, errors.New("not a report: it has no sizes")
	}
	r := &Result{Kind: Compare, Machine: f.Machine, Rounds: f.Repetitions, Seed: f.Seed, Workload: f.Workload, MemberBytes: f.MemberBytes}
	var sizes []string
	for _, size := range f.Sizes {
		r.N = max(r.N, size.N)
		sizes = append(sizes, Comma(size.N))
		for _, run := range size.Runs {
			if !slices.Contains(f.Peers, run.Peer) {
				return nil, fmt.Errorf("n = %d has a run of %q, which is not among the peers", size.N, run.Peer)
			}
			for line, v := range run.Figures {
				r.Samples = append(r.Samples, Sample{Line: line, System: run.Peer, Round: run.Repetition, Seconds: run.Seconds, N: size.N,
					Figures: figure.Figures{LineMetric(line): v}})
			}
		}
	}
	r.Load = fmt.Sprintf("%s members of %d bytes, %s", strings.Join(sizes, ", "), f.MemberBytes, cmp.Or(f.Workload, "uniform"))
	r.Command = cmp.Or(f.Command, "go run . compare --n "+strings.ReplaceAll(strings.Join(sizes, "+"), ",", ""))
	r.Command = strings.ReplaceAll(r.Command, "+", ",")
	slices.SortStableFunc(r.Samples, func(a, b Sample) int {
		return cmp.Or(cmp.Compare(a.N, b.N), cmp.Compare(slices.Index(f.Peers, a.System), slices.Index(f.Peers, b.System)), cmp.Compare(a.Line, b.Line))
	})
	return r, nil
}
