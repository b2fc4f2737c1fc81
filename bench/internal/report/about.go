package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/zrankdb/zrank/bench/internal/disk"
	"github.com/zrankdb/zrank/bench/internal/workload"
)

// Compare is the kind of a Report.
const Compare = "compare"

// About says what a document was made of: two that agree in it can be compared.
type About struct {
	Kind        string    `json:"kind"`
	Command     string    `json:"command"` // that makes it again, in bench
	Machine     Machine   `json:"machine"`
	Disk        disk.Disk `json:"disk"` // empty of a Report
	Repetitions int       `json:"repetitions"`
	Seed        uint64    `json:"seed"`
	MemberBytes int       `json:"member_bytes"`
	Load        string    `json:"load"` // how much of what
}

// About returns what the report was made of.
func (r *Report) About() About {
	return About{Kind: Compare, Command: r.again(), Machine: r.Machine, Repetitions: r.Repetitions, Seed: r.Seed,
		MemberBytes: r.MemberBytes, Load: fmt.Sprintf("%s members of %d bytes, %s", r.sizes(count, ", "), r.MemberBytes, cmp.Or(r.Workload, workload.Uniform))}
}

// again is the command or, in a file that does not say it, compare with the flags that it must have had.
func (r *Report) again() string {
	if r.Command != "" {
		return r.Command
	}
	text := r.command(r.Sizes[0].N)
	if one := fmt.Sprintf("--n %d", r.Sizes[0].N); len(r.Sizes) > 1 {
		text = strings.Replace(text, one, "--n "+r.sizes(func(n int) string { return fmt.Sprint(n) }, ","), 1)
	}
	if r.Repetitions != 3 {
		text += fmt.Sprintf(" --repetitions %d", r.Repetitions)
	}
	if r.Seed != 1 {
		text += fmt.Sprintf(" --seed %d", r.Seed)
	}
	return text
}

// sizes lists the numbers of members.
func (r *Report) sizes(show func(int) string, between string) string {
	var list []string
	for _, s := range r.Sizes {
		list = append(list, show(s.N))
	}
	return strings.Join(list, between)
}

// About returns what the sheet was made of.
func (s *Sheet) About() About {
	return About{Kind: s.Kind, Command: s.Command, Machine: s.Machine, Disk: s.Disk, Repetitions: s.Rounds, Seed: s.Seed,
		MemberBytes: s.MemberBytes, Load: s.load()}
}

// Partner returns which of our systems a peer is held against in a line; zset in a Report.
func (r *Report) Partner(_, _ string) string { return ours }

// Partner returns which of our systems a peer is held against in a line.
func (s *Sheet) Partner(line, peer string) string {
	l := layouts[s.Kind]
	for _, g := range l.grids {
		for _, row := range g.rows {
			for _, c := range row.cells {
				if c.line == line && c.system == peer && c.ours != "" {
					return c.ours
				}
			}
		}
	}
	if slices.ContainsFunc(s.Samples, func(x Sample) bool { return x.Line == line && x.System == ours }) {
		return ours
	}
	return zrank
}
