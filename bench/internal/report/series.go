package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/zrankdb/zrank/bench/internal/durable"
	"github.com/zrankdb/zrank/bench/internal/figure"
	"github.com/zrankdb/zrank/bench/internal/measure"
	"github.com/zrankdb/zrank/bench/internal/peers"
)

// Key tells one figure of a document from the others.
type Key struct {
	N      int    `json:"n"`              // members, of a document with several sizes or of its sample
	Line   string `json:"line,omitempty"` // of a Sheet
	System string `json:"system"`         // or peer
	Metric string `json:"metric"`
}

// Series is one figure with what every repetition, or round, found.
type Series struct {
	Key
	Title  string // for a reader: of the line and the metric
	Unit   string
	Better figure.Direction
	Values map[int]float64 // by repetition
	best   bool            // the least counts, not the median
	show   func(float64) string
}

// Center returns the figure that tables show: the median, or the least of a metric whose Description says Best.
func (s Series) Center() float64 { return s.stat().Value }

// Show writes a value with its unit.
func (s Series) Show(v float64) string { return s.show(v) }

// Spread returns half the range in per cent of the figure.
func (s Series) Spread() float64 { return s.stat().Spread() }

func (s Series) stat() Stat {
	return stat(s.Sorted(), s.best)
}

// Sorted returns the values, the least first.
func (s Series) Sorted() []float64 {
	var values []float64
	for _, v := range s.Values {
		values = append(values, v)
	}
	slices.Sort(values)
	return values
}

// Over returns the series divided by a peer's, repetition by repetition: what the machine did in one, it did to both. It has
// the repetitions that both have.
func (s Series) Over(peer Series) Series {
	quotient := s
	quotient.Values, quotient.Unit, quotient.show, quotient.best = map[int]float64{}, string(figure.Times), ratio, false
	for i, v := range s.Values {
		if p := peer.Values[i]; p > 0 {
			quotient.Values[i] = v / p
		}
	}
	return quotient
}

// IsOurs reports whether a system is made of this project's code. The others are the same in every commit.
func IsOurs(system string) bool {
	name, _, _ := strings.Cut(system, "/")
	switch name {
	case ours:
		return true
	case Redis, durable.Pebble, measure.LineClock:
		return false
	}
	_, err := peers.Named(name)
	return err != nil
}

// Series returns the figures of every size, peer by peer.
func (r *Report) Series() []Series {
	var list []Series
	for _, size := range r.Sizes {
		for _, peer := range r.Peers {
			for _, d := range measure.Descriptions {
				s := Series{Key: Key{N: size.N, System: peer, Metric: string(d.Metric)}, Title: d.Title, Unit: string(d.Unit),
					Better: figure.Less, Values: map[int]float64{}, best: d.Best, show: func(v float64) string { return prose(v, d.Unit) }}
				for _, run := range size.Runs {
					if v, ok := run.Figures[d.Metric]; ok && run.Peer == peer {
						s.Values[run.Repetition] = counted(v, d.Unit)
					}
				}
				if len(s.Values) > 0 {
					list = append(list, s)
				}
			}
		}
	}
	return list
}

// counted is a figure without the few objects that are the runtime's own.
func counted(v float64, u measure.Unit) float64 {
	if u == measure.Objects && v < noAllocs {
		return 0
	}
	return v
}

// Series returns the figures of every line, in the order of the samples.
func (s *Sheet) Series() []Series {
	at := map[Key]int{}
	var list []Series
	for _, x := range s.Samples {
		var names []figure.Metric
		for m := range x.Figures {
			names = append(names, m)
		}
		slices.SortFunc(names, func(a, b figure.Metric) int { return cmp.Compare(a, b) })
		for _, m := range names {
			k := Key{N: cmp.Or(x.N, s.N), Line: x.Line, System: x.System, Metric: string(m)}
			i, ok := at[k]
			if !ok {
				i = len(list)
				at[k] = i
				list = append(list, Series{Key: k, Title: s.lineTitle(x.Line) + ": " + m.Title(), Unit: string(m.Unit()), Better: m.Better(),
					Values: map[int]float64{}, show: func(v float64) string { return quantity(v, m.Unit()) }})
			}
			list[i].Values[x.Round] = x.Figures[m]
		}
	}
	return list
}

// lineTitle is what a table calls a line.
func (s *Sheet) lineTitle(line string) string {
	if d, ok := measure.Describe(measure.Metric(line)); ok {
		return d.Title
	}
	l := layouts[s.Kind]
	for _, c := range l.callers {
		if c.line == line {
			return c.title
		}
	}
	return line
}
