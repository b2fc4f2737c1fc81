package diff

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/zrankdb/zrank/bench/internal/report"
)

// WriteJSON writes the comparison for a program.
func (d *Diff) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(d)
}

// WriteText writes it for a reader: what the runs are, what to know, and a row for each figure.
func (d *Diff) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "old: %s\nnew: %s\n%s, %s\n", run(d.Old), run(d.New), d.New.Kind, d.New.Load)
	if d.Against != "" {
		fmt.Fprintf(&b, "figures are ours over those of %s in the same repetition\n", d.Against)
	}
	for _, n := range d.Notes {
		fmt.Fprintf(&b, "! %s\n", n)
	}
	fmt.Fprintf(&b, "\n%s\n\n%s\n", d.table(), d.summary())
	_, err := io.WriteString(w, b.String())
	return err
}

func run(a report.About) string {
	commit, date := a.Machine.Commit, ""
	if commit == "" {
		commit = "a commit that is not known"
	}
	if !a.Machine.Date.IsZero() {
		date = a.Machine.Date.Format(", 2006-01-02 15:04 UTC")
	}
	return fmt.Sprintf("%s%s, %s, load before %s, %d repetitions", commit, date, a.Machine.Go, orNothing(a.Machine.Load), a.Repetitions)
}

func (d *Diff) table() string {
	t := table.NewWriter()
	style := table.StyleLight
	style.Format.Header = text.FormatDefault
	style.Options.DrawBorder, style.Options.SeparateColumns = false, false
	t.SetStyle(style)
	t.AppendHeader(table.Row{"", "", "n", "old", "new", "change", "p", "samples", ""})
	for i, r := range d.Rows {
		if i > 0 && r.Verdict != d.Rows[i-1].Verdict {
			t.AppendSeparator()
		}
		system := r.System
		if d.Against != "" {
			system += "/" + d.Against
		}
		t.AppendRow(table.Row{r.Title, system, r.N, shown(r.old), shown(r.new), r.change(), fmt.Sprintf("%.3f", r.P),
			fmt.Sprintf("%d+%d", r.OldN, r.NewN), r.Verdict})
	}
	var right []table.ColumnConfig
	for i := 3; i <= 8; i++ {
		right = append(right, table.ColumnConfig{Number: i, Align: text.AlignRight, AlignHeader: text.AlignRight})
	}
	t.SetColumnConfigs(right)
	return t.Render()
}

// shown is a figure with its spread.
func shown(s report.Series) string {
	return fmt.Sprintf("%s ±%.0f%%", s.Show(s.Center()), s.Spread())
}

// change is the difference in per cent, or how many times as much where per cent say little.
func (r Row) change() string {
	switch {
	case r.Old == r.New:
		return "0.0%"
	case r.Old == 0:
		return "from 0"
	case r.Verdict == Same:
		return fmt.Sprintf("(%+.1f%%)", r.Change)
	case r.Change >= 900:
		return fmt.Sprintf("%.1fx", r.New/r.Old)
	}
	return fmt.Sprintf("%+.1f%%", r.Change)
}

// summary counts the verdicts.
func (d *Diff) summary() string {
	n := map[Verdict]int{}
	for _, r := range d.Rows {
		n[r.Verdict]++
	}
	return fmt.Sprintf("%d worse, %d better, %d without a difference that the samples can tell (~: p >= %g)", n[Worse], n[Better], n[Same], d.Alpha)
}
