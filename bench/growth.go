package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/bench/internal/measure"
	"github.com/zrankdb/zrank/bench/internal/report"
)

// growing is what the flags of growth say.
type growing struct {
	lineup
	to size
}

const growthHelp = `Growth measures the operations that matter most, memory and collections, with 100
members, 1,000 and so on up to --to, and prints a column for each size.

It measures as compare does, in subprocesses that take turns. Up to a million it takes
some minutes; 1e7 takes an hour and several GB of memory.`

func newGrowth() *cobra.Command {
	g := growing{to: 1_000_000, lineup: lineup{names: []string{"counted", "tidwall", "map", "bytedance"}}}
	cmd := &cobra.Command{
		Use:   "growth",
		Short: "Measure zset and its peers as the board grows from 100 members to millions",
		Long:  growthHelp,
		Example: "  go run . growth\n" +
			"  go run . growth --to 1e7 --peers tidwall --json > raw.json\n" +
			"  go run . growth --to 1e5 --peers pebble,redis --workload zipf",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return g.run(cmd) },
	}
	cmd.Flags().Var(&g.to, "to", "the most members, up to 1e7")
	g.flags(cmd, "longest loop of one operation; builds take what they take")
	return cmd
}

func (g *growing) run(cmd *cobra.Command) (err error) {
	var all sizes
	for _, n := range report.GrowthSizes {
		if n <= int(g.to) {
			all = append(all, size(n))
		}
	}
	if largest := report.GrowthSizes[len(report.GrowthSizes)-1]; int(g.to) > largest {
		return fmt.Errorf("--to is %d; the most is %d", g.to, largest)
	}
	progress := cmd.ErrOrStderr()
	end, err := g.prepare(progress)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, end()) }()
	if g.load.N != 0 {
		return fmt.Errorf("--workload: %s has %d members and cannot grow; compare replays it", g.workload, g.load.N)
	}
	last := all[len(all)-1]
	s := g.newSheet(report.Growth, int(last), fmt.Sprintf("go run . growth --to %v", last))
	s.Load = fmt.Sprintf("%d to %d members of %d bytes, %s", all[0], last, g.load.MemberBytes, g.load.Name)
	err = each(cmd.Context(), &g.lineup, progress, g.tasks(all), flagCore, func(t task, seconds float64, found measure.Figures) {
		s.Samples = append(s.Samples, report.GrowthSamples(t.peer.Name, int(t.n), t.repetition, seconds, found)...)
	})
	if err != nil {
		return err
	}
	return g.print(cmd, s)
}

// newSheet begins a sheet; command is what was asked for, without the flags that all have.
func (l *lineup) newSheet(kind string, n int, command string) *report.Sheet {
	return &report.Sheet{Kind: kind, Machine: report.ThisMachine(), Rounds: l.repetitions, Seed: l.seed, N: n, Workload: l.load.Name,
		MemberBytes: l.load.MemberBytes, Command: l.again(command)}
}

// again is the command with the flags that all have.
func (l *lineup) again(command string) string {
	names, load := l.peerNames(), l.load.Name
	if l.load.N != 0 {
		load = "'" + load + "'" // a name of columns has what a shell takes for itself
	}
	if len(names) > 1 {
		command += " --peers " + strings.Join(names[1:], ",")
	}
	if l.repetitions != minRepetitions {
		command += fmt.Sprintf(" --repetitions %d", l.repetitions)
	}
	if l.seed != 1 {
		command += fmt.Sprintf(" --seed %d", l.seed)
	}
	return fmt.Sprintf("%s --workload %s --budget %v", command, load, l.budget)
}

func (l *lineup) print(cmd *cobra.Command, s *report.Sheet) error {
	if l.json {
		return s.WriteJSON(cmd.OutOrStdout())
	}
	return s.WriteTables(cmd.OutOrStdout())
}
