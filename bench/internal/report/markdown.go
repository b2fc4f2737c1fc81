package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/zrankdb/zrank/bench/internal/measure"
	"github.com/zrankdb/zrank/bench/internal/peers"
)

// readme is the rows of the README's table.
var readme = []measure.Metric{
	measure.Replay,
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
	fmt.Fprintf(&b, "Sorted sets, %s members of %d bytes, from `cd bench && %s`, %s on %s/%s with %d cores; medians of\n"+
		"%d interleaved runs, CPU time.\n\n", count(size.N), r.MemberBytes, r.command(size.N), r.Machine.Go, r.Machine.OS, r.Machine.Arch,
		r.Machine.Cores, r.Repetitions)
	b.WriteString(markdownTable(s, r.ordered(false)))
	if outside := r.ordered(true); len(outside) > 1 {
		fmt.Fprintf(&b, "\nBeside zset, what is not in the program's memory; wall time, for Redis a round trip a call:\n\n%s", markdownTable(s, outside))
	}
	if st, ok := s.Stat("map", measure.Score); ok {
		fmt.Fprintf(&b, "\nA bare Go map answers a look-up in %s.\n", prose(st.Value, measure.Nanoseconds))
	}
	if missed := size.missed(); usual(r.Workload) && len(missed) > 0 { // targets are stated for the usual one
		fmt.Fprintf(&b, "\nTargets missed:\n\n- %s\n", strings.Join(missed, "\n- "))
	}
	return b.String()
}

// command is what measures it again.
func (r *Report) command(n int) string {
	switch {
	case usual(r.Workload):
		return fmt.Sprintf("go run . compare --n %d", n)
	case strings.Contains(r.Workload, ".csv"): // it has its own number of members
		return fmt.Sprintf("go run . compare --workload '%s'", r.Workload)
	}
	return fmt.Sprintf("go run . compare --n %d --workload %s", n, r.Workload)
}

// markdownTable has a column for each peer, and the rows that zset loses apart.
func markdownTable(s Summary, names []string) string {
	won, lost := rows(s, names)
	out := fmt.Sprintf("| |%s\n|---%s|\n%s", columns(names, title), strings.Repeat("|---", len(names)), won)
	if lost != "" {
		out += fmt.Sprintf("| *rows we lose* |%s\n%s", strings.Repeat(" |", len(names)), lost)
	}
	return out
}

// ordered returns the peers that have columns, zset first: those in this process but the bare map, or those outside.
func (r *Report) ordered(outside bool) []string {
	var list []string
	for _, p := range r.Peers {
		if p == ours || p != "map" && isOutside(p) == outside {
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
		if !ok || !others(s, names, m) {
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

// others reports whether a peer besides zset has the metric, or there is none.
func others(s Summary, names []string, m measure.Metric) bool {
	return len(names) == 1 || slices.ContainsFunc(names, func(name string) bool {
		_, ok := s.Stat(name, m)
		return ok && name != ours
	})
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
		if j.elsewhere(s.N, "") {
			text += ", stated for " + count(j.At)
		}
		list = append(list, text+")")
	}
	return list
}
