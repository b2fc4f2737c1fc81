package render

import (
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/zrankdb/zrank/bench/internal/bench"
	"github.com/zrankdb/zrank/bench/internal/suite"
)

// Pretty makes a table for a terminal or for Markdown.
func (v View) Pretty(markdown bool) string {
	t := table.NewWriter()
	style := table.StyleLight
	style.Format.Header = text.FormatDefault
	style.Options.DrawBorder, style.Options.SeparateColumns = false, false
	t.SetStyle(style)
	var config []table.ColumnConfig
	head := table.Row{}
	for i, h := range v.Head {
		head = append(head, h)
		if v.Right(i) {
			config = append(config, table.ColumnConfig{Number: i + 1, Align: text.AlignRight, AlignHeader: text.AlignRight})
		}
	}
	t.AppendHeader(head)
	t.SetColumnConfigs(config)
	for i, cells := range v.Rows {
		row := table.Row{}
		for j, c := range cells {
			if markdown && v.Marked(i, j) {
				c = "**" + c + "**"
			}
			row = append(row, c)
		}
		if i > 0 && cells[0] != "" && i+1 < len(v.Rows) && v.Rows[i+1][0] == "" {
			t.AppendSeparator() // a group of rows begins
		}
		t.AppendRow(row)
	}
	if markdown {
		return t.RenderMarkdown()
	}
	return t.Render()
}

// Text writes the tables of a result for a terminal.
func Text(w io.Writer, r *bench.Result) error {
	return write(w, r, false, fmt.Sprintf("%s%s\nn = %s\n%s; median over %d rounds, ±half their range", r.Machine.Line(), r.On("\n"), r.Loaded(),
		r.Command, r.Rounds))
}

// Markdown writes them for a repository.
func Markdown(w io.Writer, r *bench.Result) error {
	m := r.Machine
	return write(w, r, true, fmt.Sprintf("%s, from `cd bench && %s`, %s on %s/%s with %d cores%s.\nMedians of %d rounds.",
		r.Loaded(), r.Command, m.Go, m.OS, m.Arch, m.Cores, r.On("; "), r.Rounds))
}

func write(w io.Writer, r *bench.Result, markdown bool, head string) error {
	var b strings.Builder
	b.WriteString(head)
	for _, v := range views(r) {
		if b.WriteString("\n\n"); v.Title != "" {
			b.WriteString(v.Title + "\n\n")
		}
		b.WriteString(v.Pretty(markdown))
	}
	_, err := fmt.Fprintf(w, "%s\n\n%s\n", b.String(), notes(r))
	return err
}

// notes are what a reader has to know of the tables.
func notes(r *bench.Result) string {
	b := suite.Named(r.Kind)
	if b.Redis && !r.HasRedis() {
		return b.Notes + "\nRedis was not measured: there is no redis-server in the path, or it was not asked for."
	}
	return b.Notes
}

// Targets writes all targets, held against results.
func Targets(w io.Writer, results ...*bench.Result) error {
	_, err := fmt.Fprintf(w, "%s\nStated for the workload uniform.\n", standings(bench.Stand(suite.All, results...)).Pretty(false))
	return err
}
