package diff

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"golang.org/x/perf/benchmath"

	"github.com/zrankdb/zrank/bench/internal/bench"
	"github.com/zrankdb/zrank/bench/internal/figure"
	"github.com/zrankdb/zrank/bench/internal/render"
)

// Options are the settings of a comparison.
type Options struct {
	Alpha   float64 // the p below which a figure counts as changed, in (0, 1)
	Against string  // the peer that our figures are divided by, round by round; empty: none
	All     bool    // the figures of peers, too
}

// Verdict is the outcome for one figure.
type Verdict string

// The verdicts, in the order of the rows.
const (
	Worse  Verdict = "worse"
	Better Verdict = "better"
	Other  Verdict = "other" // the figure changed, and has no better direction
	Same   Verdict = "~"     // the test finds no difference
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

	better   figure.Direction
	warnings []error // of the test
}

// Diff is the comparison of two results.
type Diff struct {
	Alpha   float64  `json:"alpha"`
	Against string   `json:"against,omitempty"`
	Notes   []string `json:"notes"` // what limits the rows: other machines, few rounds, drift
	Rows    []Row    `json:"rows"`  // worse first, the farthest first

	old, new *bench.Result
}

// Compare compares two results. It fails if the results are of different benchmarks, share no figure, or lack the peer of
// Options.Against.
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
	test := benchmath.AssumeNothing.Compare(benchmath.NewSample(was.Sorted(), &limits), benchmath.NewSample(is.Sorted(), &limits))
	r.P, r.warnings = test.P, test.Warnings
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

// farthest orders rows by verdict, and changed rows by the factor of the change.
func farthest(a, b Row) int {
	order := []Verdict{Worse, Better, Other, Same}
	if c := cmp.Compare(slices.Index(order, a.Verdict), slices.Index(order, b.Verdict)); c != 0 || a.Verdict == Same {
		return c
	}
	return cmp.Compare(b.factor(), a.factor())
}

// factor returns the larger figure over the smaller one, or +Inf if one of them is 0.
func (r Row) factor() float64 {
	if r.Old.Value <= 0 || r.New.Value <= 0 {
		return math.Inf(1)
	}
	return max(r.New.Value/r.Old.Value, r.Old.Value/r.New.Value)
}

// WorseBy returns our rows that got worse by more than a percentage.
func (d *Diff) WorseBy(percent float64) (rows []Row) {
	for _, r := range d.Rows {
		if r.Verdict == Worse && bench.IsOurs(r.System) && (math.Abs(r.Change) > percent || r.Old.Value == 0) {
			rows = append(rows, r)
		}
	}
	return rows
}

// drifted is the change of the peers' figures, in per cent, from which a note reports it.
const drifted = 3

// note writes the notes. both holds all rows; oldOnly and newOnly count the figures that only one result has.
func (d *Diff) note(both []Row, oldOnly, newOnly int) {
	add := func(when bool, format string, args ...any) {
		if when {
			d.Notes = append(d.Notes, fmt.Sprintf(format, args...))
		}
	}
	before, after := settings(d.old), settings(d.new)
	for _, what := range slices.Sorted(maps.Keys(after)) {
		old, ok := before[what]
		add(ok && old != after[what], "%s differs: %s, now %s", what, cmp.Or(old, "not known"), cmp.Or(after[what], "not known"))
	}
	add(oldOnly > 0, "%d figures are in the old one alone", oldOnly)
	add(newOnly > 0, "%d figures are in the new one alone", newOnly)
	warned, changed := map[string]int{}, 0
	for _, r := range d.Rows {
		for _, w := range r.warnings {
			warned[w.Error()]++
		}
		if r.Verdict != Same {
			changed++
		}
	}
	for _, w := range slices.Sorted(maps.Keys(warned)) {
		add(true, "%d of %d figures: %s", warned[w], len(d.Rows), w)
	}
	if slower, n := drift(both); d.Against == "" && n > 0 {
		add(math.Abs(slower) >= drifted, "the times of the peers, whose code is the same, are %+.0f %% in the median of %d figures: the machine did that; --against divides it out",
			slower, n)
	}
	byChance := d.Alpha * float64(len(d.Rows))
	add(changed > 0 && byChance >= 1, "%d figures were tested: about %.0f come out as changed at p < %g if none is", len(d.Rows), byChance, d.Alpha)
}

