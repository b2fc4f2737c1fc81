package report

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/zrankdb/zrank/bench/internal/disk"
	"github.com/zrankdb/zrank/bench/internal/figure"
)

// WriteTables writes the header, the figures and the targets for a reader.
func (s *Sheet) WriteTables(w io.Writer) error {
	return s.write(w, s.header(), table.Writer.Render)
}

// WriteMarkdown writes the same for a README.
func (s *Sheet) WriteMarkdown(w io.Writer) error {
	m := s.Machine
	head := fmt.Sprintf("%s, from `cd bench && %s`, %s on %s/%s with %d cores%s.\nMedians of %d rounds.",
		s.load(), s.Command, m.Go, m.OS, m.Arch, m.Cores, s.on("; "), s.Rounds)
	return s.write(w, head, table.Writer.RenderMarkdown)
}

func (s *Sheet) write(w io.Writer, head string, render func(table.Writer) string) error {
	var b strings.Builder
	b.WriteString(head)
	l := layouts[s.Kind]
	for _, t := range s.tables(l) {
		fmt.Fprintf(&b, "\n\n%s", render(t))
	}
	fmt.Fprintf(&b, "\n\n%s\n", l.notes)
	if l.redis && !s.hasRedis() {
		b.WriteString("Redis was not measured: there is no redis-server in the path, or it was not asked for.\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (s *Sheet) header() string {
	return fmt.Sprintf("%s%s\nn = %s\n%s; median over %d rounds, ±half their range", s.Machine.line(), s.on("\n"),
		s.load(), s.Command, s.Rounds)
}

// on says which disk was measured, after what parts it from the text before it, or nothing if none was.
func (s *Sheet) on(part string) string {
	if s.Disk == (disk.Disk{}) {
		return ""
	}
	return part + flush(s.Disk)
}

// load says how much of what there was.
func (s *Sheet) load() string {
	if s.Load != "" {
		return s.Load
	}
	return fmt.Sprintf("%s members of %d bytes", count(s.N), s.MemberBytes)
}

// flush says what a disk is and how long it takes.
func flush(d disk.Disk) string {
	name := d.FileSystem
	if name == "" {
		name = "a file system that is not known"
	}
	out := fmt.Sprintf("%s on %s: a flush of 4 KiB takes %s, p99 %s", name, d.Device, span(d.Flush), span(d.FlushP99))
	if name == "tmpfs" || name == "ramfs" {
		out += "; THIS IS MEMORY, no disk: the figures do not count"
	}
	return out
}

// callers is a row for each line and system that has calls.
func (s *Sheet) callers(l layout) table.Writer {
	t := newTable()
	t.AppendHeader(table.Row{"", "", "updates/s", "p50", "p99", "p99.9", "worst", "calls", "collections", "to the peer"})
	for _, c := range l.callers {
		rows := 0
		for _, system := range c.systems {
			if _, ok := s.stat(c.line, system, figure.P50); !ok {
				continue
			}
			title := c.title
			if rows++; rows > 1 {
				title = ""
			}
			t.AppendRow(s.callerRow(c, title, system))
		}
	}
	t.SetColumnConfigs(rightFrom(3, 10))
	t.SuppressEmptyColumns()
	return t
}

func (s *Sheet) callerRow(c callerLine, title, system string) table.Row {
	row := table.Row{title, system, s.shown(c.line, system, figure.Rate)}
	for _, m := range []figure.Metric{figure.P50, figure.P99, figure.P999} {
		row = append(row, s.shown(c.line, system, m))
	}
	worst, _ := s.stat(c.line, system, figure.Max)
	calls, _ := s.stat(c.line, system, figure.Calls)
	row = append(row, quantity(worst.Max, figure.Nanoseconds), quantity(calls.Value, figure.Count), s.shown(c.line, system, figure.Collections))
	if len(c.systems) < 2 || system != c.systems[0] {
		return append(row, "")
	}
	st, ok := s.ratioTo(c.line, system, c.line, c.systems[1], figure.Rate, figure.Rate)
	if !ok {
		return append(row, "")
	}
	return append(row, ratio(st.Value)+spreadOf(st))
}

// shown is a figure with its spread, or nothing.
func (s *Sheet) shown(line, system string, m figure.Metric) string {
	st, ok := s.stat(line, system, m)
	if !ok {
		return ""
	}
	return quantity(st.Value, m.Unit()) + spreadOf(st)
}

func spreadOf(st Stat) string { return fmt.Sprintf(" ±%.0f%%", st.Spread()) }

// facts is a row for each single figure.
func (s *Sheet) facts(l layout) table.Writer {
	t := newTable()
	t.AppendHeader(table.Row{"", "found", "least", "most", "over Redis"})
	for _, f := range l.facts {
		system := zrank
		if f.line == LineRedis {
			system = Redis
		}
		st, ok := s.stat(f.line, system, f.metric)
		if !ok {
			continue
		}
		u := f.metric.Unit()
		row := table.Row{f.title, quantity(st.Value, u), quantity(st.Min, u), quantity(st.Max, u), ""}
		if r, ok := s.ratioTo(f.line, zrank, LineRedis, Redis, f.metric, figure.Open); ok && f.redis {
			row[4] = ratio(r.Value)
		}
		t.AppendRow(row)
	}
	t.SetColumnConfigs(rightFrom(2, 5))
	t.SuppressEmptyColumns()
	return t
}

// targets is a row for each goal.
func (s *Sheet) targets() table.Writer {
	t := newTable()
	t.AppendHeader(table.Row{"target", "against", "to reach", "found", "least", "most", "", "stated for n"})
	for _, o := range s.outcomes() {
		stated := statedFor(o.At)
		if o.At != 0 && o.At != s.N {
			stated += " (not " + count(s.N) + ")"
		}
		t.AppendRow(table.Row{o.What, o.against(), o.limit(), o.shown(o.Found.Value), o.shown(o.Found.Min), o.shown(o.Found.Max), o.Verdict, stated})
	}
	t.SetColumnConfigs([]table.ColumnConfig{{Number: 4, Align: text.AlignRight}, {Number: 5, Align: text.AlignRight},
		{Number: 6, Align: text.AlignRight}, {Number: 8, Align: text.AlignRight}})
	return t
}

// statedFor writes the number of members that a target is stated for.
func statedFor(at int) string {
	if at == 0 {
		return "any"
	}
	return count(at)
}

func (g Goal) against() string { return cmp.Or(g.Peer, "-") }

// limit writes what is to be reached.
func (g Goal) limit() string {
	switch {
	case g.Most:
		return "<= " + ratio(g.Limit)
	case g.Peer != "":
		return ">= " + ratio(g.Limit)
	}
	return "<= " + quantity(g.Limit, g.Metric.Unit())
}

// shown writes what was found, in the goal's own terms.
func (o Outcome) shown(v float64) string {
	switch {
	case o.Verdict == NotMeasured:
		return "-"
	case o.Peer != "":
		return ratio(v)
	}
	return quantity(v, o.Metric.Unit())
}

// quantity writes a figure with its unit.
func quantity(v float64, u figure.Unit) string {
	switch u {
	case figure.Nanoseconds:
		return span(v)
	case figure.Milliseconds:
		return span(v * 1e6)
	case figure.Bytes:
		return digits(v/1e6) + " MB"
	case figure.Small:
		return digits(v) + " B"
	case figure.Times:
		return ratio(v)
	}
	return count(int(v + 0.5))
}

// span writes a time in ns.
func span(ns float64) string {
	switch {
	case ns >= 1e9:
		return digits(ns/1e9) + " s"
	case ns >= 1e6:
		return digits(ns/1e6) + " ms"
	case ns >= 1e3:
		return digits(ns/1e3) + " µs"
	}
	return fmt.Sprintf("%.0f ns", ns)
}
