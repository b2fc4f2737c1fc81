package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/bench/internal/report"
	"github.com/zrankdb/zrank/bench/internal/traffic"
)

// engines is what the flags of engine say.
type engines struct {
	rounds
	sets  int
	long  time.Duration
	names []string
}

const engineHelp = `Engine measures goroutines that read and write sets at once: 1, 2, 4 and 8 of them,
half of the calls writes and one in twenty, on one hot set and on many small ones, in
memory, at Interval and at Sync. Peers are bytedance's sorted set with its lock, in
memory, and a redis-server over loopback, one command at a time and 16, where there is
one in the path.

Each system runs in a subprocess, and the systems of a row take many short turns in
each round, the others stopped. A ratio is taken within each round.`

func newEngine() *cobra.Command {
	var e engines
	cmd := e.command("engine", "Measure calls/s of many goroutines beside bytedance and Redis", engineHelp,
		"  go run . engine\n"+
			"  go run . engine --cases hot/memory,many/memory --for 3s\n"+
			"  go run . engine --dir /mnt/nvme --json > raw.json", e.run)
	e.counts(cmd, 100_000, "number of members in the hot set")
	cmd.Flags().IntVar(&e.sets, "sets", 10_000, "number of small sets, of 20 members each")
	cmd.Flags().DurationVar(&e.long, "for", time.Second, "how long the calls of each figure are counted in a round")
	cmd.Flags().StringSliceVar(&e.names, "cases", caseNames(), "what to measure")
	return cmd
}

func caseNames() (names []string) {
	for _, c := range traffic.Cases {
		names = append(names, c.Name)
	}
	return names
}

func (e *engines) run(cmd *cobra.Command) error {
	if e.long <= 0 {
		return fmt.Errorf("--for is %v; it must be positive", e.long)
	}
	if e.sets <= 0 {
		return fmt.Errorf("--sets is %d; it must be positive", e.sets)
	}
	for _, name := range e.names {
		if _, err := traffic.Named(name); err != nil {
			return fmt.Errorf("--cases: %w; there are %s", err, strings.Join(caseNames(), ", "))
		}
	}
	s := &report.Sheet{Kind: report.Engine, N: int(e.n),
		Load:    fmt.Sprintf("%v members of 20 bytes in the one set, 20 in each of %d sets", e.n.String(), e.sets),
		Command: fmt.Sprintf("go run . engine --n %v --sets %d --for %v", e.n, e.sets, e.long)}
	if cmd.Flags().Changed("cases") {
		s.Command += " --cases " + strings.Join(e.names, ",")
	}
	return e.sheet(cmd, s, e.measure)
}

// measure makes the rounds.
func (e *engines) measure(ctx context.Context, progress io.Writer, dir string, s *report.Sheet) error {
	server, err := findRedis(progress)
	if err != nil {
		return err
	}
	p := progression{w: progress, of: e.count * len(e.names)}
	for round := range e.count {
		for i := range e.names {
			c, err := traffic.Named(e.names[(i+round)%len(e.names)])
			if err != nil {
				return err
			}
			p.start(fmt.Sprintf("round %d of %d: %s", round+1, e.count, c.Describe()))
			samples, err := e.game(c, round, server).play(ctx, dir, round)
			p.end(err)
			if err != nil {
				return err
			}
			s.Samples = append(s.Samples, samples...)
		}
	}
	return nil
}

// game is a case, without Redis if there is no server.
func (e *engines) game(c traffic.Case, round int, server string) game {
	systems := slices.DeleteFunc(slices.Clone(c.Systems), func(system string) bool { return server == "" && traffic.OfRedis(system) })
	return game{systems: systems, turns: traffic.Turns, order: func(system, dir string) order {
		return order{Traffic: &traffic.Options{
			Case: c.Name, System: system, Dir: dir, Server: server, N: int(e.n), Sets: e.sets, Seed: e.seed + uint64(round), For: e.long,
		}}
	}}
}
