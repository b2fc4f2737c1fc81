package report

import (
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/zrankdb/zrank/bench/internal/figure"
)

// grid is a table with several figures in a row: of each system, or of one line under several conditions.
type grid struct {
	head []string // of the columns
	rows []gridRow
}

// gridRow is a row. One without a title belongs to the row above.
type gridRow struct {
	title, system string
	cells         []gridCell
}

// gridCell is one figure.
type gridCell struct {
	line, system string
	metric       figure.Metric
	ours         string // the system whose figure over this one stands behind it, if there is one
	n            int    // of a Growth sheet: members
}

// grid writes the rows of which something was measured. The row that has the title may not have been: the next one takes it.
func (s *Sheet) grid(g grid) table.Writer {
	t := newTable()
	head := table.Row{"", ""}
	for _, h := range g.head {
		head = append(head, h)
	}
	t.AppendHeader(head)
	title := ""
	for _, r := range g.rows {
		if r.title != "" {
			title = r.title
		}
		row, found := table.Row{title, r.system}, false
		for _, c := range r.cells {
			text := s.cell(c)
			found = found || text != ""
			row = append(row, text)
		}
		if !found {
			continue
		}
		if title != "" && r.system != "" && t.Length() > 0 {
			t.AppendSeparator()
		}
		t.AppendRow(row)
		title = ""
	}
	t.SetColumnConfigs(rightFrom(3, len(g.head)+2))
	t.SuppressEmptyColumns()
	return t
}

// cell is a figure with its spread, and the ratio to it.
func (s *Sheet) cell(c gridCell) string {
	if c.n != 0 {
		s = s.of(c.n)
	}
	text := s.shown(c.line, c.system, c.metric)
	if text == "" || c.ours == "" {
		return text
	}
	if r, ok := s.ratioTo(c.line, c.ours, c.line, c.system, c.metric, c.metric); ok {
		text += " " + strings.Repeat(" ", max(0, 6-len(ratio(r.Value)))) + ratio(r.Value)
	}
	return text
}
