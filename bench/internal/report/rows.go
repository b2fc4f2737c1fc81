package report

import (
	"fmt"
	"io"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/zrankdb/zrank/bench/internal/workload"
)

// Row is one target: a row of the design's section 8, or what an issue asks for, with what the reports say of it.
type Row struct {
	What    string
	Against string // the peer; "-": none
	Limit   string // to be reached
	Command string // that measures it, at the size it is stated for
	At      int    // number of members it is stated for; 0 for any
	N       int    // number of members it was found with; 0: it was not measured
	Found   string // "-": it was not measured
	Verdict Verdict
}

// goalKinds are the kinds of sheets with goals, those of the design's section 8 first.
var goalKinds = []string{Durable, Recover, Keyspace, Pauses, Boards, Resp}

// Rows returns every target there is. Of several reports that measured one, that of the size it is stated for counts, otherwise that
// of the most members; of equals the last. One that is stated for any number of members is missed if it is with one. Reports of other workloads than uniform say nothing of targets.
func Rows(docs ...Document) []Row {
	var list []Row
	for i, t := range Targets {
		row := Row{What: t.What, Against: Judgement{Target: t}.against(), Limit: Judgement{Target: t}.shown(t.Limit, "<= "),
			Command: command("compare", t.At), At: t.At, Found: "-", Verdict: NotMeasured}
		for _, d := range docs {
			r, ok := d.(*Report)
			if !ok || !usual(r.Workload) {
				continue
			}
			for _, s := range r.Sizes {
				row.take(s.N, s.Targets[i].found(), s.Targets[i].Verdict)
			}
		}
		list = append(list, row)
	}
	for _, kind := range goalKinds {
		for i, g := range layouts[kind].goals {
			row := Row{What: g.What, Against: g.against(), Limit: g.limit(), Command: command(kind, g.At), At: g.At, Found: "-", Verdict: NotMeasured}
			for _, d := range docs {
				if s, ok := d.(*Sheet); ok && s.Kind == kind {
					o := s.outcomes()[i]
					row.take(s.N, o.shown(o.Found.Value), o.Verdict)
				}
			}
			list = append(list, row)
		}
	}
	return list
}

// command is what a reader types.
func command(name string, at int) string {
	if at == 0 {
		return name
	}
	return fmt.Sprintf("%s --n %s", name, short(at))
}

// short writes a power of ten as one.
func short(n int) string {
	zeros := 0
	for ; n%10 == 0; n /= 10 {
		zeros++
	}
	if n == 1 {
		return fmt.Sprintf("1e%d", zeros)
	}
	return fmt.Sprintf("%de%d", n, zeros)
}

// Members says for how many members the target is stated, and with how many it was found.
func (r Row) Members() string {
	at := "any number"
	if r.At != 0 {
		at = count(r.At)
	}
	if r.N == 0 || r.N == r.At {
		return at
	}
	return at + ", found with " + count(r.N)
}

// Elsewhere reports whether the target was found with another number of members than it is stated for.
func (r Row) Elsewhere() bool { return r.N != 0 && r.At != 0 && r.N != r.At }

// take notes what a report of n members says, if that tells more than what is known.
func (r *Row) take(n int, found string, v Verdict) {
	if v == NotMeasured {
		return
	}
	more := n == r.At || r.N != r.At && n >= r.N
	if r.At == 0 && v != r.Verdict { // for any number of members: missed if with one
		more = v == Missed
	}
	if more || r.Verdict == NotMeasured {
		r.N, r.Found, r.Verdict = n, found, v
	}
}

// WriteRows writes the targets as a table.
func WriteRows(w io.Writer, rows []Row) error {
	t := newTable()
	t.AppendHeader(table.Row{"target", "against", "to reach", "found", "", "measured by"})
	elsewhere := false
	for _, r := range rows {
		if r.Elsewhere() {
			r.Found += "*"
			elsewhere = true
		}
		t.AppendRow(table.Row{r.What, r.Against, r.Limit, r.Found, r.Verdict, r.Command})
	}
	t.SetColumnConfigs([]table.ColumnConfig{{Number: 4, Align: text.AlignRight, AlignHeader: text.AlignRight}})
	out := t.Render() + "\n"
	if elsewhere {
		out += "* found with another number of members than the target is stated for\n"
	}
	_, err := io.WriteString(w, out+"Stated for the workload "+workload.Uniform+".\n")
	return err
}
