package main

import (
	"fmt"
	"io"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/zrankdb/zrank/fuzz/internal/campaigns"
	"github.com/zrankdb/zrank/fuzz/internal/runner"
	"github.com/zrankdb/zrank/internal/numbers"
)

// newTable returns a table in the style of the command. Columns from number right on are aligned to the right.
func newTable(out io.Writer, right int, head ...any) table.Writer {
	t := table.NewWriter()
	t.SetOutputMirror(out)
	t.SetStyle(table.StyleLight)
	t.Style().Format.Header, t.Style().Format.Footer = text.FormatDefault, text.FormatDefault
	t.Style().Options = table.Options{SeparateHeader: true, SeparateFooter: true}
	t.AppendHeader(head)
	var columns []table.ColumnConfig
	for i := right; i <= len(head); i++ {
		columns = append(columns, table.ColumnConfig{Number: i, Align: text.AlignRight, AlignHeader: text.AlignRight, AlignFooter: text.AlignRight})
	}
	t.SetColumnConfigs(columns)
	return t
}

// writeRows writes the counts of each configuration, and their sums.
func writeRows(out io.Writer, rows []campaigns.Row) {
	t := newTable(out, 2, "configuration", "scripts", "operations", "commits", "snapshots", "reopens", "kills", "power cuts", "evictions", "lost commits")
	cells := func(name string, scripts int, n runner.Counts) table.Row {
		row := table.Row{name}
		for _, n := range []int{scripts, n.Operations, n.Commits, n.Snapshots, n.Reopens, n.Kills, n.Cuts, n.Evictions, n.Lost} {
			row = append(row, numbers.Count(n))
		}
		return row
	}
	for _, r := range rows {
		name := r.Config.Name
		if r.Failed {
			name += " FAILED"
		}
		t.AppendRow(cells(name, r.Scripts, r.Counts))
	}
	scripts, n, _ := total(rows)
	t.AppendFooter(cells("all", scripts, n))
	t.Render()
}

// total adds up rows, and counts the configurations that have run a script.
func total(rows []campaigns.Row) (scripts int, n runner.Counts, configs int) {
	for _, r := range rows {
		scripts += r.Scripts
		n.Add(r.Counts)
		if r.Scripts > 0 {
			configs++
		}
	}
	return scripts, n, configs
}

// summary returns the counts in one line.
func summary(rows []campaigns.Row, took time.Duration) string {
	scripts, n, configs := total(rows)
	return fmt.Sprintf("%s, %s operations (%s/s), %s, %s, %s, %d of %s", numbers.Plural(scripts, "script"), numbers.Count(n.Operations),
		numbers.Count(int(float64(n.Operations)/max(took.Seconds(), 1e-3))), numbers.Plural(n.Commits, "commit"), numbers.Plural(n.Kills, "kill"),
		numbers.Plural(n.Cuts, "power cut"), configs, numbers.Plural(len(rows), "configuration"))
}
