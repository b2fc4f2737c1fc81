package render

import (
	"cmp"
	"slices"
	"strings"

	"github.com/zrankdb/zrank/bench/internal/bench"
	"github.com/zrankdb/zrank/bench/internal/figure"
	"github.com/zrankdb/zrank/bench/internal/suite"
)

// View is a table as text, for a terminal, for Markdown and for HTML.
type View struct {
	Title string
	Head  []string
	Rows  [][]string
	Best  map[[2]int]bool // row and column of the best figure of a row
	Lost  map[int]bool    // rows whose best figure is not ours
	Text  int             // columns before this one hold text
}

// Right reports whether a column holds figures.
func (v View) Right(column int) bool { return column >= v.Text }

// Marked reports whether a figure is the best of its row.
func (v View) Marked(row, column int) bool { return v.Best[[2]int{row, column}] }

// Of returns what a row is of: its first cell, or that of a row above if it is empty.
func (v View) Of(row int) string {
	for ; row > 0 && v.Rows[row][0] == ""; row-- {
	}
	return v.Rows[row][0]
}

// views returns the tables of a result, and its targets, without those that have no row.
func views(r *bench.Result) (list []View) {
	for _, t := range suite.Tables(r) {
		list = append(list, view(r, t))
	}
	list = append(list, targets(r))
	return slices.DeleteFunc(list, func(v View) bool { return len(v.Rows) == 0 })
}

// view fills a table, and leaves out rows and columns without a figure. A row without a title that follows one without a figure takes
// its title.
func view(r *bench.Result, t bench.Table) View {
	v := View{Title: t.Title, Head: append([]string{"", ""}, t.Head...), Best: map[[2]int]bool{}, Lost: map[int]bool{}, Text: 2}
	title, used := "", map[int]bool{0: true}
	for _, row := range t.Rows {
		title = cmp.Or(row.Title, title)
		cells, found := []string{title, row.System}, false
		used[1] = used[1] || row.System != ""
		for i, c := range row.Cells {
			text := cell(r, c)
			cells, found, used[i+2] = append(cells, text), found || text != "", used[i+2] || text != ""
		}
		if !found {
			continue
		}
		if t.Best {
			v.mark(r, row)
		}
		v.Rows, title = append(v.Rows, cells), ""
	}
	v.drop(used)
	return v
}

// mark marks the best figures of the row that comes next. The system of every cell but the first knows ours.
func (v *View) mark(r *bench.Result, row bench.Row) {
	best := 0.0
	for pass := range 2 {
		for i, c := range row.Cells {
			st, ok := r.Stat(c.Ref)
			switch {
			case !ok || c.Metric == figure.Allocs:
			case pass == 0 && (best == 0 || st.Value < best):
				best = st.Value
			case pass == 1 && st.Value == best:
				v.Best[[2]int{len(v.Rows), i + 2}] = true
			}
			if times, _, _ := suite.Better(r, c); times > 0 {
				v.Lost[len(v.Rows)] = true
			}
		}
	}
}

// drop removes the columns that are not used.
func (v *View) drop(used map[int]bool) {
	for column := len(v.Head) - 1; column >= 0; column-- {
		if used[column] {
			continue
		}
		v.Head = slices.Delete(v.Head, column, column+1)
		for i := range v.Rows {
			v.Rows[i] = slices.Delete(v.Rows[i], column, column+1)
		}
		moved := map[[2]int]bool{}
		for at := range v.Best {
			if at[1] > column {
				at[1]--
			}
			moved[at] = true
		}
		v.Best = moved
		if column < v.Text {
			v.Text--
		}
	}
}

// cell is a figure with its spread, and the ratio of ours to it; or a quotient.
func cell(r *bench.Result, c bench.Cell) string {
	if c.Over != nil {
		if st, ok := r.Ratio(c.Ref, *c.Over); ok {
			return bench.Quantity(st.Value, figure.Times)
		}
		return ""
	}
	st, ok := r.Stat(c.Ref)
	if !ok {
		return ""
	}
	unit := c.Metric.Unit()
	text := st.String(unit)
	if unit == figure.Objects || c.Metric == figure.Max || c.Metric == figure.Calls {
		text = bench.Quantity(st.Value, unit)
	}
	if c.Ours == "" || c.Quiet {
		return text
	}
	own := c.Ref
	own.System = c.Ours
	if over, ok := r.Ratio(own, c.Ref); ok {
		ratio := bench.Quantity(over.Value, figure.Times)
		text += " " + strings.Repeat(" ", max(0, 6-len(ratio))) + ratio
	}
	return text
}

// targets is a row for each target and number of members.
func targets(r *bench.Result) View {
	v := View{Title: "targets, with their range over the rounds", Text: 2,
		Head: []string{"target", "against", "to reach", "found", "least", "most", "", "stated for n"}}
	for _, n := range r.Sizes() {
		for _, t := range suite.Named(r.Kind).Targets {
			found, verdict := t.Judge(r, n)
			unit := t.Metric.Unit()
			if t.Against() != "-" {
				unit = figure.Times
			}
			row := []string{t.What, t.Against(), t.ToReach(), "-", "-", "-", string(verdict), "any"}
			if verdict != bench.NotMeasured {
				row[3], row[4], row[5] = bench.Quantity(found.Value, unit), bench.Quantity(found.Min, unit), bench.Quantity(found.Max, unit)
			}
			if t.At != 0 {
				row[7] = bench.Comma(t.At)
				if is := cmp.Or(n, r.N); is != t.At {
					row[7] += " (not " + bench.Comma(is) + ")"
				}
			}
			v.Rows = append(v.Rows, row)
		}
	}
	return v
}

// standings is a row for each target of all benchmarks.
func standings(all []bench.Standing) View {
	v := View{Head: []string{"target", "against", "to reach", "found", "verdict", "stated for n", "measured by"}, Text: 2}
	for _, s := range all {
		v.Rows = append(v.Rows, []string{s.What, s.Against(), s.ToReach(), s.Found, string(s.Verdict), s.Members(), s.Command})
	}
	return v
}

// Loss is a figure where a peer is better than we are.
type Loss struct {
	What, Where, Ours, Theirs, Peer, Times, Part string
	times                                        float64
}

// losses returns the figures where a peer is better, each with the peer that is the best.
func losses(r *bench.Result) (list []Loss) {
	for _, t := range suite.Tables(r) {
		title := ""
		for _, row := range t.Rows {
			title = cmp.Or(row.Title, title)
			for i, c := range row.Cells {
				times, own, theirs := suite.Better(r, c)
				if times == 0 || c.Over != nil {
					continue
				}
				unit, where := c.Metric.Unit(), t.Head[i]
				if t.Best {
					where = t.Title
				}
				l := Loss{What: title, Where: where, Ours: bench.Quantity(own.Value, unit), Theirs: bench.Quantity(theirs.Value, unit), Peer: c.System,
					Times: bench.Quantity(times, figure.Times), Part: suite.Named(r.Kind).Title, times: times}
				at := slices.IndexFunc(list, func(x Loss) bool { return x.What == l.What && x.Where == l.Where })
				if at < 0 {
					list = append(list, l)
				} else if list[at].times < times {
					list[at] = l
				}
			}
		}
	}
	return list
}

// lost is a row for each loss.
func lost(list []Loss) View {
	v := View{Head: []string{"figure", "of", "ours", "theirs", "peer", "times as good", "part"}, Text: 2}
	for _, l := range list {
		v.Rows = append(v.Rows, []string{l.What, l.Where, l.Ours, l.Theirs, l.Peer, l.Times, l.Part})
	}
	return v
}
