package render

import (
	"cmp"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"

	"github.com/zrankdb/zrank/bench/internal/bench"
	"github.com/zrankdb/zrank/bench/internal/figure"
)

// charts plots a result as HTML: figures over the number of members where there are several, and percentiles of calls.
func charts(r *bench.Result) (string, error) {
	over, err := growthCharts(r)
	if err != nil {
		return "", err
	}
	calls, err := percentileCharts(r)
	if over += calls; err != nil || over == "" {
		return "", err
	}
	return "<div class=\"charts\">\n" + over + "</div>\n\n", nil
}

// growthCharts has one chart a figure, over the number of members.
func growthCharts(r *bench.Result) (list string, err error) {
	if len(r.Sizes()) < 2 {
		return "", nil
	}
	names, titles, found, unit := r.Titles(), []string(nil), map[string][]line{}, map[string]figure.Unit{}
	for _, s := range r.All() {
		v, name := s.Stat().Value, bench.Title(names, s.Ref)
		if v <= 0 || s.N == 0 || s.Unit == figure.Objects {
			continue
		}
		if found[name] == nil {
			titles, unit[name] = append(titles, name), s.Unit
		}
		i := slices.IndexFunc(found[name], func(l line) bool { return l.name == s.System })
		if i < 0 {
			i, found[name] = len(found[name]), append(found[name], line{name: s.System, ours: bench.IsOurs(s.System)})
		}
		found[name][i].points = append(found[name][i].points, plotter.XY{X: float64(s.N), Y: v})
	}
	for _, title := range titles {
		for _, l := range found[title] {
			slices.SortFunc(l.points, func(a, b plotter.XY) int { return cmp.Compare(a.X, b.X) })
		}
		show := func(v float64) string { return bench.Quantity(v, unit[title]) }
		c, err := lines(title, "members", plot.LogTicks{Prec: -1}, show, found[title])
		if err != nil {
			return "", err
		}
		list += c
	}
	return list, nil
}

// percentileCharts has one chart for each line whose calls were timed. Lines of one system share a chart.
func percentileCharts(r *bench.Result) (list string, err error) {
	var single []line
	names := r.Titles()
	show := func(v float64) string { return bench.Quantity(v, figure.Nanoseconds) }
	add := func(title string, all []line) {
		if err == nil {
			var c string
			c, err = lines(title, "percentile of calls", nines(), show, all)
			list += c
		}
	}
	for _, name := range r.Timed() {
		var all []line
		for _, system := range r.Systems() {
			if points := percentiles(r, name, system); len(points) > 0 {
				all = append(all, line{name: system, points: points, ours: bench.IsOurs(system)})
			}
		}
		switch title := names[name]; {
		case len(all) == 1:
			all[0].name, all[0].ours = title, false
			single = append(single, all[0])
		case len(all) > 1:
			add(title, all)
		}
	}
	if len(single) > 1 {
		add("Calls of zrank", single)
	}
	return list, err
}

// percentiles returns the points of a line from p50 on: the median over the rounds at each percentile that all of them have.
func percentiles(r *bench.Result, name, system string) (points plotter.XYs) {
	at, rounds := map[float64][]float64{}, 0
	for _, x := range r.Samples {
		if x.Line != name || x.System != system || x.N != 0 {
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
		slices.Sort(values)
		if v := values[len(values)/2]; v > 0 && q >= 50 && q < 100 && len(values) == rounds {
			points = append(points, plotter.XY{X: percentile(q), Y: v})
		}
	}
	slices.SortFunc(points, func(a, b plotter.XY) int { return cmp.Compare(a.X, b.X) })
	return points
}
