package bench

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/zrankdb/zrank/bench/internal/disk"
	"github.com/zrankdb/zrank/bench/internal/figure"
)

// Result holds all samples of one run of a benchmark. Its JSON is the format of the files in bench/results.
type Result struct {
	Kind        string    `json:"kind"`    // the benchmark's name
	Command     string    `json:"command"` // that measures it again, in bench
	Machine     Machine   `json:"machine"`
	Disk        disk.Disk `json:"disk"` // zero if the benchmark measures no disk
	Rounds      int       `json:"rounds"`
	Seed        uint64    `json:"seed"`
	N           int       `json:"n"`                  // members; the most of several sizes
	Load        string    `json:"load,omitempty"`     // describes the members; empty: n in one set
	Workload    string    `json:"workload,omitempty"` // empty: uniform
	MemberBytes int       `json:"member_bytes"`
	Samples     []Sample  `json:"samples"`

	Benchmark *Benchmark `json:"-"` // that measured it

	index map[Ref]map[int]float64 // of the samples, once a figure was asked for
}

// Sample holds the figures of one line from one process.
type Sample struct {
	Line    string         `json:"line"`
	System  string         `json:"system"`
	Round   int            `json:"round"`
	Seconds float64        `json:"seconds"` // of the whole process
	Figures figure.Figures `json:"figures"`
	N       int            `json:"n,omitempty"`      // members, in a result of several sizes
	Points  [][2]float64   `json:"points,omitempty"` // percentile and ns, for a plot
}

// Read reads a result of one of some benchmarks. It fails for text that is not JSON or not a result.
func Read(from io.Reader, all []*Benchmark) (*Result, error) {
	r := new(Result)
	if err := json.NewDecoder(from).Decode(r); err != nil {
		return nil, fmt.Errorf("not a report in JSON: %w", err)
	}
	if r.Benchmark = Named(all, r.Kind); r.Benchmark == nil {
		return nil, fmt.Errorf("not a report: unknown kind %q", r.Kind)
	}
	if len(r.Samples) == 0 {
		return nil, errors.New("not a report: it has no samples")
	}
	return r, nil
}

// WriteJSON writes the result with all raw figures.
func (r *Result) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(r)
}

// Loaded describes the members that were measured.
func (r *Result) Loaded() string {
	if r.Load != "" {
		return r.Load
	}
	return fmt.Sprintf("%s members of %d bytes", Comma(r.N), r.MemberBytes)
}

// On describes the measured disk, behind a separator. It returns "" if no disk was measured.
func (r *Result) On(separator string) string {
	d := r.Disk
	if d == (disk.Disk{}) {
		return ""
	}
	name := d.FileSystem
	if name == "" {
		name = "an unknown file system"
	}
	out := fmt.Sprintf("%s%s on %s: a flush of 4 KiB takes %s, p99 %s", separator, name, d.Device, span(d.Flush), span(d.FlushP99))
	if name == "tmpfs" || name == "ramfs" {
		out += "; THIS IS MEMORY, no disk: the figures do not count"
	}
	return out
}

// HasRedis reports whether Redis was measured.
func (r *Result) HasRedis() bool {
	for _, x := range r.Samples {
		if strings.HasPrefix(x.System, "redis") {
			return true
		}
	}
	return false
}

// Systems returns the measured systems in the order of the samples.
func (r *Result) Systems() []string {
	return distinct(r, func(x Sample) string { return x.System })
}

// Sizes returns the numbers of members of the samples. 0 stands for the N of the result.
func (r *Result) Sizes() []int {
	return distinct(r, func(x Sample) int { return x.N })
}

func distinct[T comparable](r *Result, of func(Sample) T) (list []T) {
	seen := map[T]bool{}
	for _, x := range r.Samples {
		if v := of(x); !seen[v] {
			seen[v] = true
			list = append(list, v)
		}
	}
	return list
}
