package bench

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/dustin/go-humanize"

	"github.com/zrankdb/zrank/bench/internal/figure"
)

// The names of systems that several benchmarks share.
const (
	Zset  = "zset"
	Zrank = "zrank"
	Redis = "redis"
)

// Ref names one figure of a result.
type Ref struct {
	Line   string        `json:"line"`
	System string        `json:"system"`
	Metric figure.Metric `json:"metric"`
	N      int           `json:"n"` // as in Sample
}

// Stat is a figure over the rounds.
type Stat struct{ Value, Min, Max float64 }

// Spread returns half the range in per cent of the value.
func (s Stat) Spread() float64 {
	if s.Value == 0 {
		return 0
	}
	return (s.Max - s.Min) / 2 / s.Value * 100
}

// String returns the value and the spread.
func (s Stat) String(u figure.Unit) string {
	return fmt.Sprintf("%s ±%.0f%%", Quantity(s.Value, u), s.Spread())
}

// center returns the figure of sorted values: the median, or the greatest of a maximum. Of the slowest call it returns the least value: a
// stall that the system causes comes back in every round, and a stall of the machine does not.
func center(sorted []float64, m figure.Metric) Stat {
	s := Stat{Min: sorted[0], Max: sorted[len(sorted)-1]}
	middle := len(sorted) / 2
	switch {
	case m == figure.Slowest:
		s.Value = s.Min
	case m == figure.Max:
		s.Value = s.Max
	case len(sorted)%2 == 0:
		s.Value = (sorted[middle-1] + sorted[middle]) / 2
	default:
		s.Value = sorted[middle]
	}
	return s
}

// Series is one figure with its value in every round.
type Series struct {
	Ref
	Title  string
	Unit   figure.Unit
	Better figure.Direction
	Values map[int]float64 // by round
}

// Sorted returns the values in ascending order.
func (s Series) Sorted() []float64 { return slices.Sorted(maps.Values(s.Values)) }

// Stat returns the figure. The series must have a value.
func (s Series) Stat() Stat {
	m := s.Metric
	if s.Unit == figure.Times {
		m = "" // the median, of a ratio
	}
	return center(s.Sorted(), m)
}

// Over divides the series by another, round by round, in the rounds that both have.
func (s Series) Over(other Series) Series {
	q := s
	q.Values, q.Unit = map[int]float64{}, figure.Times
	for i, v := range s.Values {
		if o := other.Values[i]; o > 0 {
			q.Values[i] = v / o
		}
	}
	return q
}

// Series returns one figure. A figure that was not measured has no values.
func (r *Result) Series(ref Ref) Series {
	return Series{Ref: ref, Unit: ref.Metric.Unit(), Better: ref.Metric.Better(), Values: r.indexed()[ref]}
}

// indexed returns the values of all figures, by round.
func (r *Result) indexed() map[Ref]map[int]float64 {
	if r.index != nil {
		return r.index
	}
	r.index = map[Ref]map[int]float64{}
	for _, x := range r.Samples {
		for m, v := range x.Figures {
			ref := Ref{x.Line, x.System, m, x.N}
			if r.index[ref] == nil {
				r.index[ref] = map[int]float64{}
			}
			if whole := math.Round(v); m == figure.Allocs && math.Abs(v-whole) < ownAllocs*max(whole, 1) {
				v = whole
			}
			r.index[ref][x.Round] = v
		}
	}
	return r.index
}

// Stat returns one figure, and false if it was not measured.
func (r *Result) Stat(ref Ref) (Stat, bool) {
	s := r.Series(ref)
	if len(s.Values) == 0 {
		return Stat{}, false
	}
	return s.Stat(), true
}

// Ratio returns the quotient of two figures, and false if no round has both.
func (r *Result) Ratio(ref, over Ref) (Stat, bool) {
	s := r.Series(ref).Over(r.Series(over))
	if len(s.Values) == 0 {
		return Stat{}, false
	}
	return s.Stat(), true
}

// All returns every figure, in the order of the samples.
func (r *Result) All() (list []Series) {
	seen := map[Ref]bool{}
	for _, x := range r.Samples {
		for _, m := range slices.Sorted(maps.Keys(x.Figures)) {
			if ref := (Ref{x.Line, x.System, m, x.N}); !seen[ref] {
				seen[ref] = true
				list = append(list, r.Series(ref))
			}
		}
	}
	return list
}

// Quantity formats a figure with its unit.
func Quantity(v float64, u figure.Unit) string {
	switch u {
	case figure.Nanoseconds:
		return span(v)
	case figure.Milliseconds:
		return span(v * 1e6)
	case figure.Bytes:
		return digits(v/1e6) + " MB"
	case figure.BytesEach:
		return digits(v) + " B"
	case figure.Objects:
		return fmt.Sprintf("%.4f", v)
	case figure.Times:
		if v < 0.01 && v > 0 {
			return "<0.01x"
		}
		return fmt.Sprintf("%.2fx", v)
	}
	return Comma(int(v + 0.5))
}

// span formats a time in ns.
func span(ns float64) string {
	for _, unit := range []struct {
		least float64
		name  string
	}{{1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}} {
		if ns >= unit.least {
			return digits(ns/unit.least) + " " + unit.name
		}
	}
	return fmt.Sprintf("%.0f ns", ns)
}

// digits formats a number with three digits, or with all digits before the point.
func digits(v float64) string {
	switch {
	case v >= 99.95:
		return Comma(int(v + 0.5))
	case v >= 9.995:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.2f", v)
}

// Comma writes a number with commas between thousands.
func Comma(n int) string { return humanize.Comma(int64(n)) }
