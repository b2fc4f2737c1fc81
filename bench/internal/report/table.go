package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/zrankdb/zrank/bench/internal/measure"
	"github.com/zrankdb/zrank/bench/internal/peers"
	"github.com/zrankdb/zrank/bench/internal/workload"
)

// ours is the peer that the others are compared with.
const ours = "zset"

// Width is the most columns of text that a line of the tables takes with every peer there is.
const Width = 140

// WriteTables writes the header and, for every size, the figures, the ratios and the targets for a reader.
func (r *Report) WriteTables(w io.Writer) error {
	if _, err := fmt.Fprintln(w, r.header()); err != nil {
		return err
	}
	for _, size := range r.Sizes {
		s := Summarize(size.Runs)
		_, err := fmt.Fprintf(w, "\nn = %s members of %d bytes%s\n\n%s%s\n\nzset's figure over the peer's; below 1x zset is better\n\n%s\n\n%s\n",
			count(size.N), r.MemberBytes, r.does(", "), r.figures(s), r.linear(), r.ratios(s), size.targets(r.Workload))
		if err != nil {
			return err
		}
	}
	return nil
}

func (r *Report) header() string {
	return fmt.Sprintf("%s\nmedian over %d repetitions, ±half their range; ns, bytes a member, ms or objects", r.Machine.line(), r.Repetitions)
}

// does names the workload, after what parts it from the text before it, unless it is the usual one.
func (r *Report) does(part string) string {
	if usual(r.Workload) {
		return ""
	}
	return part + "workload " + r.Workload
}

// usual reports whether a workload is the one that the targets are stated for. Reports from before there were others name none.
func usual(name string) bool { return name == "" || name == workload.Uniform }

// figures is a table of the peers in this process, and one of those outside beside zset.
func (r *Report) figures(s Summary) string {
	var inside, outside []string
	for _, p := range r.Peers {
		if isOutside(p) {
			outside = append(outside, p)
		} else {
			inside = append(inside, p)
		}
	}
	out := s.table(inside)
	if len(outside) > 0 {
		out += "\n\n" + s.table(append([]string{ours}, outside...)) +
			"\n" + strings.Join(outside, ", ") + ": wall time, since other threads or processes do part of the work; redis: a round trip over loopback a call"
	}
	return out
}

// table has a row for every metric that a peer besides zset has.
func (s Summary) table(names []string) string {
	t := newTable()
	t.AppendHeader(head(names))
	unit := measure.Descriptions[0].Unit
	for _, d := range measure.Descriptions {
		if !others(s, names, d.Metric) {
			continue
		}
		if d.Unit != unit {
			t.AppendSeparator()
			unit = d.Unit
		}
		row := table.Row{d.Title}
		for _, p := range names {
			row = append(row, cell(s, p, d))
		}
		t.AppendRow(row)
	}
	t.SetColumnConfigs(rightFrom(2, len(names)+1))
	return t.Render()
}

// cell is a figure with its spread.
func cell(s Summary, peer string, d measure.Description) string {
	st, ok := s.Stat(peer, d.Metric)
	if !ok {
		return "-"
	}
	out := value(st.Value, d.Unit)
	if d.Ranked && isLinear(peer) {
		out += "*"
	}
	if d.Unit != measure.Objects {
		out += fmt.Sprintf(" ±%.0f%%", st.Spread())
	}
	return out
}

// linear is the footnote about the peers that count.
func (r *Report) linear() string {
	if !slices.ContainsFunc(r.Peers, isLinear) {
		return ""
	}
	return "\n* counted, O(n): the peer has no ranks"
}

func isLinear(peer string) bool {
	p, err := peers.Named(peer)
	return err == nil && p.Linear
}

func isOutside(peer string) bool {
	p, err := peers.Named(peer)
	return err == nil && p.Outside
}

func (r *Report) ratios(s Summary) string {
	t := newTable()
	t.AppendHeader(head(r.Peers[1:]))
	for _, d := range measure.Descriptions {
		_, ok := s.Stat(ours, d.Metric)
		if !ok || d.Unit == measure.Objects || d.Metric == measure.GCEmpty {
			continue
		}
		row := table.Row{d.Title}
		for _, p := range r.Peers[1:] {
			row = append(row, against(s, p, d.Metric))
		}
		t.AppendRow(row)
	}
	t.SetColumnConfigs(rightFrom(2, len(r.Peers)))
	return t.Render()
}

// against is our ratio to a peer.
func against(s Summary, peer string, m measure.Metric) string {
	theirs, ok := s.Stat(peer, m)
	own, ok := s.and(ok, ours, m)
	if !ok || theirs.Value <= 0 {
		return "-"
	}
	return ratio(own.Value / theirs.Value)
}

func (s *Size) targets(load string) string {
	t := newTable()
	t.AppendHeader(table.Row{"target", "against", "to reach", "found", "", "stated for n"})
	elsewhere := false
	for _, j := range s.Targets {
		stated := statedFor(j.At)
		if j.elsewhere(s.N, load) {
			stated += " *"
			elsewhere = true
		}
		t.AppendRow(table.Row{j.What, j.against(), j.shown(j.Limit, "<= "), j.found(), j.Verdict, stated})
	}
	t.SetColumnConfigs([]table.ColumnConfig{{Number: 4, Align: text.AlignRight}, {Number: 6, Align: text.AlignRight}})
	out := t.Render()
	if elsewhere {
		out += fmt.Sprintf("\n* the design states it for another size or load; this is n = %s, %s", count(s.N), cmp.Or(load, workload.Uniform))
	}
	return out
}

// elsewhere reports whether the design states the target for another size or workload.
func (j Judgement) elsewhere(n int, load string) bool { return j.At != 0 && j.At != n || !usual(load) }

func (j Judgement) against() string {
	switch j.Rule {
	case RatioToPeer:
		return j.Peer
	case RatioToSelf, WithinNoise:
		return "itself"
	}
	return "-"
}

func (j Judgement) found() string {
	if j.Verdict == NotMeasured {
		return "-"
	}
	return j.shown(j.Found, "")
}

// shown writes a limit or a finding in the target's own terms.
func (j Judgement) shown(v float64, prefix string) string {
	switch j.Rule {
	case None:
		return value(v, measure.Objects)
	case AtMost:
		return prefix + value(v, unitOf(j.Metric)) + " " + string(unitOf(j.Metric))
	case WithinNoise:
		if prefix != "" {
			return prefix + ratio(v) + " or within noise"
		}
	}
	return prefix + ratio(v)
}

func unitOf(m measure.Metric) measure.Unit {
	d, _ := measure.Describe(m)
	return d.Unit
}

func head(names []string) table.Row {
	row := table.Row{""}
	for _, name := range names {
		row = append(row, name)
	}
	return row
}

// newTable has no lines between columns: eight peers want the room.
func newTable() table.Writer {
	t := table.NewWriter()
	style := table.StyleLight
	style.Format.Header = text.FormatDefault
	style.Options.DrawBorder = false
	style.Options.SeparateColumns = false
	t.SetStyle(style)
	return t
}

func rightFrom(first, last int) []table.ColumnConfig {
	var c []table.ColumnConfig
	for i := first; i <= last; i++ {
		c = append(c, table.ColumnConfig{Number: i, Align: text.AlignRight, AlignHeader: text.AlignRight})
	}
	return c
}
