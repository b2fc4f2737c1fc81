package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/bench/internal/diff"
)

// difference is what the flags of diff say.
type difference struct {
	diff.Options
	failAbove percent
	json      bool
}

const diffHelp = `Diff compares two runs of the same command, from what its --json wrote: what got
worse, what got better, and where the repetitions cannot tell (~).

Each figure has one sample a repetition. Whether old and new samples differ is asked
of the Mann-Whitney U test, as benchstat does; p is the probability that samples of
the same thing come out so far apart. Three repetitions in each can never reach
p < 0.05: measure with --repetitions 6 (--rounds 6) or more.

A machine has good and bad days. --against PEER compares our figures divided by a
peer's of the same repetition, so that what the machine did to both cancels out.

With --fail-above 10% the exit status is 1 if one of our figures got worse, at p below
--alpha, by more than that.`

// newDiff is the command that compares two files of figures.
func newDiff() *cobra.Command {
	d := difference{failAbove: -1}
	cmd := &cobra.Command{
		Use:   "diff old.json new.json",
		Short: "Compare two runs of a command, with confidence",
		Long:  diffHelp,
		Example: "  go run . compare --n 1e5 --repetitions 6 --peers map --json > old.json\n" +
			"  git switch my-change && go run . compare --n 1e5 --repetitions 6 --peers map --json > new.json\n" +
			"  go run . diff old.json new.json\n" +
			"  go run . diff old.json new.json --against map --fail-above 10%",
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error { return d.run(cmd, args[0], args[1]) },
	}
	f := cmd.Flags()
	f.Float64Var(&d.Alpha, "alpha", 0.05, "the p below which a figure counts as changed")
	f.StringVar(&d.Against, "against", "", "compare our figures over this peer's")
	f.BoolVar(&d.All, "all", false, "show the peers' figures too")
	f.Var(&d.failAbove, "fail-above", "exit with 1 if one of our figures got worse by more than this, such as 10%")
	f.BoolVar(&d.json, "json", false, "print JSON instead of a table")
	return cmd
}

func (d *difference) run(cmd *cobra.Command, before, after string) error {
	if !(d.Alpha > 0 && d.Alpha < 1) {
		return fmt.Errorf("--alpha is %g; it must be above 0 and below 1", d.Alpha)
	}
	from, err := load(before)
	if err != nil {
		return err
	}
	to, err := load(after)
	if err != nil {
		return err
	}
	found, err := diff.Compare(from, to, d.Options)
	if err != nil {
		return fmt.Errorf("%s, %s: %w", before, after, err)
	}
	write := found.WriteText
	if d.json {
		write = found.WriteJSON
	}
	if err := write(cmd.OutOrStdout()); err != nil {
		return err
	}
	if d.failAbove < 0 {
		return nil
	}
	if rows := found.WorseBy(float64(d.failAbove)); len(rows) > 0 {
		return fmt.Errorf("%d figures got worse by more than %v, first of all %s", len(rows), &d.failAbove, rows[0].Title)
	}
	return nil
}

// percent is a flag such as 10%; negative if it was not given.
type percent float64

// String writes it as it is given.
func (p *percent) String() string {
	if *p < 0 {
		return ""
	}
	return strconv.FormatFloat(float64(*p), 'g', -1, 64) + "%"
}

// Set reads it.
func (p *percent) Set(s string) error {
	v, err := strconv.ParseFloat(strings.TrimSuffix(s, "%"), 64)
	if err != nil || !(v >= 0 && v < 1e6) {
		return fmt.Errorf("want per cent of 0 or more, such as 10%%, not %q", s)
	}
	*p = percent(v)
	return nil
}

// Type names it in the help.
func (p *percent) Type() string { return "percent" }
