package diff

import (
	"cmp"
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

var order = []Verdict{Worse, Better, Other, Same}

// Row is one figure of both results.
type Row struct {
	Title    string
	Old, New bench.Series
	P        float64
	Verdict  Verdict
	warnings []error // of the test
}

// Diff is the comparison of two results.
type Diff struct {
	Rows []Row // worse first, the farthest first

	options  Options
	old, new *bench.Result
	notes    []string // what limits the rows: other machines, few rounds, drift
}

// Compare compares two results. It fails if the results are of different benchmarks, share no figure, or lack the peer of
// Options.Against.
func Compare(from, to *bench.Result, o Options) (*Diff, error) {
	d := &Diff{options: o, old: from, new: to}
	if from.Kind != to.Kind {
		return nil, fmt.Errorf("the old one is of %s, the new one of %s: there is nothing to compare", from.Kind, to.Kind)
	}
	before, err := chosen(from, o.Against)
	if err != nil {
		return nil, fmt.Errorf("the old one: %w", err)
	}
	after, err := chosen(to, o.Against)
	if err != nil {
		return nil, fmt.Errorf("the new one: %w", err)
	}
	titles, was, peers := to.Titles(), map[bench.Ref]bench.Series{}, []Row(nil)
	for _, s := range before {
		was[s.Ref] = s
	}
	for _, s := range after {
		old, ok := was[s.Ref]
		if !ok {
			continue
		}
		if r := test(old, s, o.Alpha, bench.Title(titles, s.Ref)); o.Against != "" || bench.IsOurs(s.System) {
			d.Rows = append(d.Rows, r)
		} else {
			peers = append(peers, r)
		}
	}
	if len(d.Rows) == 0 {
		return nil, fmt.Errorf("no figure is in both: the old one has %s, the new one %s", from.Loaded(), to.Loaded())
	}
	slices.SortStableFunc(d.Rows, farthest)
	d.note(peers, len(before), len(after))
	return d, nil
}

// chosen returns the figures to compare: those of the result, or ours over the peer's.
func chosen(r *bench.Result, against string) (list []bench.Series, err error) {
	if against == "" {
		return r.All(), nil
	}
	pairs := r.Pairs()
	for _, theirs := range r.All() {
		own := theirs.Ref
		own.System = pairs[[2]string{theirs.Line, theirs.System}]
		if theirs.System != against || theirs.Better == figure.Neither || own.System == "" {
			continue
		}
		if q := r.Series(own).Over(theirs); len(q.Values) > 0 {
			list = append(list, q)
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("no figure of the peer %q to divide ours by; it has %s", against, strings.Join(r.Systems(), ", "))
	}
	return list, nil
}

// test tests one figure.
func test(was, is bench.Series, alpha float64, title string) Row {
	limits := benchmath.Thresholds{CompareAlpha: alpha}
	found := benchmath.AssumeNothing.Compare(benchmath.NewSample(was.Sorted(), &limits), benchmath.NewSample(is.Sorted(), &limits))
	r := Row{Title: title, Old: was, New: is, P: found.P, Verdict: Same, warnings: found.Warnings}
	old, now := was.Stat().Value, is.Stat().Value
	switch {
	case r.P >= alpha || now == old:
	case is.Better == figure.Neither:
		r.Verdict = Other
	case (now < old) == (is.Better == figure.Less):
		r.Verdict = Better
	default:
		r.Verdict = Worse
	}
	return r
}

// farthest orders rows by verdict, and changed rows by the factor of the change.
func farthest(a, b Row) int {
	if c := cmp.Compare(slices.Index(order, a.Verdict), slices.Index(order, b.Verdict)); c != 0 || a.Verdict == Same {
		return c
	}
	return cmp.Compare(math.Abs(math.Log(b.factor())), math.Abs(math.Log(a.factor())))
}

// factor returns the new figure over the old one: +Inf if that was 0, and 1 if both are.
func (r Row) factor() float64 {
	old, now := r.Old.Stat().Value, r.New.Stat().Value
	if old == now {
		return 1
	}
	return now / old
}

// percent returns the change in per cent of the old figure.
func (r Row) percent() float64 { return (r.factor() - 1) * 100 }

// WorseBy returns our rows that got worse by more than a percentage.
func (d *Diff) WorseBy(percent float64) (rows []Row) {
	for _, r := range d.Rows {
		if r.Verdict == Worse && math.Abs(r.percent()) > percent {
			rows = append(rows, r)
		}
	}
	return rows
}

// drifted is the change of the peers' figures, in per cent, from which a note reports it.
const drifted = 3

// note writes the notes. peers are the rows of peers, and before and after count the figures of each result.
func (d *Diff) note(peers []Row, before, after int) {
	add := func(when bool, format string, args ...any) {
		if when {
			d.notes = append(d.notes, fmt.Sprintf(format, args...))
		}
	}
	was, is := settings(d.old), settings(d.new)
	for _, what := range slices.Sorted(maps.Keys(is)) {
		old, ok := was[what]
		add(ok && old != is[what], "%s differs: %s, now %s", what, cmp.Or(old, "not known"), cmp.Or(is[what], "not known"))
	}
	both := len(peers) + len(d.Rows)
	add(before > both, "%d figures are in the old one alone", before-both)
	add(after > both, "%d figures are in the new one alone", after-both)
	warned := map[string]int{}
	for _, r := range d.Rows {
		for _, w := range r.warnings {
			warned[w.Error()]++
		}
	}
	for _, w := range slices.Sorted(maps.Keys(warned)) {
		add(true, "%d of %d figures: %s", warned[w], len(d.Rows), w)
	}
	slower, n := drift(peers)
	add(math.Abs(slower) >= drifted, "the times of the peers, whose code is the same, are %+.0f %% in the median of %d figures: the machine did that; --against divides it out",
		slower, n)
	byChance := d.options.Alpha * float64(len(d.Rows))
	add(byChance >= 1, "%d figures were tested: about %.0f come out as changed at p < %g if none is", len(d.Rows), byChance, d.options.Alpha)
}

// drift returns the median slowdown of the peers in per cent, over their times and rates, and the number of those figures.
func drift(peers []Row) (percent float64, n int) {
	var factors []float64
	for _, r := range peers {
		switch r.New.Unit {
		case figure.Nanoseconds, figure.Milliseconds:
			factors = append(factors, r.factor())
		case figure.PerSecond:
			factors = append(factors, 1/r.factor())
		}
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

// WriteText writes the comparison as a table, below the two results and the notes.
func (d *Diff) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "old: %s, %d rounds\nnew: %s, %d rounds\n%s, %s\n", d.old.Machine.Line(), d.old.Rounds, d.new.Machine.Line(), d.new.Rounds, d.new.Kind, d.new.Loaded())
	if d.options.Against != "" {
		fmt.Fprintf(&b, "figures are ours over those of %s in the same round\n", d.options.Against)
	}
	for _, n := range d.notes {
		fmt.Fprintf(&b, "! %s\n", n)
	}
	v := render.View{Head: []string{"", "", "n", "old", "new", "change", "p", "samples", ""}, Text: 2}
	count := map[Verdict]int{}
	for _, r := range d.Rows {
		count[r.Verdict]++
		change := fmt.Sprintf("%+.1f%%", r.percent())
		if r.Verdict == Same {
			change = "(" + change + ")"
		}
		v.Rows = append(v.Rows, []string{r.Title, r.New.System, bench.Comma(cmp.Or(r.New.N, d.new.N)), r.Old.Stat().String(r.New.Unit), r.New.Stat().String(r.New.Unit),
			change, fmt.Sprintf("%.3f", r.P), fmt.Sprintf("%d+%d", len(r.Old.Values), len(r.New.Values)), string(r.Verdict)})
	}
	_, err := fmt.Fprintf(w, "%s\n%s\n\n%d worse, %d better, %d without a difference that the samples can tell (~: p >= %g)\n", b.String(), v.Pretty(false),
		count[Worse], count[Better], count[Same], d.options.Alpha)
	return err
}
