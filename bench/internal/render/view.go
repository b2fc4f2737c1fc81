package render

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/zrankdb/zrank/bench/internal/bench"
	"github.com/zrankdb/zrank/bench/internal/figure"
)

// View is a table as text.
type View struct {
	Title string
	Head  []string
	Rows  [][]string
	Best  map[[2]int]bool // row and column of the best figure of each row
	Text  int             // the number of columns on the left that hold text
}

// views returns the tables of a result and its targets, without empty tables.
func views(r *bench.Result) (list []View) {
	for _, t := range r.Tables() {
		list = append(list, view(r, t))
	}
	list = append(list, standings(bench.Stand([]*bench.Benchmark{r.Benchmark}, r)))
	return slices.DeleteFunc(list, func(v View) bool { return len(v.Rows) == 0 })
}

// view fills a table without the rows that have no figure. A row without a title takes the title of the row before if that one is left
// out.
func view(r *bench.Result, t bench.Table) View {
	v := View{Title: t.Title, Head: append([]string{"", ""}, t.Head...), Best: map[[2]int]bool{}, Text: 2}
	title := ""
	for _, row := range t.Rows {
		title = cmp.Or(row.Title, title)
		cells, found := []string{title, row.System}, false
		for _, c := range row.Cells {
			text := cell(r, c)
			cells, found = append(cells, text), found || text != ""
		}
		if !found {
			continue
		}
		if t.Best {
			v.mark(r, row)
		}
		v.Rows, title = append(v.Rows, cells), ""
	}
	return v
}

// mark marks the best figures of the row that comes next.
func (v *View) mark(r *bench.Result, row bench.Row) {
	best := math.Inf(1)
	for _, c := range row.Cells {
		if st, ok := r.Stat(c.Ref); ok && c.Metric != figure.Allocs {
			best = min(best, st.Value)
		}
	}
	for i, c := range row.Cells {
		if st, ok := r.Stat(c.Ref); ok && c.Metric != figure.Allocs && st.Value == best {
			v.Best[[2]int{len(v.Rows), i + 2}] = true
		}
	}
}

// cell returns a figure with its spread and the ratio of our figure to it, or a quotient.
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

// standings is a row for each target of all benchmarks.
func standings(all []bench.Standing) View {
	v := View{Title: "targets", Head: []string{"target", "against", "to reach", "found", "verdict", "stated for n", "measured by"}, Text: 2}
	for _, s := range all {
		v.Rows = append(v.Rows, []string{s.What, s.Against(), s.ToReach(), s.Found, string(s.Verdict), s.Members(), s.Command})
	}
	return v
}

// loss is a figure where a peer is better than we are, as a row of a table.
type loss struct {
	row   []string
	times float64
}

// losses returns the figures where a peer is better, each with the best peer.
func losses(r *bench.Result) (list []loss) {
	for _, t := range r.Tables() {
		title := ""
		for _, row := range t.Rows {
			title = cmp.Or(row.Title, title)
			for i, c := range row.Cells {
				times, own, theirs := r.Better(c)
				if times == 0 || c.Over != nil {
					continue
				}
				unit, where := c.Metric.Unit(), t.Head[i]
				if t.Best {
					where = t.Title
				}
				l := loss{times: times, row: []string{title, where, bench.Quantity(own.Value, unit), bench.Quantity(theirs.Value, unit), c.System,
					bench.Quantity(times, figure.Times), r.Benchmark.Title}}
				at := slices.IndexFunc(list, func(x loss) bool { return x.row[0] == title && x.row[1] == where })
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
func lost(list []loss) View {
	v := View{Head: []string{"figure", "of", "ours", "theirs", "peer", "times as good", "part"}, Text: 2}
	for _, l := range list {
		v.Rows = append(v.Rows, l.row)
	}
	return v
}
