package page

import (
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
)

// WriteMarkdown writes the page without its plots, for a repository: targets, rows we lose, and the tables of every section.
func (p *Page) WriteMarkdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# zrank, and what you would use instead\n\nMeasured on %s; commit %s.\n\n**%s.** Again: `cd bench && go run . report`\n",
		joined(p.Machines()), joined(p.Commits()), p.Summary())
	fmt.Fprintf(&b, "\n## Targets\n\n%s\n", p.targets())
	fmt.Fprintf(&b, "\n## Rows we lose\n\n%s\n", p.lost())
	for i, s := range p.Sections {
		fmt.Fprintf(&b, "\n## %s\n\n", s.Title)
		if err := p.docs[i].WriteMarkdown(&b); err != nil {
			return err
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (p *Page) targets() string {
	t := table.NewWriter()
	t.AppendHeader(table.Row{"target", "against", "to reach", "found", "verdict", "stated for n"})
	for _, r := range p.Rows {
		t.AppendRow(table.Row{r.What, r.Against, r.Limit, r.Found, r.Verdict, r.Members()})
	}
	return t.RenderMarkdown()
}

func (p *Page) lost() string {
	if len(p.Losses) == 0 {
		return "None among what was measured."
	}
	t := table.NewWriter()
	t.AppendHeader(table.Row{"figure", "of", "ours", "theirs", "who", "times as good", "part"})
	for _, l := range p.Losses {
		t.AppendRow(table.Row{l.What, l.Where, l.Ours, l.Theirs, l.Peer, l.Times, l.Part})
	}
	return t.RenderMarkdown()
}
