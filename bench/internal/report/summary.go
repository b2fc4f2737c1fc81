package report

import (
	"slices"

	"github.com/zrankdb/zrank/bench/internal/measure"
)

// Run is one repetition of one peer.
type Run struct {
	Peer       string          `json:"peer"`
	Repetition int             `json:"repetition"`
	Seconds    float64         `json:"seconds"` // of the whole subprocess
	Figures    measure.Figures `json:"figures"`
}

// Stat is one metric of one peer over the repetitions.
type Stat struct {
	Value    float64 // the median; the least of a metric whose Description says Best
	Min, Max float64
}

// Spread is half the distance from the least to the greatest repetition, in per cent of the value.
func (s Stat) Spread() float64 {
	if s.Value == 0 {
		return 0
	}
	return (s.Max - s.Min) / 2 / s.Value * 100
}

// Summary is the Stat of every peer and metric.
type Summary map[string]map[measure.Metric]Stat

// Summarize takes the runs of all peers together.
func Summarize(runs []Run) Summary {
	values := map[string]map[measure.Metric][]float64{}
	for _, r := range runs {
		if values[r.Peer] == nil {
			values[r.Peer] = map[measure.Metric][]float64{}
		}
		for m, v := range r.Figures {
			values[r.Peer][m] = append(values[r.Peer][m], v)
		}
	}
	s := Summary{}
	for peer, metrics := range values {
		s[peer] = map[measure.Metric]Stat{}
		for _, d := range measure.Descriptions {
			if v := metrics[d.Metric]; len(v) > 0 {
				s[peer][d.Metric] = stat(v, d.Best)
			}
		}
	}
	return s
}

func stat(v []float64, best bool) Stat {
	slices.Sort(v)
	s := Stat{Min: v[0], Max: v[len(v)-1]}
	middle := len(v) / 2
	switch {
	case best:
		s.Value = s.Min
	case len(v)%2 == 0:
		s.Value = (v[middle-1] + v[middle]) / 2
	default:
		s.Value = v[middle]
	}
	return s
}

// Stat returns a peer's metric, and false if it was not measured.
func (s Summary) Stat(peer string, m measure.Metric) (Stat, bool) {
	st, ok := s[peer][m]
	return st, ok
}

// and is Stat, and false if ok is.
func (s Summary) and(ok bool, peer string, m measure.Metric) (Stat, bool) {
	st, there := s.Stat(peer, m)
	return st, ok && there
}
