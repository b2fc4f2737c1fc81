package report

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/zrankdb/zrank/bench/internal/chart"
)

// Section is what a page shows of a document.
type Section struct {
	About
	Title  string
	Where  string // the disk, if one was measured
	Tables []Table
	Charts []Charts
	Losses []Loss
	Notes  string
}

// Table is one of a section, as text.
type Table struct {
	Title string
	Head  []string
	Rows  [][]string
	Of    []string // what each row is of: its first cell, or that of a row above if it is empty
	Right int      // columns from this one on hold figures
	// Best and Lost mark figures of a row: the cell that is best, and the rows whose best is not ours. Both are empty where
	// that means nothing.
	Best map[[2]int]bool
	Lost map[int]bool
}

// Charts are drawings under one heading.
type Charts struct {
	Title string
	List  []chart.Figure
}

// Loss is a figure where a peer beats us.
type Loss struct {
	What         string
	Where        string // how much of what
	Ours, Theirs string
	Peer         string
	Times        string // how many times as good theirs is
	times        float64
}

// titles of the kinds.
var titles = map[string]string{
	Compare: "Sorted sets side by side", Growth: "Growth with the number of members", Latency: "Single calls while the collector runs",
	Durable: "Commits on the disk", Recover: "Opening and snapshots", Engine: "Many goroutines", Keyspace: "A million small sets",
	Pauses: "Writers during snapshots of a big set", Boards: "A leaderboard", Resp: "The server beside Redis",
}

// Section returns what a page shows of the sheet.
func (s *Sheet) Section() (Section, error) {
	l := layouts[s.Kind]
	sec := Section{About: s.About(), Title: titles[s.Kind], Where: s.on(""), Notes: l.notes, Losses: s.losses(l)}
	if l.redis && !s.hasRedis() {
		sec.Notes += "\nRedis was not measured: there is no redis-server in the path, or it was not asked for."
	}
	for _, t := range s.tables(l) {
		shown, err := cells(t)
		if err != nil {
			return Section{}, fmt.Errorf("table of %s: %w", s.Kind, err)
		}
		sec.Tables = append(sec.Tables, shown)
	}
	var err error
	sec.Charts, err = s.charts(l)
	return sec, err
}

// tables are those of the figures, and of the targets with their range, that have rows.
func (s *Sheet) tables(l layout) (list []table.Writer) {
	for _, g := range l.grids {
		list = append(list, s.grid(g))
	}
	list = append(list, s.facts(l), s.callers(l), s.targets())
	return slices.DeleteFunc(list, func(t table.Writer) bool { return t.Length() == 0 })
}

// cells takes a table apart.
func cells(t table.Writer) (Table, error) {
	r := csv.NewReader(strings.NewReader(t.RenderTSV()))
	r.Comma = '\t'
	rows, err := r.ReadAll()
	if err != nil || len(rows) == 0 {
		return Table{}, err
	}
	out := Table{Head: rows[0], Rows: rows[1:], Right: 1}
	if out.Head[0] == "target" {
		out.Title = "targets, with their range over the repetitions"
	}
	for out.Right < len(out.Head) && strings.TrimSpace(out.Head[out.Right]) == "" {
		out.Right++
	}
	for _, row := range out.Rows {
		for i, text := range row {
			row[i] = strings.Join(strings.Fields(text), " ")
			if i == 0 && strings.HasPrefix(text, " ") {
				row[i] = "\u2003" + row[i] // it belongs to the row above
			}
		}
		of := row[0]
		if of == "" && len(out.Of) > 0 {
			of = out.Of[len(out.Of)-1]
		}
		out.Of = append(out.Of, of)
	}
	return out, nil
}

// Farther orders losses: negative if l is the smaller one.
func (l Loss) Farther(than Loss) int { return cmp.Compare(l.times, than.times) }
