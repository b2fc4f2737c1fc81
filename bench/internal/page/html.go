package page

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"

	"github.com/zrankdb/zrank/bench/internal/report"
)

//go:embed page.html
var pageHTML string

//go:embed style.css
var style string

var layout = template.Must(template.New("page").Funcs(template.FuncMap{
	"style":  func() template.CSS { return template.CSS(style) },
	"anchor": func(i int) string { return fmt.Sprintf("part-%d", i+1) },
	"class":  class,
	"mark": func(t report.Table, row, column int) string {
		if t.Best[[2]int{row, column}] {
			return "best"
		}
		return ""
	},
	"right":  func(t report.Table, column int) bool { return column >= t.Right },
	"joined": joined,
}).Parse(pageHTML))

// WriteHTML writes the page as one file of HTML.
func (p *Page) WriteHTML(w io.Writer) error {
	return layout.Execute(w, p)
}

// class is a verdict as the style has it.
func class(v report.Verdict) string {
	switch v {
	case report.Met:
		return "met"
	case report.Missed:
		return "missed"
	}
	return "unknown"
}

// joined is a list in a sentence.
func joined(list []string) string {
	out := ""
	for i, s := range list {
		switch {
		case i == 0:
		case i == len(list)-1:
			out += " and "
		default:
			out += "; "
		}
		out += s
	}
	return out
}
