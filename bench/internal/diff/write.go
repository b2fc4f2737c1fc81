package diff

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/zrankdb/zrank/bench/internal/bench"
	"github.com/zrankdb/zrank/bench/internal/render"
)

// WriteJSON writes the comparison for a program.
func (d *Diff) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(d)
}

// WriteText writes it for a reader: what the results are, the notes, and a row for each figure.
func (d *Diff) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "old: %s\nnew: %s\n%s, %s\n", about(d.old), about(d.new), d.new.Kind, d.new.Loaded())
	if d.Against != "" {
		fmt.Fprintf(&b, "figures are ours over those of %s in the same round\n", d.Against)
	}
	for _, n := range d.Notes {
		fmt.Fprintf(&b, "! %s\n", n)
	}
	v := render.View{Head: []string{"", "", "n", "old", "new", "change", "p", "samples", ""}, Text: 2}
	count := map[Verdict]int{}
	for _, r := range d.Rows {
		count[r.Verdict]++
		v.Rows = append(v.Rows, []string{r.Title, r.System, bench.Comma(cmp.Or(r.N, d.new.N)), r.Old.String(r.Unit), r.New.String(r.Unit), r.change(),
			fmt.Sprintf("%.3f", r.P), fmt.Sprintf("%d+%d", r.OldN, r.NewN), string(r.Verdict)})
	}
	_, err := fmt.Fprintf(w, "%s\n%s\n\n%d worse, %d better, %d without a difference that the samples can tell (~: p >= %g)\n", b.String(), v.Pretty(false),
		count[Worse], count[Better], count[Same], d.Alpha)
	return err
}

// about says what a result is of.
func about(r *bench.Result) string {
	date := ""
	if !r.Machine.Date.IsZero() {
		date = r.Machine.Date.Format(", 2006-01-02 15:04 UTC")
	}
	return fmt.Sprintf("%s%s, %s, load before %s, %d rounds", cmp.Or(r.Machine.Commit, "an unknown commit"), date, r.Machine.Go,
		cmp.Or(r.Machine.Load, "not known"), r.Rounds)
}

// change is the difference in per cent, or how many times as much where per cent say little.
func (r Row) change() string {
	switch {
	case r.Old.Value == r.New.Value:
		return "0.0%"
	case r.Old.Value == 0:
		return "from 0"
	case r.Verdict == Same:
		return fmt.Sprintf("(%+.1f%%)", r.Change)
	case r.Change >= 900:
		return fmt.Sprintf("%.1fx", r.New.Value/r.Old.Value)
	}
	return fmt.Sprintf("%+.1f%%", r.Change)
}
