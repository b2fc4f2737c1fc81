package adminpages

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/pflag"

	"github.com/zrankdb/zrank/bench/internal/bench"
	"github.com/zrankdb/zrank/bench/internal/figure"
)

// The cases.
const (
	painting = "pages"
	opened   = "open"
)

var caseNames = []string{painting, opened}

// The systems: small boards and large ones, nobody who looks and many.
const (
	small   = "small"
	large   = "large"
	closed  = "none"
	watched = "watched"
)

const (
	smallMembers = 10
	callers      = 16 // that submit while pages are open
)

// shown are the pages that are measured.
var shown = []struct{ name, path string }{
	{"boards", "/overview"},
	{"ranking", "/board?board=arena&window=week"},
	{"middle of a ranking", "/board?board=arena&window=week&from=middle"},
	{"around a member", "/board?board=arena&window=week&member=player"},
	{"player", "/preview?do=ban&board=arena&member=player"},
	{"health", "/health"},
}

func pageLine(name string) string { return painting + "/" + name }

const submitLine = opened + "/submit"

// Benchmark is the declaration.
var Benchmark = bench.Benchmark{
	Name: "admin", Title: "Pages for a browser", Short: "Measure the pages of server/admin, and what open ones cost",
	Long: `Admin measures how long pages take from request to the last byte, with few members and boards and with many; then submissions from 16
callers while nobody looks, and while pages are open.`,
	Example: "--n 1e7 --boards 100000 --cases pages\n--cases open",
	N:       1_000_000, NUsage: "members of the large board", NoDisk: true,
	Flags: func(f *pflag.FlagSet, o *bench.Options) {
		f.DurationVar(&o.For, "for", 2*time.Second, "how long the calls of each figure are counted in a round")
		f.IntVar(&o.Sets, "boards", 1000, "how many boards there are beside the large one")
		f.IntVar(&o.Callers, "open", 100, "how many pages are open")
		f.StringSliceVar(&o.Cases, "cases", caseNames, "what to measure")
	},
	Plan: plan, Start: start, Tables: tables,
	Targets: []bench.Target{{What: "pages are open: submits/s", Line: submitLine, System: watched, Metric: figure.Rate, Peer: closed, Least: true, Limit: 0.98}},
	Load:    func(o *bench.Options) string { return bench.Comma(o.N) + " members of 20 bytes in each of 3 windows" },
	Notes:   `small: 10 members and one board; large: those that the flags say. A page is asked for over a connection that is kept, not compressed. watched: as many pages as --open says, of ten kinds, half of them of the same ranking, each read by a goroutine of the process.`,
}

func plan(_ context.Context, o *bench.Options, _ io.Writer) (cases []bench.Case, err error) {
	if err := bench.Choose("cases", o.Cases, caseNames); err != nil {
		return nil, err
	}
	if o.Callers < 1 || o.Sets < 0 {
		return nil, fmt.Errorf("--open is %d and --boards %d; want at least 1, and 0", o.Callers, o.Sets)
	}
	for _, name := range o.Cases {
		c := bench.Case{Name: name, Title: name, Systems: []string{small, large}, Turns: bench.Passes * len(shown)}
		if name == opened {
			c.Systems, c.Turns = []string{closed, watched}, bench.Passes
		}
		cases = append(cases, c)
	}
	return cases, nil
}

func tables(*bench.Result) []bench.Table {
	pages := bench.Table{Title: "pages", Head: []string{"median", "p99", "/small"}}
	for _, p := range shown {
		title := p.name
		for _, s := range []string{small, large} {
			row := bench.Row{Title: title, System: s}
			for _, m := range []figure.Metric{figure.P50, figure.P99} {
				row.Cells = append(row.Cells, bench.Cell{Ref: bench.Ref{Line: pageLine(p.name), System: s, Metric: m}})
			}
			if s == large {
				base := bench.Ref{Line: pageLine(p.name), System: small, Metric: figure.P50}
				row.Cells = append(row.Cells, bench.Cell{Ref: bench.Ref{Line: pageLine(p.name), System: s, Metric: figure.P50}, Over: &base})
			}
			pages.Rows, title = append(pages.Rows, row), ""
		}
	}
	open := bench.Table{Title: "submits while pages are open", Head: []string{"submits/s", "p99", "/none"}}
	for _, s := range []string{closed, watched} {
		row := bench.Row{Title: "Submit, with ranks", System: s, Cells: []bench.Cell{
			{Ref: bench.Ref{Line: submitLine, System: s, Metric: figure.Rate}}, {Ref: bench.Ref{Line: submitLine, System: s, Metric: figure.P99}}}}
		if s == watched {
			base := bench.Ref{Line: submitLine, System: closed, Metric: figure.Rate}
			row.Cells = append(row.Cells, bench.Cell{Ref: bench.Ref{Line: submitLine, System: s, Metric: figure.Rate}, Over: &base})
		}
		open.Rows = append(open.Rows, row)
	}
	return []bench.Table{pages, open}
}
