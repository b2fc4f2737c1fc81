package bench

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/zrankdb/zrank/bench/internal/figure"
	"github.com/zrankdb/zrank/bench/internal/workload"
)

// ownAllocs is how far the number of allocations a call may be from a whole number, as a share of it, and still counts as that number. The
// runtime allocates some objects of its own: 0.00003 a call in a loop of 200,000 calls, and up to 0.0002 in one of 20,000.
const ownAllocs = 0.0003

// Target is a limit for a figure.
type Target struct {
	What string
	// Line is the line of the figure. Of several lines, separated by spaces, the one furthest from the target counts.
	Line   string
	System string // ours; empty: zrank
	Metric figure.Metric
	Peer   string // the figure is divided by this peer's
	Base   string // the figure is divided by this line of the same system
	Limit  float64
	Least  bool // the figure must be at least Limit, not at most
	// Noise means that the target is also met if some round of the figure is no greater than some round of Base.
	Noise bool
	At    int // the number of members that the target is stated for; 0: any
	// Log is the least number of bytes of log in a result that counts; 0: any.
	Log float64
}

// Verdict is the outcome of a target.
type Verdict string

// The verdicts.
const (
	Met         Verdict = "met"
	Missed      Verdict = "missed"
	NotMeasured Verdict = "not measured"
)

// Against names the divisor of the figure.
func (t Target) Against() string {
	if t.Base != "" {
		return "itself"
	}
	return cmp.Or(t.Peer, "-")
}

// unit returns the unit of the figure or of the quotient.
func (t Target) unit() figure.Unit {
	if t.Against() != "-" {
		return figure.Times
	}
	return t.Metric.Unit()
}

// ToReach formats the limit.
func (t Target) ToReach() string {
	limit := Quantity(t.Limit, t.unit())
	switch {
	case t.Least:
		return ">= " + limit
	case t.Noise:
		return "<= " + limit + " or within noise"
	}
	return "<= " + limit
}

// Judge compares the figure of a result with the target. n is the number of members, as in Sample.
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

// Standing is a target with its verdict from several results.
type Standing struct {
	Target
	Command string // that measures it
	N       int    // the number of members of Found; 0: not measured
	Found   string // "-": not measured
	Verdict Verdict
}

// Stand compares results with all targets. If several results measured a target, the one with the stated number of members counts, or else
// the one with the most members; of equals the last. A target for any number is missed if one result misses it. Results of other workloads
// than uniform do not count.
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
					s.take(cmp.Or(n, r.N), found.String(t.unit()), v)
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

// Elsewhere reports whether the figure was found with another number of members than the target is stated for.
func (s Standing) Elsewhere() bool { return s.N != 0 && s.At != 0 && s.N != s.At }

// Members returns the number of members that the target is stated for, and the number of Found.
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
