package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/bench/internal/measure"
	"github.com/zrankdb/zrank/bench/internal/report"
)

// comparison is what the flags of compare say.
type comparison struct {
	lineup
	sizes sizes
}

const compareHelp = `Compare builds a board of n members in zset and in every peer, measures the same
operations on each, and prints medians, ratios and the targets of the design, for
each n. --workload says which members and scores the operations take; the targets are
stated for uniform.

Each peer runs in a subprocess of its own, the peers take turns, and all get the
same load. First every peer is compared with a model; a wrong answer ends it.

A quiet machine matters more than many repetitions. Look at the spreads before
you believe a ratio. With n = 1e7 one run of one peer takes minutes, so that three
repetitions of all can take hours, and the fattest peers take several GiB.
What was measured before an interruption is lost.`

func newCompare() *cobra.Command {
	c := comparison{sizes: sizes{1_000_000}}
	cmd := &cobra.Command{
		Use:   "compare",
		Short: "Measure zset and its peers side by side",
		Long:  compareHelp,
		Example: "  go run . compare --n 1e6\n" +
			"  go run . compare --n 1e3,1e5,1e6\n" +
			"  go run . compare --n 1e5 --peers tidwall,map --repetitions 5\n" +
			"  go run . compare --workload hottail\n" +
			"  go run . compare --workload ../../shared/data/goals/goals.csv.gz\n" +
			"  go run . compare --n 1e6 --json > raw.json",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return c.run(cmd) },
	}
	cmd.Flags().Var(&c.sizes, "n", "number of members, from 100, or several with commas; a file has its own")
	c.flags(cmd, "longest loop of one operation; builds take what they take")
	return cmd
}

func (c *comparison) run(cmd *cobra.Command) (err error) {
	progress := cmd.ErrOrStderr()
	end, err := c.prepare(progress)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, end()) }()
	if c.sizes, err = c.sizesOf(cmd, c.sizes); err != nil {
		return err
	}
	rep := c.newReport() // now: it tells the load of the machine without ours
	runs := map[size][]report.Run{}
	err = each(cmd.Context(), &c.lineup, progress, c.tasks(c.sizes), "", func(t task, seconds float64, found measure.Figures) {
		runs[t.n] = append(runs[t.n], report.Run{Peer: t.peer.Name, Repetition: t.repetition, Seconds: seconds, Figures: found})
	})
	if err != nil {
		return err
	}
	for _, n := range c.sizes {
		rep.Sizes = append(rep.Sizes, report.NewSize(int(n), runs[n]))
	}
	if c.json {
		return rep.WriteJSON(cmd.OutOrStdout())
	}
	return rep.WriteTables(cmd.OutOrStdout())
}

// sizesOf returns the sizes that --n names, or that of the file which is replayed.
func (l *lineup) sizesOf(cmd *cobra.Command, asked sizes) (sizes, error) {
	if l.load.N == 0 {
		return asked, nil
	}
	if cmd.Flags().Changed("n") {
		return nil, fmt.Errorf("--n is %s, but the file that --workload names has %d members; leave it out", asked.String(), l.load.N)
	}
	return sizes{size(l.load.N)}, nil
}

func (c *comparison) newReport() *report.Report {
	command := "go run . compare"
	if c.load.N == 0 {
		command += " --n " + c.sizes.String()
	}
	return &report.Report{
		Command: c.again(command),
		Machine: report.ThisMachine(), Repetitions: c.repetitions, Seed: c.seed, MemberBytes: c.load.MemberBytes,
		Workload: c.load.Name, Peers: c.peerNames(),
	}
}

func (l *lineup) peerNames() (names []string) {
	for _, p := range l.peers {
		names = append(names, p.Name)
	}
	return slices.Clip(names)
}