// drift returns the median slowdown of the peers in per cent, over their times and rates, and the number of those figures.
func drift(all []Row) (percent float64, n int) {
	var factors []float64
	for _, r := range all {
		timed := r.Unit == figure.Nanoseconds || r.Unit == figure.Milliseconds || r.Unit == figure.PerSecond
		if bench.IsOurs(r.System) || !timed || r.Old.Value <= 0 || r.New.Value <= 0 {
			continue
		}
		factor := r.New.Value / r.Old.Value
		if r.better == figure.More {
			factor = 1 / factor
		}
		factors = append(factors, factor)
	}
	if len(factors) == 0 {
		return 0, 0
	}
	slices.Sort(factors)
	return (factors[len(factors)/2] - 1) * 100, len(factors)
}

// settings returns the conditions that two results should share.
func settings(r *bench.Result) map[string]string {
	m := r.Machine
	all := map[string]string{
		"the processor": fmt.Sprintf("%s, %d cores", m.CPU, m.Cores), "the system": m.OS + "/" + m.Arch, "Go": m.Go,
		"the disk": strings.TrimSpace(r.Disk.FileSystem + " " + r.Disk.Device), "the load": r.Loaded(), "the command": r.Command,
		"the seed": fmt.Sprint(r.Seed),
	}
	for module, version := range m.Versions {
		if !strings.Contains(module, "zrankdb") {
			all[module] = version
		}
	}
	return all
}

// WriteJSON writes the comparison for a program.
func (d *Diff) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(d)
}

// WriteText writes the comparison as a table, below the two results and the notes.
func (d *Diff) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "old: %s\nnew: %s\n%s, %s\n", about(d.old), about(d.new), d.new.Kind, d.new.Loaded())
	if d.Against != "" {
		fmt.Fprintf(&b, "figures are ours over those of %s in the same round\n", d.Against)
	}
	for _, n := range d.Notes {
		fmt.Fprintf(&b, "! %s\n", n)
	}
	v := render.View{Head: []string{"", "", "n", "old", "new", "change", "p", "samples", ""}, Text: 2}
	count := map[Verdict]int{}
	for _, r := range d.Rows {
		count[r.Verdict]++
		v.Rows = append(v.Rows, []string{r.Title, r.System, bench.Comma(cmp.Or(r.N, d.new.N)), r.Old.String(r.Unit), r.New.String(r.Unit), r.change(),
			fmt.Sprintf("%.3f", r.P), fmt.Sprintf("%d+%d", r.OldN, r.NewN), string(r.Verdict)})
	}
	_, err := fmt.Fprintf(w, "%s\n%s\n\n%d worse, %d better, %d without a difference that the samples can tell (~: p >= %g)\n", b.String(), v.Pretty(false),
		count[Worse], count[Better], count[Same], d.Alpha)
	return err
}

// about returns the commit, the date and the machine state of a result.
func about(r *bench.Result) string {
	date := ""
	if !r.Machine.Date.IsZero() {
		date = r.Machine.Date.Format(", 2006-01-02 15:04 UTC")
	}
	return fmt.Sprintf("%s%s, %s, load before %s, %d rounds", cmp.Or(r.Machine.Commit, "an unknown commit"), date, r.Machine.Go,
		cmp.Or(r.Machine.Load, "not known"), r.Rounds)
}

// change returns the difference in per cent, or the factor if the figure grew tenfold.
func (r Row) change() string {
	switch {
	case r.Old.Value == r.New.Value:
		return "0.0%"
	case r.Old.Value == 0:
		return "from 0"
	case r.Verdict == Same:
		return fmt.Sprintf("(%+.1f%%)", r.Change)
	case r.Change >= 900:
		return fmt.Sprintf("%.1fx", r.New.Value/r.Old.Value)
	}
	return fmt.Sprintf("%+.1f%%", r.Change)
}
