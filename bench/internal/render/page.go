package render

import (
	_ "embed"
	"errors"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/zrankdb/zrank/bench/internal/bench"
	"github.com/zrankdb/zrank/bench/internal/suite"
)

// Page is several results: first the targets and the rows we lose, then a section for each result.
type Page struct {
	Sections  []Section
	Standings []bench.Standing
	Losses    []Loss // the farthest first
}

// Section is one result.
type Section struct {
	*bench.Result
	Title, Notes string
	Views        []View
	Charts       []Chart
}

// NewPage makes a page. It fails without results, or if a chart cannot be drawn.
func NewPage(results []*bench.Result) (*Page, error) {
	if len(results) == 0 {
		return nil, errors.New("nothing to report: no file of figures")
	}
	p := &Page{Standings: bench.Stand(suite.All, results...)}
	for _, r := range results {
		s := Section{Result: r, Title: suite.Named(r.Kind).Title, Notes: notes(r), Views: views(r)}
		var err error
		if s.Charts, err = charts(r); err != nil {
			return nil, err
		}
		p.Sections, p.Losses = append(p.Sections, s), append(p.Losses, losses(r)...)
	}
	slices.SortStableFunc(p.Losses, func(a, b Loss) int {
		if a.times > b.times {
			return -1
		}
		return int(b.times - a.times)
	})
	return p, nil
}

// Measured returns the targets that some result says something of, and Unmeasured the others.
func (p *Page) Measured() []bench.Standing {
	return slices.DeleteFunc(slices.Clone(p.Standings), func(s bench.Standing) bool { return s.Verdict == bench.NotMeasured })
}

// Unmeasured returns the targets that no result says anything of.
func (p *Page) Unmeasured() []bench.Standing {
	return slices.DeleteFunc(slices.Clone(p.Standings), func(s bench.Standing) bool { return s.Verdict != bench.NotMeasured })
}

// Summary counts the verdicts.
func (p *Page) Summary() string {
	count, other := map[bench.Verdict]int{}, 0
	for _, s := range p.Standings {
		if count[s.Verdict]++; s.Elsewhere() {
			other++
		}
	}
	return fmt.Sprintf("%d targets met, %d missed, %d of both with another number of members than they are stated for; %d not measured; %d rows lost to a peer",
		count[bench.Met], count[bench.Missed], other, count[bench.NotMeasured], len(p.Losses))
}

// each joins what the sections say, each once.
func (p *Page) each(separator string, of func(Section) string) string {
	var list []string
	for _, s := range p.Sections {
		if text := of(s); !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	return strings.Join(list, separator)
}

// Machines returns where the results were measured, and Commits what and when.
func (p *Page) Machines() string {
	return p.each("; ", func(s Section) string {
		m := s.Machine
		return strings.TrimSuffix(fmt.Sprintf("%s %s/%s, %d cores, %s", m.Go, m.OS, m.Arch, m.Cores, m.CPU), ", ")
	})
}

// Commits returns the commits that were measured, with the day where it is known.
func (p *Page) Commits() string {
	return p.each("; ", func(s Section) string {
		if s.Machine.Date.IsZero() {
			return s.Machine.Commit
		}
		return s.Machine.Commit + " on " + s.Machine.Date.Format(time.DateOnly)
	})
}

// Commands returns how to measure it again, a line each.
func (p *Page) Commands() string { return p.each("\n", func(s Section) string { return s.Command }) }

//go:embed page.html
var pageHTML string

//go:embed style.css
var style string

var layout = template.Must(template.New("page").Funcs(template.FuncMap{
	"style":  func() template.CSS { return template.CSS(style) },
	"anchor": func(i int) string { return fmt.Sprintf("part-%d", i+1) },
	"class": func(v bench.Verdict) string {
		return map[bench.Verdict]string{bench.Met: "met", bench.Missed: "missed", bench.NotMeasured: "unknown"}[v]
	},
}).Parse(pageHTML))

// WriteHTML writes the page as one file of HTML, which needs no other file and no network.
func (p *Page) WriteHTML(w io.Writer) error { return layout.Execute(w, p) }

// WriteMarkdown writes the page without its charts.
func (p *Page) WriteMarkdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# zrank, and what you would use instead\n\nMeasured on %s; commit %s.\n\n**%s.** Again: `cd bench && go run . report`\n",
		p.Machines(), p.Commits(), p.Summary())
	fmt.Fprintf(&b, "\n## Targets\n\n%s\n\n## Rows we lose\n\n", standings(p.Standings).Pretty(true))
	if len(p.Losses) == 0 {
		b.WriteString("None among what was measured.\n")
	} else {
		b.WriteString(lost(p.Losses).Pretty(true) + "\n")
	}
	for _, s := range p.Sections {
		fmt.Fprintf(&b, "\n## %s\n\n", s.Title)
		if err := Markdown(&b, s.Result); err != nil {
			return err
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
