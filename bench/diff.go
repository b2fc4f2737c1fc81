package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/bench/internal/diff"
	"github.com/zrankdb/zrank/bench/internal/workload"
)

// newDiff is the command that compares two files of figures.
func newDiff() *cobra.Command {
	var o diff.Options
	failAbove := ""
	cmd := &cobra.Command{
		Use:   "diff old.json new.json",
		Short: "Compare two runs of a command, with confidence",
		Long: `Diff compares two runs of the same command, from what its --json wrote: what got worse, what got better, and where the rounds cannot
tell (~).

Each figure has one sample a round. The Mann-Whitney U test says whether old and new samples differ, as in benchstat; p is the
probability that samples of the same thing come out so far apart. Three rounds in each can never reach p < 0.05: measure with --rounds 6
or more.

A machine has good and bad days. --against PEER compares our figures divided by a peer's of the same round, so that what the machine did
to both cancels out. With --fail-above 10% the exit status is 1 if one of our figures got worse, at p below --alpha, by more than that.`,
		Example: "  go run . compare --n 1e5 --rounds 6 --peers map --json > old.json\n" +
			"  git switch my-change && go run . compare --n 1e5 --rounds 6 --peers map --json > new.json\n" +
			"  go run . diff old.json new.json\n  go run . diff old.json new.json --against map --fail-above 10%",
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !(o.Alpha > 0 && o.Alpha < 1) {
				return fmt.Errorf("--alpha is %g; it must be above 0 and below 1", o.Alpha)
			}
			limit, err := strconv.ParseFloat(strings.TrimSuffix(failAbove, "%"), 64)
			if failAbove != "" && (err != nil || !(limit >= 0)) {
				return fmt.Errorf("--fail-above: want per cent of 0 or more, such as 10%%, not %q", failAbove)
			}
			results, err := load(args...)
			if err != nil {
				return err
			}
			d, err := diff.Compare(results[0], results[1], o)
			if err != nil {
				return fmt.Errorf("%s, %s: %w", args[0], args[1], err)
			}
			if err := d.WriteText(cmd.OutOrStdout()); err != nil || failAbove == "" {
				return err
			}
			if rows := d.WorseBy(limit); len(rows) > 0 {
				return fmt.Errorf("%d figures got worse by more than %g%%, first of all %s", len(rows), limit, rows[0].Title)
			}
			return nil
		},
	}
	f := cmd.Flags()
	f.Float64Var(&o.Alpha, "alpha", 0.05, "the p below which a figure counts as changed")
	f.StringVar(&o.Against, "against", "", "compare our figures over this peer's")
	f.StringVar(&failAbove, "fail-above", "", "exit with 1 if one of our figures got worse by more than this, such as 10%")
	return cmd
}

// newWorkloads is the command that lists them.
func newWorkloads() *cobra.Command {
	return &cobra.Command{
		Use:     "workloads",
		Short:   "List the workloads: what they do, and which real traffic they represent",
		Long:    "Workloads lists the values of --workload of compare, growth and latency: each with the traffic it represents, and the source of its\nnumbers.",
		Example: "  go run . workloads\n  go run . compare --n 1e5 --workload hottail",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			for _, w := range append(workload.All[:len(workload.All):len(workload.All)], workload.ReplayHelp) {
				if _, err := fmt.Fprintf(cmd.OutOrStdout(), "%s: %s\n%s\n\n", w.Name, w.What, text.WrapSoft(w.Provenance, 96)); err != nil {
					return err
				}
			}
			return nil
		},
	}
}
