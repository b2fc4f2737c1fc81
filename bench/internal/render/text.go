package render

import (
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/zrankdb/zrank/bench/internal/bench"
)

// Pretty renders a table for a terminal or as Markdown.
func (v View) Pretty(markdown bool) string {
	t := table.NewWriter()
	style := table.StyleLight
	style.Format.Header = text.FormatDefault
	style.Options.DrawBorder, style.Options.SeparateColumns = false, false
	t.SetStyle(style)
	t.SuppressEmptyColumns()
	var config []table.ColumnConfig
	for i := v.Text; i < len(v.Head); i++ {
		config = append(config, table.ColumnConfig{Number: i + 1, Align: text.AlignRight, AlignHeader: text.AlignRight})
	}
	t.AppendHeader(cells(v.Head))
	t.SetColumnConfigs(config)
	for i, row := range v.Rows {
		drawn := cells(row)
		for j := range drawn {
			if markdown && v.Best[[2]int{i, j}] {
				drawn[j] = "**" + row[j] + "**"
			}
		}
		if i > 0 && row[0] != "" && i+1 < len(v.Rows) && v.Rows[i+1][0] == "" {
			t.AppendSeparator() // a group of rows begins
		}
		t.AppendRow(drawn)
	}
	if markdown {
		return t.RenderMarkdown()
	}
	return t.Render()
}

func cells(row []string) (list table.Row) {
	for _, c := range row {
		list = append(list, c)
	}
	return list
}

// Text writes the tables of a result for a terminal, or as Markdown for a repository.
func Text(w io.Writer, r *bench.Result, markdown bool) error {
	_, err := io.WriteString(w, tables(r, markdown))
	return err
}

// tables returns the tables of a result between a head that says what was measured where, and the notes.
func tables(r *bench.Result, markdown bool) string {
	var b strings.Builder
	command := r.Command
	if markdown {
		command = "`cd bench && " + command + "`"
	}
	fmt.Fprintf(&b, "%s%s\nn = %s\n%s; median over %d rounds, ±half their range", r.Machine.Line(), r.On("\n"), r.Loaded(), command, r.Rounds)
	for _, v := range views(r) {
		if b.WriteString("\n\n"); v.Title != "" {
			b.WriteString(v.Title + "\n\n")
		}
		b.WriteString(v.Pretty(markdown))
	}
	fmt.Fprintf(&b, "\n\n%s\n", r.Benchmark.Notes)
	if r.Benchmark.Redis && !r.HasRedis() {
		b.WriteString("Redis was not measured: there is no redis-server in the path, or it was not asked for.\n")
	}
	return b.String()
}

// Targets writes all targets with the verdicts of results.
func Targets(w io.Writer, all []*bench.Benchmark, results ...*bench.Result) error {
	_, err := fmt.Fprintf(w, "%s\nStated for the workload uniform.\n", standings(bench.Stand(all, results...)).Pretty(false))
	return err
}
