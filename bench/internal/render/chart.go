package render

import (
	"bytes"
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Chart is a drawing.
type Chart struct {
	Title string
	Alt   string // the same in words
	SVG   template.HTML
}

// bar is one system's figure.
type bar struct {
	name, label string
	value       float64
	ours        bool
}

const (
	chartWidth = 420
	lineHeight = 250
	barHeight  = 17
	// A bar more than farOff times as long as the middle one is cut off: it would make the others too short to compare.
	farOff = 8
)

// bars draws a horizontal bar for each, in the order given, from zero.
func bars(title string, list []bar) (Chart, error) {
	limit, p := cutoff(list), plot.New()
	p.HideX()
	p.X.Min, p.X.Max = 0, limit*1.32 // space for the label behind the longest
	var names, alt []string
	labels := plotter.XYLabels{}
	for i, b := range slices.Backward(list) { // the first on top
		at, label := float64(len(names)), b.label
		if b.value > limit {
			label = "… " + label
		}
		long := min(b.value, limit)
		c, err := plotter.NewBarChart(plotter.Values{long}, vg.Points(barHeight*0.62))
		if err != nil {
			return Chart{}, fmt.Errorf("draw %q: %w", title, err)
		}
		c.XMin, c.Horizontal, c.LineStyle.Width, c.Color = at, true, 0, plotutil.Color(1)
		if b.ours {
			c.Color = plotutil.Color(0)
		}
		p.Add(c)
		labels.XYs, labels.Labels = append(labels.XYs, plotter.XY{X: long, Y: at}), append(labels.Labels, label)
		names, alt = append(names, b.name), append(alt, list[len(list)-1-i].name+" "+list[len(list)-1-i].label)
	}
	l, err := plotter.NewLabels(labels)
	if err != nil {
		return Chart{}, fmt.Errorf("draw %q: %w", title, err)
	}
	for i := range l.TextStyle {
		l.TextStyle[i].YAlign = text.YCenter
	}
	l.Offset.X = 4
	p.Add(l)
	p.NominalY(names...)
	p.Y.LineStyle.Width, p.Y.Tick.Length = 0, 0
	return svg(p, title, strings.Join(alt, ", "), float64(len(list))*barHeight+10)
}

// cutoff is the length of the longest bar that is drawn whole.
func cutoff(list []bar) float64 {
	var values []float64
	for _, b := range list {
		values = append(values, b.value)
	}
	slices.Sort(values)
	middle, longest := values[(len(values)-1)/2], values[len(values)-1]
	if middle > 0 && longest > farOff*middle {
		longest = 0
		for _, v := range values {
			if v <= farOff*middle {
				longest = v * 1.15
			}
		}
	}
	if longest <= 0 || math.IsInf(longest, 0) {
		return 1
	}
	return longest
}

// line is one system's figure over what the x-axis counts. All coordinates are above zero.
type line struct {
	name   string
	points plotter.XYs
	ours   bool
}

// lines draws a line for each, ours thicker, on logarithmic axes. show writes a figure of the y-axis.
func lines(title, x string, ticks plot.Ticker, show func(float64) string, list []line) (Chart, error) {
	p := plot.New()
	p.X.Label.Text, p.X.Scale, p.Y.Scale, p.X.Tick.Marker = x, plot.LogScale{}, plot.LogScale{}, ticks
	p.Y.Tick.Marker = decades(show)
	p.Legend.Top, p.Legend.Left = true, true
	p.Add(plotter.NewGrid())
	var alt []string
	for i, l := range list {
		drawn, err := plotter.NewLine(l.points)
		if err != nil {
			return Chart{}, fmt.Errorf("draw %q: %w", title, err)
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
	return svg(p, title, strings.Join(alt, ", "), lineHeight)
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

// svg draws a plot for a page of HTML.
func svg(p *plot.Plot, title, alt string, height float64) (Chart, error) {
	c := vgsvg.New(vg.Points(chartWidth), vg.Points(height))
	p.Draw(draw.New(c))
	var b bytes.Buffer
	if _, err := c.WriteTo(&b); err != nil {
		return Chart{}, fmt.Errorf("draw %q: %w", title, err)
	}
	_, text, _ := strings.Cut(b.String(), "<svg")
	label := template.HTMLEscapeString(title)
	return Chart{Title: title, Alt: alt, SVG: template.HTML(`<svg role="img" aria-label="` + label + `"` + text)}, nil
}
