package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/zrankdb/zrank/bench/internal/measure"
	"github.com/zrankdb/zrank/bench/internal/peers"
)

// readme is the rows of the README's table.
var readme = []measure.Metric{
	measure.Bytes, measure.BytesSmall, measure.BytesFraction, measure.BytesLeft,
	measure.Update, measure.UpdateFraction, measure.Incr, measure.Churn, measure.Rank, measure.Score, measure.Page, measure.Walk,
	measure.GC, measure.Slowest, measure.Build,
}

// WriteMarkdown writes, for every size, a table for a README: the peers that know order, the best figure of a row in bold,
// the rows where one of them beats zset apart, and below it the look-up in a bare map and the targets that are missed.
func (r *Report) WriteMarkdown(w io.Writer) error {
	for i, size := range r.Sizes {
		if i > 0 {
			fmt.Fprintln(w)
		}
		if _, err := io.WriteString(w, r.markdown(size)); err != nil {
			return err
		}
	}
	return nil
}

func (r *Report) markdown(size Size) string {
	s := Summarize(size.Runs)
	var b strings.Builder
	fmt.Fprintf(&b, "Sorted sets, %s members of %d bytes, from `cd bench && go run . compare --n %d`, %s on %s/%s with %d cores; medians of\n"+
		"%d interleaved runs, CPU time.\n\n", count(size.N), r.MemberBytes, size.N, r.Machine.Go, r.Machine.OS, r.Machine.Arch,
		r.Machine.Cores, r.Repetitions)
	ordered := r.ordered()
	fmt.Fprintf(&b, "| |%s\n|---%s|\n", columns(ordered, title), strings.Repeat("|---", len(ordered)))
	won, lost := rows(s, ordered)
	b.WriteString(won)
	if lost != "" {
		fmt.Fprintf(&b, "| *rows we lose* |%s\n%s", strings.Repeat(" |", len(ordered)), lost)
	}
	if st, ok := s.Stat("map", measure.Score); ok {
		fmt.Fprintf(&b, "\nA bare Go map answers a look-up in %s.\n", prose(st.Value, measure.Nanoseconds))
	}
	if missed := size.missed(); len(missed) > 0 {
		fmt.Fprintf(&b, "\nTargets missed:\n\n- %s\n", strings.Join(missed, "\n- "))
	}
	return b.String()
}

// ordered returns the peers that have columns: all but the bare map.
func (r *Report) ordered() []string {
	var list []string
	for _, p := range r.Peers {
		if p != "map" {
			list = append(list, p)
		}
	}
	return list
}

// title is a peer's name in a README.
func title(peer string) string {
	if p, err := peers.Named(peer); err == nil {
		return p.Title
	}
	return peer
}

func columns(names []string, show func(string) string) string {
	var b strings.Builder
	for _, name := range names {
		fmt.Fprintf(&b, " %s |", show(name))
	}
	return b.String()
}

// rows writes those that zset wins or shares, and those that it loses.
func rows(s Summary, names []string) (won, lost string) {
	for _, m := range readme {
		d, _ := measure.Describe(m)
		own, ok := s.Stat(ours, m)
		if !ok {
			continue
		}
		least := own.Value
		for _, name := range names {
			if st, ok := s.Stat(name, m); ok {
				least = min(least, st.Value)
			}
		}
		row := fmt.Sprintf("| %s |%s\n", d.Title, columns(names, func(name string) string {
			st, ok := s.Stat(name, m)
			switch {
			case !ok:
				return "-"
			case st.Value == least:
				return "**" + prose(st.Value, d.Unit) + "**"
			}
			return prose(st.Value, d.Unit)
		}))
		if least < own.Value {
			lost += row
		} else {
			won += row
		}
	}
	return won, lost
}

// missed lists the targets that are, with what was found.
func (s *Size) missed() []string {
	var list []string
	for _, j := range s.Targets {
		if j.Verdict != Missed {
			continue
		}
		text := fmt.Sprintf("%s %s", j.What, j.shown(j.Limit, "<= "))
		if j.Rule == RatioToPeer {
			text += " of " + title(j.Peer)
		}
		text += " (" + j.found()
		if j.elsewhere(s.N) {
			text += ", stated for " + count(j.At)
		}
		list = append(list, text+")")
	}
	return list
}
