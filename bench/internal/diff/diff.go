package diff

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"golang.org/x/perf/benchmath"

	"github.com/zrankdb/zrank/bench/internal/figure"
	"github.com/zrankdb/zrank/bench/internal/report"
)

// Options say how to compare.
type Options struct {
	// Alpha is the p below which a figure counts as changed; in (0, 1).
	Alpha float64
	// Against is the peer that our figures are divided by, repetition by repetition; empty for the figures themselves.
	Against string
	// All includes the figures of peers.
	All bool
}

// Verdict is what became of a figure.
type Verdict string

// The verdicts.
const (
	Worse  Verdict = "worse"
	Better Verdict = "better"
	Other  Verdict = "other" // changed, of a figure that is neither good nor bad
	Same   Verdict = "~"     // nothing that the samples can tell
)

// Row is one figure of both runs.
type Row struct {
	report.Key
	Title   string           `json:"title"`
	Unit    string           `json:"unit"`
	Better  figure.Direction `json:"better"`
	Old     float64          `json:"old"` // as in the tables: mostly the median
	New     float64          `json:"new"`
	Change  float64          `json:"change"` // in per cent of Old; 0 if that is 0
	P       float64          `json:"p"`
	OldN    int              `json:"old_samples"`
	NewN    int              `json:"new_samples"`
	Verdict Verdict          `json:"verdict"`

	old, new report.Series
}

// Diff is the comparison of two runs.
type Diff struct {
	Old     report.About `json:"old"`
	New     report.About `json:"new"`
	Alpha   float64      `json:"alpha"`
	Against string       `json:"against,omitempty"`
	Notes   []string     `json:"notes"` // what to know before believing the rows
	Rows    []Row        `json:"rows"`  // worse first, the farthest first; then better; then the others as they were measured
}

// Compare compares two runs of one command. It fails if they are of different commands, have no figure in common, or have not
// measured the peer that Options.Against names.
func Compare(from, to report.Document, o Options) (*Diff, error) {
	d := &Diff{Old: from.About(), New: to.About(), Alpha: o.Alpha, Against: o.Against}
	if d.Old.Kind != d.New.Kind {
		return nil, fmt.Errorf("the old one is of %s, the new one of %s: there is nothing to compare", d.Old.Kind, d.New.Kind)
	}
	oldList, err := chosen(from, o)
	if err != nil {
		return nil, fmt.Errorf("the old one: %w", err)
	}
	newList, err := chosen(to, o)
	if err != nil {
		return nil, fmt.Errorf("the new one: %w", err)
	}
	all := d.match(oldList, newList)
	for _, r := range all {
		if o.All || o.Against != "" || report.IsOurs(r.System) {
			d.Rows = append(d.Rows, r)
		}
	}
	if len(d.Rows) == 0 {
		return nil, fmt.Errorf("no figure is in both: the old one has %s, the new one %s", d.Old.Load, d.New.Load)
	}
	d.notes(all, len(oldList), len(newList))
	slices.SortStableFunc(d.Rows, farthest)
	return d, nil
}

// chosen returns the figures to compare: those of the document, or ours over the peer's.
func chosen(doc report.Document, o Options) ([]report.Series, error) {
	list := doc.Series()
	if o.Against == "" {
		return list, nil
	}
	byKey := map[report.Key]report.Series{}
	for _, s := range list {
		byKey[s.Key] = s
	}
	var quotients []report.Series
	for _, s := range list {
		if s.Better == figure.Neither {
			continue // how much was done, not how well
		}
		peer := s.Key
		peer.System = o.Against
		theirs, ok := byKey[peer]
		if !ok || s.System == o.Against || s.System != doc.Partner(s.Line, o.Against) {
			continue
		}
		if q := s.Over(theirs); len(q.Values) > 0 {
			quotients = append(quotients, q)
		}
	}
	if len(quotients) == 0 {
		return nil, fmt.Errorf("no figure of the peer %q to divide ours by; it has %s", o.Against, systems(list))
	}
	return quotients, nil
}

// match pairs what both have, in the order of the new one.
func (d *Diff) match(oldList, newList []report.Series) (rows []Row) {
	byKey := map[report.Key]report.Series{}
	for _, s := range oldList {
		byKey[s.Key] = s
	}
	for _, s := range newList {
		if was, ok := byKey[s.Key]; ok {
			rows = append(rows, d.row(was, s))
		}
	}
	return rows
}

// row tests one figure.
func (d *Diff) row(was, is report.Series) Row {
	r := Row{Key: is.Key, Title: is.Title, Unit: is.Unit, Better: is.Better, Old: was.Center(), New: is.Center(),
		OldN: len(was.Values), NewN: len(is.Values), Verdict: Same, old: was, new: is}
	if r.Old != 0 {
		r.Change = (r.New - r.Old) / math.Abs(r.Old) * 100
	}
	limits := benchmath.Thresholds{CompareAlpha: d.Alpha}
	r.P = benchmath.AssumeNothing.Compare(benchmath.NewSample(was.Sorted(), &limits), benchmath.NewSample(is.Sorted(), &limits)).P
	if r.P >= d.Alpha || r.New == r.Old {
		return r
	}
	switch {
	case r.Better == figure.Neither:
		r.Verdict = Other
	case (r.New < r.Old) == (r.Better == figure.Less):
		r.Verdict = Better
	default:
		r.Verdict = Worse
	}
	return r
}

// farthest orders rows by verdict, and what changed by how far.
func farthest(a, b Row) int {
	order := []Verdict{Worse, Better, Other, Same}
	if c := cmp.Compare(slices.Index(order, a.Verdict), slices.Index(order, b.Verdict)); c != 0 || a.Verdict == Same {
		return c
	}
	return cmp.Compare(b.factor(), a.factor())
}

// factor is how many times as much, or as little, the new figure is; +Inf of what was nothing.
func (r Row) factor() float64 {
	if r.Old <= 0 || r.New <= 0 {
		return math.Inf(1)
	}
	return max(r.New/r.Old, r.Old/r.New)
}

// WorseBy returns the rows of ours that got worse by more than so many per cent.
func (d *Diff) WorseBy(percent float64) (rows []Row) {
	for _, r := range d.Rows {
		if r.Verdict == Worse && report.IsOurs(r.System) && (math.Abs(r.Change) > percent || r.Old == 0) {
			rows = append(rows, r)
		}
	}
	return rows
}
