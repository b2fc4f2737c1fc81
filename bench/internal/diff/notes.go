package diff

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/zrankdb/zrank/bench/internal/bench"
	"github.com/zrankdb/zrank/bench/internal/figure"
)

// drifted is by how many per cent the peers' figures may change before a note says so.
const drifted = 3

// note writes the notes. both are all rows, oldOnly and newOnly the numbers of figures that one result has alone.
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
	weak, few := 0, Row{}
	changed := 0
	for _, r := range d.Rows {
		if leastP(r.OldN, r.NewN) >= d.Alpha {
			if weak++; min(r.OldN, r.NewN) < min(few.OldN, few.NewN) || weak == 1 {
				few = r
			}
		}
		if r.Verdict != Same {
			changed++
		}
	}
	if weak > 0 {
		enough := 1
		for leastP(enough, enough) >= d.Alpha {
			enough++
		}
		add(true, "%d and %d rounds can never reach p < %g, the least is p = %.3f: %d of %d figures show no change, whatever they did; take %d at least in each, better %d",
			few.OldN, few.NewN, d.Alpha, leastP(few.OldN, few.NewN), weak, len(d.Rows), enough, max(enough+2, 6))
	}
	if slower, n := drift(both); d.Against == "" && n > 0 {
		add(math.Abs(slower) >= drifted, "the times of the peers, whose code is the same, are %+.0f %% in the median of %d figures: the machine did that; --against divides it out",
			slower, n)
	}
	byChance := d.Alpha * float64(len(d.Rows))
	add(changed > 0 && byChance >= 1, "%d figures were tested: about %.0f come out as changed at p < %g if none is", len(d.Rows), byChance, d.Alpha)
}

// leastP is the least p of the exact two-sided U test: all samples of one result below all of the other.
func leastP(a, b int) float64 {
	ways := 1.0 // to choose a of a+b
	for i := 1; i <= a; i++ {
		ways = ways * float64(b+i) / float64(i)
	}
	return min(1, 2/ways)
}

// drift returns by how many per cent the peers became slower, in the median of their times and rates, and how many those are.
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

// settings are what two results should agree in.
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
