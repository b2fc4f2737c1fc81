package diff

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"golang.org/x/perf/benchmath"

	"github.com/zrankdb/zrank/bench/internal/bench"
	"github.com/zrankdb/zrank/bench/internal/figure"
)

// Options say how to compare.
type Options struct {
	Alpha   float64 // the p below which a figure counts as changed, in (0, 1)
	Against string  // the peer that our figures are divided by, round by round; empty: none
	All     bool    // the figures of peers, too
}

// Verdict is what became of a figure.
type Verdict string

// The verdicts, in the order of the rows.
const (
	Worse  Verdict = "worse"
	Better Verdict = "better"
	Other  Verdict = "other" // it changed, and is neither good nor bad
	Same   Verdict = "~"     // no difference that the samples can tell
)

// Row is one figure of both results.
type Row struct {
	bench.Ref
	Title   string      `json:"title"`
	Unit    figure.Unit `json:"unit"`
	Old     bench.Stat  `json:"old"`
	New     bench.Stat  `json:"new"`
	Change  float64     `json:"change"` // in per cent of Old; 0 if that is 0
	P       float64     `json:"p"`
	OldN    int         `json:"old_samples"`
	NewN    int         `json:"new_samples"`
	Verdict Verdict     `json:"verdict"`

	better figure.Direction
}

// Diff is the comparison of two results.
type Diff struct {
	Alpha   float64  `json:"alpha"`
	Against string   `json:"against,omitempty"`
	Notes   []string `json:"notes"` // what to know before believing the rows
	Rows    []Row    `json:"rows"`  // worse first, the farthest first

	old, new *bench.Result
}

// Compare compares two results. It fails if they are of different benchmarks, have no figure in common, or have not measured the peer
// that Options.Against names.
func Compare(from, to *bench.Result, o Options) (*Diff, error) {
	d := &Diff{Alpha: o.Alpha, Against: o.Against, Notes: []string{}, old: from, new: to}
	if from.Kind != to.Kind {
		return nil, fmt.Errorf("the old one is of %s, the new one of %s: there is nothing to compare", from.Kind, to.Kind)
	}
	before, err := chosen(from, o)
	if err != nil {
		return nil, fmt.Errorf("the old one: %w", err)
	}
	after, err := chosen(to, o)
	if err != nil {
		return nil, fmt.Errorf("the new one: %w", err)
	}
	titles, was, both := to.Titles(), map[bench.Ref]bench.Series{}, []Row(nil)
	for _, s := range before {
		was[s.Ref] = s
	}
	for _, s := range after {
		if old, ok := was[s.Ref]; ok {
			both = append(both, d.row(old, s, titles))
		}
	}
	for _, r := range both {
		if o.All || o.Against != "" || bench.IsOurs(r.System) {
			d.Rows = append(d.Rows, r)
		}
	}
	if len(d.Rows) == 0 {
		return nil, fmt.Errorf("no figure is in both: the old one has %s, the new one %s", from.Loaded(), to.Loaded())
	}
	d.note(both, len(before)-len(both), len(after)-len(both))
	slices.SortStableFunc(d.Rows, farthest)
	return d, nil
}

// chosen returns the figures to compare: those of the result, or ours over the peer's.
func chosen(r *bench.Result, o Options) (list []bench.Series, err error) {
	if o.Against == "" {
		return r.All(), nil
	}
	pairs := r.Pairs()
	for _, theirs := range r.All() {
		if theirs.System != o.Against || theirs.Better == figure.Neither {
			continue
		}
		own := theirs.Ref
		if own.System = pairs[[2]string{theirs.Line, theirs.System}]; own.System == "" {
			continue
		}
		if q := r.Series(own).Over(theirs); len(q.Values) > 0 {
			list = append(list, q)
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("no figure of the peer %q to divide ours by; it has %s", o.Against, strings.Join(r.Systems(), ", "))
	}
	return list, nil
}

// row tests one figure.
func (d *Diff) row(was, is bench.Series, titles map[string]string) Row {
	r := Row{Ref: is.Ref, Title: bench.Title(titles, is.Ref), Unit: is.Unit, Old: was.Stat(), New: is.Stat(), OldN: len(was.Values),
		NewN: len(is.Values), Verdict: Same, better: is.Better}
	old, now := r.Old.Value, r.New.Value
	if old != 0 {
		r.Change = (now - old) / math.Abs(old) * 100
	}
	limits := benchmath.Thresholds{CompareAlpha: d.Alpha}
	r.P = benchmath.AssumeNothing.Compare(benchmath.NewSample(was.Sorted(), &limits), benchmath.NewSample(is.Sorted(), &limits)).P
	switch {
	case r.P >= d.Alpha || now == old:
	case r.better == figure.Neither:
		r.Verdict = Other
	case (now < old) == (r.better == figure.Less):
		r.Verdict = Better
	default:
		r.Verdict = Worse
	}
	return r
}

// farthest orders rows by verdict, and those that changed by how far.
func farthest(a, b Row) int {
	order := []Verdict{Worse, Better, Other, Same}
	if c := cmp.Compare(slices.Index(order, a.Verdict), slices.Index(order, b.Verdict)); c != 0 || a.Verdict == Same {
		return c
	}
	return cmp.Compare(b.factor(), a.factor())
}

// factor is how many times as much, or as little, the new figure is; +Inf if one of them is 0.
func (r Row) factor() float64 {
	if r.Old.Value <= 0 || r.New.Value <= 0 {
		return math.Inf(1)
	}
	return max(r.New.Value/r.Old.Value, r.Old.Value/r.New.Value)
}

// WorseBy returns the rows of ours that got worse by more than so many per cent.
func (d *Diff) WorseBy(percent float64) (rows []Row) {
	for _, r := range d.Rows {
		if r.Verdict == Worse && bench.IsOurs(r.System) && (math.Abs(r.Change) > percent || r.Old.Value == 0) {
			rows = append(rows, r)
		}
	}
	return rows
}
