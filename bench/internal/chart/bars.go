package chart

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// Bar is one system's figure.
type Bar struct {
	Name            string
	Value, Min, Max float64 // the range over the repetitions is drawn across the end
	Label           string  // the figure for a reader
	Ours            bool
}

const (
	barsWide  = 420
	barHeight = 17
	// A bar longer than farOff times the middle one is cut off there: it would make the others too short to compare.
	farOff = 8
)

// Bars draws a horizontal bar for each, in the order given, from zero.
func Bars(title string, bars []Bar) (Figure, error) {
	limit := cutoff(bars)
	p := newPlot()
	p.HideX()
	p.X.Min, p.X.Max = 0, limit*1.32 // room for the label behind the longest
	names := make([]string, len(bars))
	for i, b := range bars {
		at := len(bars) - 1 - i // the first on top
		names[at] = b.Name
		if err := draws(p, b, at, limit); err != nil {
			return Figure{}, fmt.Errorf("draw %q: %w", title, err)
		}
	}
	p.NominalY(names...)
	p.Y.Min, p.Y.Max = -0.6, float64(len(bars))-0.4
	p.Y.LineStyle.Width, p.Y.Tick.Length = 0, 0
	out, err := svg(p, title, barsWide, float64(len(bars))*barHeight+10)
	return Figure{Title: title, Alt: words(title, bars), SVG: out}, err
}

// draws adds one bar, its range and its label.
func draws(p *plot.Plot, b Bar, at int, limit float64) error {
	long := min(b.Value, limit)
	c, err := plotter.NewBarChart(plotter.Values{long}, vg.Points(barHeight*0.62))
	if err != nil {
		return err
	}
	c.XMin, c.Horizontal, c.Color, c.LineStyle.Width = float64(at), true, bar, 0
	if b.Ours {
		c.Color = own
	}
	p.Add(c)
	label, end := b.Label, long
	if b.Value > limit {
		label = "… " + label
	} else if b.Max > b.Min {
		end = max(end, min(b.Max, limit))
		line, err := plotter.NewLine(plotter.XYs{{X: b.Min, Y: float64(at)}, {X: end, Y: float64(at)}})
		if err != nil {
			return err
		}
		line.Color, line.Width = ink, vg.Points(0.9)
		p.Add(line)
	}
	l, err := plotter.NewLabels(plotter.XYLabels{XYs: plotter.XYs{{X: end, Y: float64(at)}}, Labels: []string{label}})
	if err != nil {
		return err
	}
	l.TextStyle[0].Font, l.TextStyle[0].Color, l.TextStyle[0].YAlign = font.From(sans, tickSize), ink, text.YCenter
	l.Offset.X, l.Offset.Y = 4, 1.5
	p.Add(l)
	return nil
}

// cutoff is the length of the longest bar that is drawn whole.
func cutoff(bars []Bar) float64 {
	values := make([]float64, len(bars))
	for i, b := range bars {
		values[i] = b.Value
	}
	slices.Sort(values)
	middle := values[(len(values)-1)/2]
	longest := values[len(values)-1]
	if middle > 0 && longest > farOff*middle {
		whole := 0.0
		for _, v := range values {
			if v <= farOff*middle {
				whole = v
			}
		}
		longest = whole * 1.15
	}
	if longest <= 0 || math.IsInf(longest, 0) {
		return 1
	}
	return longest
}

// words says the bars in a sentence.
func words(title string, bars []Bar) string {
	var list []string
	for _, b := range bars {
		list = append(list, b.Name+" "+b.Label)
	}
	return title + ": " + strings.Join(list, ", ")
}
