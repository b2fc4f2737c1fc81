package report

import (
	"cmp"
	"slices"

	"github.com/zrankdb/zrank/bench/internal/chart"
	"github.com/zrankdb/zrank/bench/internal/figure"
	"github.com/zrankdb/zrank/bench/internal/measure"
)

// charts of a comparison: bars of every figure for each size, and lines over the sizes if there are several.
func (r *Report) charts() (list []Charts, err error) {
	for _, size := range r.Sizes {
		s := Summarize(size.Runs)
		part := Charts{Title: "n = " + count(size.N) + ", shorter is better"}
		for _, d := range measure.Descriptions {
			if d.Metric == measure.GCEmpty || d.Unit == measure.Objects {
				continue
			}
			var bars []chart.Bar
			for _, p := range r.Peers {
				if st, ok := s.Stat(p, d.Metric); ok {
					bars = append(bars, chart.Bar{Name: p, Value: st.Value, Min: st.Min, Max: st.Max, Label: prose(st.Value, d.Unit), Ours: p == ours})
				}
			}
			if part.List, err = withBars(part.List, d.Title, bars); err != nil {
				return nil, err
			}
		}
		list = append(list, part)
	}
	if len(r.Sizes) > 1 {
		part, err := growth(r.Series(), func(s Series) string { return s.Title })
		return append(list, part), err
	}
	return list, nil
}

// withBars adds a chart, if there is something to compare.
func withBars(list []chart.Figure, title string, bars []chart.Bar) ([]chart.Figure, error) {
	if len(bars) < 2 {
		return list, nil
	}
	f, err := chart.Bars(title, bars)
	return append(list, f), err
}

// growth draws a chart for each title: figures over the number of members.
func growth(series []Series, title func(Series) string) (part Charts, err error) {
	part.Title = "Over the number of members, both axes logarithmic"
	var names []string
	lines := map[string][]chart.Line{}
	show := map[string]func(float64) string{}
	for _, s := range series {
		v := s.Center()
		if v <= 0 || s.N <= 0 || s.Unit == string(measure.Objects) {
			continue
		}
		name := title(s)
		if !slices.Contains(names, name) {
			names = append(names, name)
			show[name] = s.show
		}
		at := slices.IndexFunc(lines[name], func(l chart.Line) bool { return l.Name == s.System })
		if at < 0 {
			at = len(lines[name])
			lines[name] = append(lines[name], chart.Line{Name: s.System, Ours: s.System == ours})
		}
		lines[name][at].Points = append(lines[name][at].Points, [2]float64{float64(s.N), v})
	}
	for _, name := range names {
		for _, l := range lines[name] {
			slices.SortFunc(l.Points, func(a, b [2]float64) int { return cmp.Compare(a[0], b[0]) })
		}
		f, err := chart.Curves(name, lines[name], chart.Axes{X: "members", Show: show[name]})
		if err != nil {
			return part, err
		}
		part.List = append(part.List, f)
	}
	return part, nil
}

// charts of a sheet: lines over n and over percentiles where it has them, and bars of what its tables hold side by side.
func (s *Sheet) charts(l layout) (list []Charts, err error) {
	for _, draw := range []func(layout) (Charts, error){s.growthCharts, s.percentileCharts, s.gridCharts, s.callerCharts, s.factCharts} {
		part, err := draw(l)
		if err != nil {
			return nil, err
		}
		if len(part.List) > 0 {
			list = append(list, part)
		}
	}
	return list, nil
}

// growthCharts is a chart for each line whose samples are of several sizes.
func (s *Sheet) growthCharts(layout) (Charts, error) {
	if !slices.ContainsFunc(s.Samples, func(x Sample) bool { return x.N != 0 }) {
		return Charts{}, nil
	}
	return growth(s.Series(), func(x Series) string { return s.lineTitle(x.Line) })
}

// percentileCharts is a chart for each line with percentiles of calls: every point of the histogram where the samples have
// them, three of them and the worst otherwise, of the lines of which nothing is compared by bars.
func (s *Sheet) percentileCharts(l layout) (part Charts, err error) {
	part.Title = "Time of calls by percentile, both axes logarithmic; the worst call is in the table"
	alone := chart.Axes{X: "percentile", Percentiles: true, Show: span}
	var single []chart.Line
	for _, c := range l.callers {
		var lines []chart.Line
		for _, system := range c.systems {
			if points := s.percentiles(c.line, system); len(points) > 0 {
				lines = append(lines, chart.Line{Name: system, Points: points, Ours: IsOurs(system)})
			}
		}
		if len(lines) == 0 {
			continue
		}
		if len(c.systems) == 1 {
			lines[0].Name, lines[0].Ours = c.title, false
			single = append(single, lines[0])
			continue
		}
		f, err := chart.Curves(c.title, lines, alone)
		if err != nil {
			return part, err
		}
		part.List = append(part.List, f)
	}
	if len(single) > 1 {
		f, err := chart.Curves("Calls of zrank", single, alone)
		if err != nil {
			return part, err
		}
		part.List = append(part.List, f)
	}
	return part, nil
}

// percentiles returns the points of a line from p50 on: the median over the rounds at each percentile that all of them have.
func (s *Sheet) percentiles(line, system string) (points [][2]float64) {
	at, rounds := map[float64][]float64{}, 0
	for _, x := range s.Samples {
		if x.Line != line || x.System != system {
			continue
		}
		rounds++
		for _, p := range x.Points {
			at[p[0]] = append(at[p[0]], p[1])
		}
		for m, q := range map[figure.Metric]float64{figure.P50: 50, figure.P99: 99, figure.P999: 99.9} {
			if v, ok := x.Figures[m]; ok && len(x.Points) == 0 {
				at[q] = append(at[q], v)
			}
		}
	}
	for q, values := range at {
		v := stat(values, false).Value
		if v > 0 && q >= 50 && q < 100 && len(values) == rounds { // the worst call of all has no place on the axis
			points = append(points, [2]float64{q, v})
		}
	}
	slices.SortFunc(points, func(a, b [2]float64) int { return cmp.Compare(a[0], b[0]) })
	return points
}
