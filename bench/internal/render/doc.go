// Package render shows results: as text, as Markdown, and as a page of HTML with charts. All three are made of the same views of the
// tables that a benchmark declares. go-pretty draws tables, gonum/plot draws charts.
//
// # Where things are
//
//   - view.go: a table of a result as text, the targets, and the rows we lose
//   - text.go: terminal and Markdown
//   - page.go, page.html, style.css: the page of several results
//   - charts.go: which charts a result has; chart.go: bars and lines as SVG
package render
