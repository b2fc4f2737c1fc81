package render

import (
	"bytes"
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer/html"

	"github.com/zrankdb/zrank/bench/internal/bench"
)

// Page is several results: first the targets and the rows we lose, then a section for each result.
type Page struct {
	results   []*bench.Result
	charts    []string // of each result, as HTML
	standings []bench.Standing
	losses    []loss // largest factor first
}

// NewPage makes a page of results. It fails without results, or if a chart cannot be drawn.
func NewPage(all []*bench.Benchmark, results []*bench.Result) (*Page, error) {
	if len(results) == 0 {
		return nil, errors.New("nothing to report: no file of figures")
	}
	p := &Page{results: results, standings: bench.Stand(all, results...)}
	for _, r := range results {
		drawn, err := charts(r)
		if err != nil {
			return nil, err
		}
		p.charts, p.losses = append(p.charts, drawn), append(p.losses, losses(r)...)
	}
	slices.SortStableFunc(p.losses, func(a, b loss) int { return cmp.Compare(b.times, a.times) })
	return p, nil
}

// Summary counts the verdicts.
func (p *Page) Summary() string {
	count, other := map[bench.Verdict]int{}, 0
	for _, s := range p.standings {
		if count[s.Verdict]++; s.Elsewhere() {
			other++
		}
	}
	return fmt.Sprintf("%d targets met, %d missed, %d of both with another number of members than they are stated for; %d not measured; %d rows lost to a peer",
		count[bench.Met], count[bench.Missed], other, count[bench.NotMeasured], len(p.losses))
}

// WriteMarkdown writes the page without its charts.
func (p *Page) WriteMarkdown(w io.Writer) error {
	_, err := io.WriteString(w, p.markdown(func(int) string { return "" }))
	return err
}

//go:embed page.html
var pageHTML string

//go:embed style.css
var style string

// WriteHTML writes the page with its charts as one HTML file. The file loads nothing from elsewhere.
func (p *Page) WriteHTML(w io.Writer) error {
	var body bytes.Buffer
	convert := goldmark.New(goldmark.WithExtensions(extension.Table), goldmark.WithParserOptions(parser.WithAutoHeadingID()),
		goldmark.WithRendererOptions(html.WithUnsafe())) // the charts are HTML
	text := p.markdown(func(i int) string { return p.charts[i] })
	if err := convert.Convert([]byte(text), &body); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, pageHTML, style, body.String())
	return err
}

// markdown returns the page, with charts(i) in the section of result i.
func (p *Page) markdown(charts func(i int) string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# zrank, and what you would use instead\n\n**%s.** Again: `cd bench && go run . report`\n\n", p.Summary())
	titles := []string{"Targets", "Rows we lose"}
	for _, r := range p.results {
		titles = append(titles, r.Benchmark.Title)
	}
	for _, title := range titles {
		fmt.Fprintf(&b, "* [%s](#%s)\n", title, strings.ReplaceAll(strings.ToLower(title), " ", "-"))
	}
	fmt.Fprintf(&b, "\n## Targets\n\n%s\n\n## Rows we lose\n\n", standings(p.standings).Pretty(true))
	if len(p.losses) == 0 {
		b.WriteString("None among what was measured.\n")
	} else {
		b.WriteString(lost(p.losses).Pretty(true) + "\n")
	}
	for i, r := range p.results {
		fmt.Fprintf(&b, "\n## %s\n\n%s%s", r.Benchmark.Title, charts(i), tables(r, true))
	}
	return b.String()
}
