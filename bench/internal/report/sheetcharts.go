package report

import (
	"strings"

	"github.com/zrankdb/zrank/bench/internal/chart"
	"github.com/zrankdb/zrank/bench/internal/figure"
)

// gridCharts is bars for each group of rows: of the systems in a row, or of the rows in one column.
func (s *Sheet) gridCharts(l layout) (part Charts, err error) {
	part.Title = "Side by side"
	if s.Kind == Growth { // lines show it
		return part, nil
	}
	for _, g := range l.grids {
		for first := 0; first < len(g.rows); {
			next := first + 1
			for next < len(g.rows) && g.rows[next].title == "" {
				next++
			}
			title, cells := g.group(g.rows[first:next])
			var bars []chart.Bar
			for i, c := range cells {
				name := g.rows[first].cells[min(i, len(g.rows[first].cells)-1)].system
				if next-first > 1 {
					name = g.rows[first+i].system
				}
				bars = s.withBar(bars, name, c.line, c.system, c.metric)
			}
			if part.List, err = withBars(part.List, title, bars); err != nil {
				return part, err
			}
			first = next
		}
	}
	return part, nil
}

// group returns the cells of some rows that can stand side by side: those of the row if it is one, otherwise those of the last
// column if all columns have the same metric, or of the first.
func (g grid) group(rows []gridRow) (title string, cells []gridCell) {
	title = rows[0].title
	if len(rows) == 1 {
		return title, rows[0].cells
	}
	column := len(g.head) - 1
	for _, c := range rows[0].cells {
		if c.metric != rows[0].cells[0].metric {
			column = 0
		}
	}
	for _, r := range rows {
		cells = append(cells, r.cells[column])
	}
	return title + ", " + g.head[column], cells
}

// withBar adds a bar, if the figure was measured.
func (s *Sheet) withBar(bars []chart.Bar, name, line, system string, m figure.Metric) []chart.Bar {
	st, ok := s.stat(line, system, m)
	if !ok {
		return bars
	}
	return append(bars, chart.Bar{Name: name, Value: st.Value, Min: st.Min, Max: st.Max, Label: quantity(st.Value, m.Unit()), Ours: IsOurs(system)})
}

// callerCharts is bars of the rates of each line that has a peer.
func (s *Sheet) callerCharts(l layout) (part Charts, err error) {
	part.Title = "Calls a second, longer is better"
	for _, c := range l.callers {
		var bars []chart.Bar
		for _, system := range c.systems {
			bars = s.withBar(bars, system, c.line, system, figure.Rate)
		}
		if part.List, err = withBars(part.List, c.title, bars); err != nil {
			return part, err
		}
	}
	return part, nil
}

// factCharts is bars of the single figures that are times, and of those that are bytes.
func (s *Sheet) factCharts(l layout) (part Charts, err error) {
	part.Title = "Single figures, shorter is better"
	for _, kind := range []struct {
		title string
		unit  figure.Unit
	}{{"how long", figure.Milliseconds}, {"memory", figure.Bytes}, {"bytes written for each byte of log", figure.Times}} {
		var bars []chart.Bar
		for _, f := range l.facts {
			if f.metric.Unit() != kind.unit || f.metric == figure.Log {
				continue
			}
			system := zrank
			if f.line == LineRedis {
				system = Redis
			}
			bars = s.withBar(bars, strings.TrimSpace(f.title), f.line, system, f.metric)
		}
		if part.List, err = withBars(part.List, kind.title, bars); err != nil {
			return part, err
		}
	}
	return part, nil
}
