package render

import (
	"bytes"
	"cmp"
	"fmt"
	"html"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

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

// percentileCharts has one chart for each line with curves of percentiles.
func percentileCharts(r *bench.Result) (list string, err error) {
	var names []string
	found := map[string][]line{}
	for _, x := range r.Samples {
		systems := found[x.Line]
		if len(x.Points) == 0 || slices.ContainsFunc(systems, func(l line) bool { return l.name == x.System }) {
			continue
		}
		if len(systems) == 0 {
			names = append(names, x.Line)
		}
		found[x.Line] = append(systems, line{name: x.System, points: percentiles(r, x.Line, x.System), ours: bench.IsOurs(x.System)})
	}
	titles := r.Titles()
	show := func(v float64) string { return bench.Quantity(v, figure.Nanoseconds) }
	for _, name := range names {
		c, err := lines(titles[name], "percentile of calls", nines(), show, found[name])
		if err != nil {
			return "", err
		}
		list += c
	}
	return list, nil
}

// percentiles returns the points of a line from p50 on: the median over the rounds at each percentile that all of them have.
func percentiles(r *bench.Result, name, system string) (points plotter.XYs) {
	at, rounds := map[float64][]float64{}, 0
	for _, x := range r.Samples {
		if x.Line != name || x.System != system {
			continue
		}
		rounds++
		for _, p := range x.Points {
			at[p[0]] = append(at[p[0]], p[1])
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

const chartWidth, chartHeight = 420, 250

// line is one system's figure over what the x-axis counts. All coordinates are above zero.
type line struct {
	name   string
	points plotter.XYs
	ours   bool
}

// lines draws a line for each, ours thicker, on logarithmic axes. show writes a figure of the y-axis.
func lines(title, x string, ticks plot.Ticker, show func(float64) string, list []line) (string, error) {
	p := plot.New()
	p.X.Label.Text, p.X.Scale, p.Y.Scale, p.X.Tick.Marker = x, plot.LogScale{}, plot.LogScale{}, ticks
	p.Y.Tick.Marker = decades(show)
	p.Legend.Top, p.Legend.Left = true, true
	p.Add(plotter.NewGrid())
	var alt []string
	for i, l := range list {
		if len(l.points) == 0 {
			continue
		}
		drawn, err := plotter.NewLine(l.points)
		if err != nil {
			return "", fmt.Errorf("draw %q: %w", title, err)
		}
		drawn.Color, drawn.Dashes, drawn.Width = plotutil.Color(i), plotutil.Dashes(i/7), vg.Points(1.3)
		if l.ours {
			drawn.Width = vg.Points(2.6)
		}
		p.Add(drawn)
		p.Legend.Add(l.name, drawn)
		last := l.points[len(l.points)-1]
		alt = append(alt, fmt.Sprintf("%s ends at %s", l.name, show(last.Y)))
	}
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		if a.Max < a.Min*1.5 { // gonum cannot scale a point
			a.Min, a.Max = a.Min/1.5, a.Max*1.5
		}
	}
	return svg(p, title, strings.Join(alt, ", "))
}

// percentile returns the place of a percentile on an axis: how many calls there are for one above it.
func percentile(q float64) float64 { return 100 / max(100-q, 1e-4) }

// nines are ticks at p50, p90, p99 and so on.
func nines() (t plot.ConstantTicks) {
	for _, q := range []float64{50, 90, 99, 99.9, 99.99, 99.999} {
		t = append(t, plot.Tick{Value: percentile(q), Label: fmt.Sprintf("p%g", q)})
	}
	return t
}

// decades are ticks at 1, 2 and 5 of every power of ten, or at the powers alone where there are many.
type decades func(float64) string

// Ticks implements plot.Ticker.
func (show decades) Ticks(low, high float64) (ticks []plot.Tick) {
	steps := []float64{1, 2, 5}
	if high/low > 1000 {
		steps = steps[:1]
	}
	for e := math.Floor(math.Log10(low)); e <= math.Ceil(math.Log10(high)); e++ {
		for _, s := range steps {
			if v := s * math.Pow(10, e); v >= low*0.999 && v <= high*1.001 {
				ticks = append(ticks, plot.Tick{Value: v, Label: show(v)})
			}
		}
	}
	return ticks
}

// svg draws a plot as an element of an HTML page, without empty lines, which would end it in Markdown.
func svg(p *plot.Plot, title, alt string) (string, error) {
	c := vgsvg.New(vg.Points(chartWidth), vg.Points(chartHeight))
	p.Draw(draw.New(c))
	var b bytes.Buffer
	if _, err := c.WriteTo(&b); err != nil {
		return "", fmt.Errorf("draw %q: %w", title, err)
	}
	_, drawn, _ := strings.Cut(b.String(), "<svg")
	title = html.EscapeString(title)
	drawn = strings.Join(strings.FieldsFunc(drawn, func(r rune) bool { return r == '\n' }), "\n")
	return fmt.Sprintf("<figure>\n<figcaption>%s</figcaption>\n<svg role=\"img\" aria-label=\"%s: %s\"%s\n</figure>\n", title, title, html.EscapeString(alt), drawn), nil
}
