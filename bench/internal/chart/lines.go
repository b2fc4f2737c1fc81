package chart

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

// Line is one system's figure over what the x-axis counts.
type Line struct {
	Name   string
	Points [][2]float64 // both above zero, in the order of x
	Ours   bool
}

// Axes say how a plot of lines is read. Both axes are logarithmic.
type Axes struct {
	X string // label
	// Percentiles means that x is a percentile in per cent: drawn by how many calls there are for one above it.
	Percentiles bool
	// Show writes a figure of the y-axis for a reader.
	Show func(float64) string
}

const linesWide, linesHigh = 420, 250

// dash parts the lines of a colour, and ours from the others.
var dash = []vg.Length{vg.Points(4), vg.Points(3)}

// Curves draws a line for each, ours thicker than the others. Lines without a point are left out.
func Curves(title string, lines []Line, a Axes) (Figure, error) {
	p := newPlot()
	p.X.Label.Text = a.X
	p.X.Scale, p.Y.Scale = plot.LogScale{}, plot.LogScale{}
	p.Y.Tick.Marker = decades{a.Show}
	p.X.Tick.Marker = powers{}
	if a.Percentiles {
		p.X.Tick.Marker = nines{}
	}
	g := plotter.NewGrid()
	g.Vertical.Color, g.Horizontal.Color = grid, grid
	p.Add(g)
	f := Figure{Title: title, Alt: sentence(title, lines, a)}
	for i, l := range lines {
		if len(l.Points) == 0 {
			continue
		}
		s, err := curve(p, l, i, a)
		if err != nil {
			return Figure{}, fmt.Errorf("draw %q: %w", title, err)
		}
		f.Legend = append(f.Legend, s)
	}
	room(&p.X)
	room(&p.Y)
	var err error
	f.SVG, err = svg(p, title, linesWide, linesHigh)
	return f, err
}

// curve adds one line with its points.
func curve(p *plot.Plot, l Line, i int, a Axes) (Swatch, error) {
	points := make(plotter.XYs, 0, len(l.Points))
	for _, xy := range l.Points {
		points = append(points, plotter.XY{X: a.place(xy[0]), Y: xy[1]})
	}
	line, err := plotter.NewLine(points)
	if err != nil {
		return Swatch{}, err
	}
	t := lineTint(i)
	s := Swatch{Name: l.Name}
	line.Color, line.Width = t, vg.Points(1.3)
	if i >= Lines {
		line.Dashes, s.Dash = dash, "4 3"
	}
	if l.Ours {
		t, line.Width = own, vg.Points(2.6)
		line.Color = t
	}
	s.Color = t.style()
	p.Add(line)
	return s, nil
}

// place is where x is on the axis.
func (a Axes) place(x float64) float64 {
	if !a.Percentiles {
		return x
	}
	return 100 / max(100-x, 1e-4)
}

// room keeps an axis from being a point, which gonum cannot scale.
func room(a *plot.Axis) {
	if a.Min <= 0 || math.IsInf(a.Min, 0) || math.IsInf(a.Max, 0) {
		a.Min, a.Max = 1, 10
	}
	if a.Max < a.Min*1.5 {
		a.Min, a.Max = a.Min/1.5, a.Max*1.5
	}
}

// powers are ticks at powers of ten.
type powers struct{}

// Ticks returns them.
func (powers) Ticks(low, high float64) (ticks []plot.Tick) {
	for e := math.Floor(math.Log10(low)); e <= math.Ceil(math.Log10(high)); e++ {
		v := math.Pow(10, e)
		if v >= low*0.999 && v <= high*1.001 {
			ticks = append(ticks, plot.Tick{Value: v, Label: strconv.FormatFloat(v, 'f', -1, 64)})
		}
	}
	return ticks
}

// decades are ticks at 1, 2 and 5 of every power of ten, or at the powers alone where there are many, each with its unit.
type decades struct{ show func(float64) string }

// Ticks returns them.
func (d decades) Ticks(low, high float64) (ticks []plot.Tick) {
	steps := []float64{1, 2, 5}
	if high/low > 1000 {
		steps = steps[:1]
	}
	for e := math.Floor(math.Log10(low)); e <= math.Ceil(math.Log10(high)); e++ {
		for _, s := range steps {
			if v := s * math.Pow(10, e); v >= low*0.999 && v <= high*1.001 {
				ticks = append(ticks, plot.Tick{Value: v, Label: d.show(v)})
			}
		}
	}
	return ticks
}

// nines are ticks at p50, p90, p99 and so on.
type nines struct{}

// Ticks returns them.
func (nines) Ticks(low, high float64) (ticks []plot.Tick) {
	for _, q := range []float64{50, 90, 99, 99.9, 99.99, 99.999} {
		if v := (Axes{Percentiles: true}).place(q); v >= low*0.999 && v <= high*1.001 {
			ticks = append(ticks, plot.Tick{Value: v, Label: "p" + strconv.FormatFloat(q, 'f', -1, 64)})
		}
	}
	return ticks
}

// short writes what the x-axis counts.
func short(x float64) string { return strconv.FormatFloat(math.Round(x*1e4)/1e4, 'f', -1, 64) }

// sentence says where the lines end.
func sentence(title string, lines []Line, a Axes) string {
	var list []string
	for _, l := range slices.DeleteFunc(slices.Clone(lines), func(l Line) bool { return len(l.Points) == 0 }) {
		first, last := l.Points[0], l.Points[len(l.Points)-1]
		list = append(list, fmt.Sprintf("%s from %s at %s to %s at %s", l.Name, a.Show(first[1]), short(first[0]), a.Show(last[1]), short(last[0])))
	}
	return fmt.Sprintf("%s, over %s: %s", title, a.X, strings.Join(list, "; "))
}
