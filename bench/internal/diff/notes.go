package diff

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/zrankdb/zrank/bench/internal/figure"
	"github.com/zrankdb/zrank/bench/internal/report"
)

// drifted is by how many per cent the peers' figures may change before it is said.
const drifted = 3

// notes says what to know before believing the rows.
func (d *Diff) notes(all []Row, olds, news int) {
	d.Notes = []string{} // a list in JSON even so
	note := func(format string, args ...any) { d.Notes = append(d.Notes, fmt.Sprintf(format, args...)) }
	for _, x := range d.settings() {
		if x.old != x.new {
			note("%s differs: %s, now %s", x.what, orNothing(x.old), orNothing(x.new))
		}
	}
	if gone := olds - len(all); gone > 0 {
		note("%d figures are in the old one alone", gone)
	}
	if came := news - len(all); came > 0 {
		note("%d figures are in the new one alone", came)
	}
	d.power(note)
	if d.Against == "" {
		d.drift(all, note)
	}
	changed := 0
	for _, r := range d.Rows {
		if r.Verdict != Same {
			changed++
		}
	}
	if byChance := d.Alpha * float64(len(d.Rows)); changed > 0 && byChance >= 1 {
		note("%d figures were tested: about %.0f come out as changed at p < %g if none is", len(d.Rows), byChance, d.Alpha)
	}
}

// power says when the repetitions are too few for the test to find anything.
func (d *Diff) power(note func(string, ...any)) {
	weak, least, few := 0, 1.0, Row{}
	for _, r := range d.Rows {
		if p := leastP(r.OldN, r.NewN); p >= d.Alpha {
			weak++
			if p < least || weak == 1 {
				least, few = p, r
			}
		}
	}
	if weak == 0 {
		return
	}
	n := enough(d.Alpha)
	note("%d and %d repetitions can never reach p < %g, the least is p = %.3f: %d of %d figures show no change, whatever they did; take %d at least in each, better %d",
		few.OldN, few.NewN, d.Alpha, least, weak, len(d.Rows), n, max(n+2, 6))
}

// leastP is the least p of the exact two-sided U test: all samples of one lot below all of the other.
func leastP(a, b int) float64 {
	ways := 1.0 // to choose a of a+b
	for i := 1; i <= a; i++ {
		ways = ways * float64(b+i) / float64(i)
	}
	return min(1, 2/ways)
}

// enough is how many repetitions in each run it takes for a p below alpha.
func enough(alpha float64) int {
	n := 1
	for leastP(n, n) >= alpha {
		n++
	}
	return n
}

// drift says what happened to times and rates of the peers, whose code is the same.
func (d *Diff) drift(all []Row, note func(string, ...any)) {
	var factors []float64
	for _, r := range all {
		timed := r.Unit == string(figure.Nanoseconds) || r.Unit == string(figure.Milliseconds) || r.Unit == string(figure.PerSecond)
		if report.IsOurs(r.System) || !timed || r.Old <= 0 || r.New <= 0 {
			continue
		}
		if r.Better == figure.More {
			factors = append(factors, r.Old/r.New)
		} else {
			factors = append(factors, r.New/r.Old)
		}
	}
	if len(factors) == 0 {
		return
	}
	slices.Sort(factors)
	slower := (factors[len(factors)/2] - 1) * 100
	if math.Abs(slower) < drifted {
		return
	}
	word := "slower"
	if slower < 0 {
		word = "faster"
	}
	note("the peers, whose code is the same, are %.0f %% %s in the median of %d figures: the machine did that; --against divides it out",
		math.Abs(slower), word, len(factors))
}

// setting is what two runs should agree in.
type setting struct{ what, old, new string }

func (d *Diff) settings() []setting {
	a, b := d.Old, d.New
	list := []setting{
		{"the processor", fmt.Sprintf("%s, %d cores", a.Machine.CPU, a.Machine.Cores), fmt.Sprintf("%s, %d cores", b.Machine.CPU, b.Machine.Cores)},
		{"the system", a.Machine.OS + "/" + a.Machine.Arch, b.Machine.OS + "/" + b.Machine.Arch},
		{"Go", a.Machine.Go, b.Machine.Go},
		{"the disk", strings.TrimSpace(a.Disk.FileSystem + " " + a.Disk.Device), strings.TrimSpace(b.Disk.FileSystem + " " + b.Disk.Device)},
		{"the load", a.Load, b.Load},
		{"the command", a.Command, b.Command},
		{"the seed", fmt.Sprint(a.Seed), fmt.Sprint(b.Seed)},
		{"the length of members", fmt.Sprint(a.MemberBytes), fmt.Sprint(b.MemberBytes)},
	}
	for _, module := range slices.Sorted(maps.Keys(a.Machine.Versions)) {
		if is, ok := b.Machine.Versions[module]; ok && !strings.Contains(module, "zrankdb") {
			list = append(list, setting{module, a.Machine.Versions[module], is})
		}
	}
	return list
}

func orNothing(s string) string {
	if s == "" {
		return "not known"
	}
	return s
}

// systems lists the peers of a document.
func systems(list []report.Series) string {
	var names []string
	for _, s := range list {
		if !slices.Contains(names, s.System) {
			names = append(names, s.System)
		}
	}
	return strings.Join(names, ", ")
}
