// Package render shows results as text, as Markdown, and as an HTML page with charts. Each form has the same tables: those that the
// benchmark declares. go-pretty draws tables, gonum/plot draws charts, and goldmark turns the Markdown page into HTML.
//
// # Where things are
//
//   - view.go: a table of a result as text, the targets, and the rows we lose
//   - text.go: a result for a terminal and as Markdown
//   - page.go, page.html, style.css: the page of several results
//   - charts.go: the charts of a result, as SVG
package render
