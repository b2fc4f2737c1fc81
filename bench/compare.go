package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/bench/internal/peers"
	"github.com/zrankdb/zrank/bench/internal/report"
	"github.com/zrankdb/zrank/bench/internal/workload"
)

// minRepetitions is how many it takes to have a median and a spread.
const minRepetitions = 3

// comparison is what the flags of compare say.
type comparison struct {
	sizes       sizes
	repetitions int
	names       []string
	seed        uint64
	budget      time.Duration
	json        bool
}

const compareHelp = `Compare builds a board of n members in zset and in every peer, measures the same
operations on each, and prints medians, ratios and the targets of the design, for
each n.

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
			"  go run . compare --n 1e6 --json > raw.json",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return c.run(cmd) },
	}
	f := cmd.Flags()
	f.Var(&c.sizes, "n", "number of members, from 1000, or several with commas")
	f.IntVar(&c.repetitions, "repetitions", minRepetitions, "runs of each peer, 3 or more")
	f.StringSliceVar(&c.names, "peers", nil, "peers besides zset: "+strings.Join(peers.Names()[1:], ", ")+" (default all)")
	f.Uint64Var(&c.seed, "seed", 1, "seed of the first repetition's load; the next ones count on")
	f.DurationVar(&c.budget, "budget", time.Second, "longest loop of one operation; builds take what they take")
	f.BoolVar(&c.json, "json", false, "print every raw figure as JSON instead of tables")
	return cmd
}

func (c *comparison) run(cmd *cobra.Command) error {
	if c.repetitions < minRepetitions {
		return fmt.Errorf("--repetitions is %d; a median and a spread need %d or more", c.repetitions, minRepetitions)
	}
	if c.budget <= 0 {
		return fmt.Errorf("--budget is %v; it must be positive", c.budget)
	}
	chosen, err := peers.Select(c.names)
	if err != nil {
		return err
	}
	progress := cmd.ErrOrStderr()
	if err := gate(progress, chosen); err != nil {
		return err
	}
	rep := c.newReport(chosen) // now: it tells the load of the machine without ours
	runs, err := c.runs(cmd.Context(), progress, c.tasks(chosen))
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

// gate compares every peer with the model.
func gate(progress io.Writer, chosen []peers.Peer) error {
	for _, p := range chosen {
		if err := peers.Check(p); err != nil {
			return err
		}
	}
	fmt.Fprintf(progress, "%d peers agree with the model\n", len(chosen))
	return nil
}

func (c *comparison) newReport(chosen []peers.Peer) *report.Report {
	rep := &report.Report{
		Machine: report.ThisMachine(), Repetitions: c.repetitions, Seed: c.seed, MemberBytes: workload.MemberLen,
	}
	for _, p := range chosen {
		rep.Peers = append(rep.Peers, p.Name)
	}
	return rep
}
