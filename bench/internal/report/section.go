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
	Checks []Check
	Notes  string
}

// Table is one of a section, as text.
type Table struct {
	Title string
	Head  []string
	Rows  [][]string
	Of    []string // what each row is of: its first cell, or that of a row above if it is empty
	Right int // columns from this one on hold figures
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

// Check is a target with what was found.
type Check struct {
	What, Against, Limit, Found, Range string
	Stated                             string // for how many members, with how many it was measured
	Command                            string // that measures it
	Verdict                            Verdict
	Elsewhere                          bool // the target is stated for another number of members
	rank                               int  // the better told of two of the same: measured, at the size it is stated for
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
	sec := Section{About: s.About(), Title: titles[s.Kind], Where: s.on(""), Notes: l.notes, Checks: s.checks(), Losses: s.losses(l)}
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

// tables are those of the figures that have rows.
func (s *Sheet) tables(l layout) (list []table.Writer) {
	for _, g := range l.grids {
		list = append(list, s.grid(g))
	}
	list = append(list, s.facts(l), s.callers(l))
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

// checks returns the goals of a page.
func (s *Sheet) checks() (list []Check) {
	for _, o := range s.outcomes() {
		c := o.check(s.N)
		c.Command = s.Command
		list = append(list, c)
	}
	return list
}

func (o Outcome) check(n int) Check {
	show := func(v float64) string { return quantity(v, o.Metric.Unit()) }
	c := Check{What: o.What, Limit: "≤ ", Verdict: o.Verdict, Stated: stated(o.At, n, o.Verdict), Elsewhere: o.At != 0 && o.At != n}
	if o.Peer != "" {
		show, c.Against = ratio, o.Peer
	}
	if o.least() {
		c.Limit = "≥ "
	}
	c.Limit += show(o.Limit)
	if o.Verdict != NotMeasured {
		c.Found = show(o.Found.Value)
		c.Range = show(o.Found.Min) + " to " + show(o.Found.Max)
	}
	c.ranked(n)
	return c
}

// stated says what number of members a target is for, and what number it was measured with.
func stated(at, n int, v Verdict) string {
	switch {
	case at == 0 && v == NotMeasured:
		return "any n"
	case at == 0:
		return "any n, found with " + count(n)
	case at == n || v == NotMeasured:
		return count(at)
	}
	return count(at) + ", found with " + count(n)
}

// ranked says how well the check tells whether the target is met.
func (c *Check) ranked(n int) {
	if c.Verdict == NotMeasured {
		return
	}
	c.rank = 1 + n
	if !c.Elsewhere {
		c.rank += 1e9
	}
	if !c.Elsewhere && c.Verdict == Missed { // met at one size and missed at another: missed
		c.rank += 1e9
	}
}

// Same reports whether both are of one target.
func (c Check) Same(d Check) bool {
	return c.What == d.What && c.Against == d.Against && c.Limit == d.Limit
}

// Tells reports whether the check tells more of the target than the other: it was measured, nearer to what the target is stated
// for.
func (c Check) Tells(than Check) bool { return c.rank > than.rank }

// Farther orders losses: negative if l is the smaller one.
func (l Loss) Farther(than Loss) int { return cmp.Compare(l.times, than.times) }

// Unmeasured returns the targets of the design's section 8 whose command is not among the kinds of the documents at hand.
func Unmeasured(have map[string]bool) (list []Check) {
	if !have[Compare] {
		for _, t := range Targets {
			c := Judgement{Target: t, Verdict: NotMeasured}.check(0)
			c.Command = "go run . " + Compare
			list = append(list, c)
		}
	}
	for _, kind := range []string{Durable, Recover} {
		if have[kind] {
			continue
		}
		for _, g := range layouts[kind].goals {
			c := Outcome{Goal: g, Verdict: NotMeasured}.check(0)
			c.Command = "go run . " + kind
			list = append(list, c)
		}
	}
	return list
}
