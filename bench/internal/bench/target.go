package bench

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/zrankdb/zrank/bench/internal/figure"
	"github.com/zrankdb/zrank/bench/internal/workload"
)

// noAllocs is what counts as no allocation: the runtime allocates some objects of its own, which come to 0.00003 a call in a loop of
// 200,000 and up to 0.0002 in one of 20,000.
const noAllocs = 0.0003

// Target is what a figure is to reach: a row of the design's section 8, or what an issue asks for.
type Target struct {
	What string
	// Line is the figure's. Of several, with spaces between them, the one that is furthest from the target counts.
	Line   string
	System string // ours; empty: zrank
	Metric figure.Metric
	Peer   string // whose figure ours is divided by
	Base   string // the line of ours that the figure is divided by
	Limit  float64
	Least  bool // the figure is to be at least Limit, not at most
	// Noise means that the target is met, too, if some round of the figure is no greater than some round of Base.
	Noise bool
	At    int // number of members that it is stated for; 0: any
	// Log is how many bytes of log it is stated for, 0: any. A result with fewer says nothing.
	Log float64
}

// Verdict is what results say of a target.
type Verdict string

// The verdicts.
const (
	Met         Verdict = "met"
	Missed      Verdict = "missed"
	NotMeasured Verdict = "not measured"
)

// Against names what the figure is divided by.
func (t Target) Against() string {
	if t.Base != "" {
		return "itself"
	}
	return cmp.Or(t.Peer, "-")
}

func (t Target) show(v float64) string {
	if t.Against() != "-" {
		return Quantity(v, figure.Times)
	}
	return Quantity(v, t.Metric.Unit())
}

// ToReach writes the limit.
func (t Target) ToReach() string {
	switch {
	case t.Least:
		return ">= " + t.show(t.Limit)
	case t.Noise:
		return "<= " + t.show(t.Limit) + " or within noise"
	}
	return "<= " + t.show(t.Limit)
}

// Judge holds a result with so many members, as in Sample, against the target.
func (t Target) Judge(r *Result, n int) (found Stat, v Verdict) {
	v = NotMeasured
	for line := range strings.FieldsSeq(t.Line) {
		ref := Ref{line, cmp.Or(t.System, Zrank), t.Metric, n}
		if log, ok := r.Stat(Ref{line, ref.System, figure.Log, n}); t.Log > 0 && (!ok || log.Min < t.Log) {
			continue
		}
		own, ok := r.Stat(ref)
		over := ref
		if t.Peer != "" {
			over.System = t.Peer
		} else if t.Base != "" {
			over.Line = t.Base
		}
		if over != ref && ok {
			own, ok = r.Ratio(ref, over)
		}
		if ok && (v == NotMeasured || own.Value < found.Value == t.Least) {
			found, v = own, Missed
		}
		if a, b := r.Series(ref).Sorted(), r.Series(over).Sorted(); ok && t.Noise && a[0] <= b[len(b)-1] {
			return found, Met
		}
	}
	if v == Missed && (found.Value == t.Limit || found.Value > t.Limit == t.Least) {
		v = Met
	}
	return found, v
}

// Standing is a target with what several results say of it.
type Standing struct {
	Target
	Command string // that measures it
	N       int    // number of members it was found with; 0: it was not measured
	Found   string // "-": it was not measured
	Verdict Verdict
}

// Stand holds all targets against results. Of several that measured one, that with the number of members it is stated for counts,
// otherwise that with the most; of equals the last. One that is stated for any number is missed if it is with one. Results of other
// workloads than uniform say nothing.
func Stand(all []*Benchmark, results ...*Result) (list []Standing) {
	for _, b := range all {
		for _, t := range b.Targets {
			s := Standing{Target: t, Command: b.Name, Found: "-", Verdict: NotMeasured}
			if t.At != 0 {
				s.Command += fmt.Sprintf(" --n 1e%d", len(fmt.Sprint(t.At))-1)
			}
			for _, r := range results {
				if r.Kind != b.Name || r.Workload != "" && r.Workload != workload.Uniform {
					continue
				}
				for _, n := range r.Sizes() {
					found, v := t.Judge(r, n)
					s.take(cmp.Or(n, r.N), t.show(found.Value), v)
				}
			}
			list = append(list, s)
		}
	}
	return list
}

func (s *Standing) take(n int, found string, v Verdict) {
	if v == NotMeasured {
		return
	}
	more := n == s.At || s.N != s.At && n >= s.N
	if s.At == 0 && v != s.Verdict {
		more = v == Missed
	}
	if more || s.Verdict == NotMeasured {
		s.N, s.Found, s.Verdict = n, found, v
	}
}

// Elsewhere reports whether the target was found with another number of members than it is stated for.
func (s Standing) Elsewhere() bool { return s.N != 0 && s.At != 0 && s.N != s.At }

// Members writes for how many members the target is stated, and with how many it was found.
func (s Standing) Members() string {
	at := "any number"
	if s.At != 0 {
		at = Comma(s.At)
	}
	if s.N == 0 || s.N == s.At {
		return at
	}
	return at + ", found with " + Comma(s.N)
}
