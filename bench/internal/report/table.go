package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/zrankdb/zrank/bench/internal/measure"
)

// WriteTables writes the header, the figures and the targets for a reader.
func (r *Report) WriteTables(w io.Writer) error {
	s := Summarize(r.Runs)
	_, err := fmt.Fprintf(w, "%s\n%s\n\n%s\n", r.header(), r.figures(s), r.targets())
	return err
}

func (r *Report) header() string {
	m := r.Machine
	known := func(name, value string) string {
		if value == "" {
			return ""
		}
		return ", " + name + " " + value
	}
	return fmt.Sprintf("n = %s members of %d bytes, %d repetitions; %s %s/%s, %d cores%s%s%s\n"+
		"median ±half the range over the repetitions; then zset's figure over the peer's (below 1x zset is better)",
		count(r.N), r.MemberBytes, r.Repetitions, m.Go, m.OS, m.Arch, m.Cores,
		known("CPU", m.CPU), known("commit", m.Commit), known("load before", m.Load))
}

func (r *Report) figures(s Summary) string {
	t := newTable()
	head := table.Row{""}
	for _, p := range r.Peers {
		head = append(head, p)
	}
	t.AppendHeader(head)
	unit := measure.Descriptions[0].Unit
	for _, d := range measure.Descriptions {
		if d.Unit != unit {
			t.AppendSeparator()
			unit = d.Unit
		}
		row := table.Row{d.Title}
		for _, p := range r.Peers {
			row = append(row, cell(s, p, d))
		}
		t.AppendRow(row)
	}
	t.SetColumnConfigs(rightFrom(2, len(r.Peers)+1))
	return t.Render()
}

// cell is a figure with its spread and, for a peer, zset's ratio to it.
func cell(s Summary, peer string, d measure.Description) string {
	st, ok := s.Stat(peer, d.Metric)
	if !ok {
		return "-"
	}
	out := value(st.Value, d.Unit)
	if d.Unit != measure.Objects {
		out += fmt.Sprintf(" ±%.0f%%", st.Spread())
	}
	if peer == "zset" {
		return out
	}
	own, ok := s.Stat("zset", d.Metric)
	nothing := st.Value <= 0 || d.Unit == measure.Objects && st.Value < noAllocs
	if !ok || nothing || d.Metric == measure.GCEmpty {
		return out + "      -"
	}
	return out + fmt.Sprintf(" %6s", ratio(own.Value/st.Value))
}

func (r *Report) targets() string {
	t := newTable()
	t.AppendHeader(table.Row{"target", "against", "to reach", "found", "", "stated for n"})
	elsewhere := false
	for _, j := range r.Targets {
		stated := "any"
		if j.At != 0 {
			stated = count(j.At)
		}
		if j.At != 0 && j.At != r.N {
			stated += " *"
			elsewhere = true
		}
		t.AppendRow(table.Row{j.What, j.against(), j.shown(j.Limit, "<= "), j.found(), j.Verdict, stated})
	}
	t.SetColumnConfigs([]table.ColumnConfig{{Number: 4, Align: text.AlignRight}, {Number: 6, Align: text.AlignRight}})
	out := t.Render()
	if elsewhere {
		out += fmt.Sprintf("\n* the design states it for another size; this run has n = %s", count(r.N))
	}
	return out
}

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
	for _, d := range measure.Descriptions {
		if d.Metric == m {
			return d.Unit
		}
	}
	return ""
}

func newTable() table.Writer {
	t := table.NewWriter()
	style := table.StyleLight
	style.Format.Header = text.FormatDefault
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

func ratio(v float64) string {
	if v < 0.01 && v > 0 {
		return "<0.01x"
	}
	return fmt.Sprintf("%.2fx", v)
}

// value writes a figure: times of a millisecond and more per operation in ms, memory and collections with a decimal.
func value(v float64, u measure.Unit) string {
	switch u {
	case measure.Nanoseconds:
		if v >= 1e6 {
			return fmt.Sprintf("%.1f ms", v/1e6)
		}
		return count(int(v + 0.5))
	case measure.Byte:
		return fmt.Sprintf("%.1f", v)
	case measure.Milliseconds:
		return fmt.Sprintf("%.2f", v)
	}
	return fmt.Sprintf("%.4f", v)
}

// count writes a number with commas between thousands.
func count(n int) string {
	digits := fmt.Sprint(n)
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	return b.String()
}
