package bench

import (
	"cmp"
	"slices"
	"strings"

	"github.com/zrankdb/zrank/bench/internal/figure"
)

// Table declares a table: a row of cells for each system, or for each figure.
type Table struct {
	Title string
	Head  []string // of the cells
	Rows  []Row
	// Best marks the best figure of each row. The row has one system a column.
	Best bool
}

// Row is a row of a table. A row without a title belongs to the row above.
type Row struct {
	Title, System string
	Cells         []Cell
}

// Cell is a figure of a result.
type Cell struct {
	Ref
	Ours  string // the system that this peer is compared with
	Quiet bool   // hides the ratio of Ours to this figure
	Over  *Ref   // the cell shows the quotient of both figures
}

// callMetrics are the columns of a table of calls.
var callMetrics = []figure.Metric{figure.Rate, figure.P50, figure.P99, figure.P999, figure.Max, figure.Calls, figure.Collections}

// TimesTable is a table of call latencies without rows. Columns that no row has are not shown.
func TimesTable() (t Table) {
	for _, m := range callMetrics {
		t.Head = append(t.Head, m.Title())
	}
	return t
}

// TimesRow is a row of TimesTable.
func TimesRow(title, line, system, ours string) Row {
	row := Row{Title: title, System: system}
	for _, m := range callMetrics {
		row.Cells = append(row.Cells, Cell{Ref: Ref{Line: line, System: system, Metric: m}, Ours: ours, Quiet: m != figure.Rate})
	}
	return row
}

// RateRow is a row with the rate of each line of a system, held against ours.
func RateRow(title, system, ours string, lines ...string) Row {
	row := Row{Title: title, System: system}
	for _, line := range lines {
		row.Cells = append(row.Cells, Cell{Ref: Ref{Line: line, System: system, Metric: figure.Rate}, Ours: ours})
	}
	return row
}

// Fact is a row with one figure of zrank.
func Fact(title, line string, m figure.Metric) Row {
	return Row{Title: title, Cells: []Cell{{Ref: Ref{Line: line, System: Zrank, Metric: m}}}}
}

// Tables returns the tables of the result's benchmark.
func (r *Result) Tables() []Table { return r.Benchmark.Tables(r) }

// Titles returns the title of each line: the title of its row, with the head of the column if the row has several lines.
func (r *Result) Titles() map[string]string {
	titles := map[string]string{}
	for _, t := range r.Tables() {
		title := ""
		for _, row := range t.Rows {
			title = cmp.Or(strings.TrimSpace(row.Title), title)
			for i, c := range row.Cells {
				if _, ok := titles[c.Line]; ok {
					continue
				}
				if titles[c.Line] = title; row.Cells[0].Line != row.Cells[len(row.Cells)-1].Line {
					titles[c.Line] += ", " + t.Head[i]
				}
			}
		}
	}
	return titles
}

// Title returns the title of a figure, given the titles of its result.
func Title(titles map[string]string, ref Ref) string {
	title := cmp.Or(titles[ref.Line], ref.Line)
	if ref.N == 0 {
		title += ": " + ref.Metric.Title()
	}
	return title
}

// foreign are the systems that are not code of this project, and the clock.
var foreign = []string{"clock", "map", "counted", "tidwall", "google", "bytedance", "workiva", "huandu", "pebble", Redis}

// IsOurs reports whether a system is code of this project. The other systems are the same in every commit.
func IsOurs(system string) bool {
	name, _, _ := strings.Cut(system, "/")
	return !slices.Contains(foreign, name)
}

// Pairs returns, for each line and system of a peer, the system of ours that it is compared with.
func (r *Result) Pairs() map[[2]string]string {
	pairs := map[[2]string]string{}
	for _, t := range r.Tables() {
		for _, row := range t.Rows {
			for _, c := range row.Cells {
				if c.Ours != "" {
					pairs[[2]string{c.Line, c.System}] = c.Ours
				}
			}
		}
	}
	return pairs
}

// Better returns how many times as good a peer's figure is as ours. It returns 0 if the peer is not better.
func (r *Result) Better(c Cell) (times float64, own, theirs Stat) {
	if c.Ours == "" || IsOurs(c.System) || c.Metric.Better() == figure.Neither {
		return 0, own, theirs
	}
	ref := c.Ref
	ref.System = c.Ours
	own, ok := r.Stat(ref)
	theirs, also := r.Stat(c.Ref)
	a, b := own.Value, theirs.Value
	switch {
	case !ok || !also:
		return 0, own, theirs
	case c.Metric == figure.Allocs && a <= b+0.01: // fewer than one in a hundred calls depends on the length of the loop
		return 0, own, theirs
	case c.Metric == figure.Allocs:
		b = max(b, 0.001)
	case c.Metric.Better() == figure.More:
		a, b = b, a
	}
	if b <= 0 || a <= b {
		return 0, own, theirs
	}
	return a / b, own, theirs
}
