package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/bench/internal/measure"
	"github.com/zrankdb/zrank/bench/internal/report"
)

// single is what the flags of latency say.
type single struct {
	lineup
	n sizes
}

const latencyHelp = `Latency times single calls on a board of n members, and prints p50, p99, p99.9 and the
worst of each operation and peer. Collections run as they do in a program: 1 KiB of
garbage is made between the calls.

It is a closed loop, one caller after its own last call, so a stall counts once,
however many callers would have waited (coordinated omission); pauses has an open one.
What the clock itself takes is measured and printed beside: the times include it.`

func newLatency() *cobra.Command {
	s := single{n: sizes{1_000_000}}
	cmd := &cobra.Command{
		Use:   "latency",
		Short: "Measure percentiles of single calls on zset and its peers",
		Long:  latencyHelp,
		Example: "  go run . latency\n" +
			"  go run . latency --n 1e5 --peers tidwall,bytedance --workload zipf\n" +
			"  go run . latency --n 1e7 --peers tidwall --json > raw.json",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return s.run(cmd) },
	}
	cmd.Flags().Var(&s.n, "n", "number of members, from 100; a file has its own")
	s.flags(cmd, "longest loop of one operation; it ends after 250,000 calls too")
	return cmd
}

func (s *single) run(cmd *cobra.Command) (err error) {
	if len(s.n) != 1 {
		return fmt.Errorf("--n is %s; latency takes one size", s.n.String())
	}
	progress := cmd.ErrOrStderr()
	end, err := s.prepare(progress)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, end()) }()
	asked := ""
	if s.n, err = s.sizesOf(cmd, s.n); err != nil {
		return err
	}
	if s.load.N == 0 {
		asked = " --n " + s.n.String()
	}
	sheet := s.newSheet(report.Latency, int(s.n[0]), "go run . latency"+asked)
	sheet.Load = fmt.Sprintf("%s members of %d bytes, %s", s.n.String(), s.load.MemberBytes, s.load.Name)
	err = each(cmd.Context(), &s.lineup, progress, s.tasks(s.n), flagSingle, func(t task, seconds float64, found map[string]measure.Calls) {
		for _, line := range slices.Sorted(maps.Keys(found)) {
			x := report.Sample{Line: line, System: t.peer.Name, Round: t.repetition, Seconds: seconds,
				Figures: found[line].Figures, Points: found[line].Points}
			if line == measure.LineClock {
				x.System = line
			}
			if line != measure.LineClock || t.peer.Name == s.peers[0].Name {
				sheet.Samples = append(sheet.Samples, x)
			}
		}
	})
	if err != nil {
		return err
	}
	return s.print(cmd, sheet)
}
