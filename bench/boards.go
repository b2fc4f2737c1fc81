package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/bench/internal/boards"
	"github.com/zrankdb/zrank/bench/internal/periods"
	"github.com/zrankdb/zrank/bench/internal/report"
)

// leaderboards is what the flags of boards say.
type leaderboards struct {
	rounds
	long  time.Duration
	after time.Duration
	names []string
	peers []string // systems
}

// endings is what --cases calls the stages of package periods.
const endings = "periods"

const boardsHelp = `Boards measures a leaderboard of three windows, all time, day and week: submissions a
second and cards a second, beside three sets by hand: this engine's, bytedance's in memory,
and those of a redis-server over loopback, where there is one in the path. Then the memory
of a player in a window, live and closed, the time to close a day, and what submitters wait
for meanwhile.

The systems take many short turns in each round, the others stopped. A ratio is taken
within each round. A million players want about 4 GB of memory.`

func newBoards() *cobra.Command {
	var l leaderboards
	cmd := l.command("boards", "Measure a leaderboard beside three sets by hand", boardsHelp,
		"  go run . boards\n"+
			"  go run . boards --n 1e5 --cases memory,periods\n"+
			"  go run . boards --json > raw.json", l.run)
	l.counts(cmd, 1_000_000, "number of players")
	cmd.Flags().DurationVar(&l.long, "for", time.Second, "how long the calls of each figure are counted in a round")
	cmd.Flags().DurationVar(&l.after, "after", time.Second, "how long submissions count after a period was closed")
	cmd.Flags().StringSliceVar(&l.names, "cases", boardCases(), "what to measure")
	cmd.Flags().StringSliceVar(&l.peers, "systems", boards.Levels[0].Systems, "which systems submit, zrank beside them")
	return cmd
}

func boardCases() (names []string) {
	for _, l := range boards.Levels {
		names = append(names, l.Name)
	}
	return append(names, endings)
}

func (l *leaderboards) run(cmd *cobra.Command) error {
	for flag, d := range map[string]time.Duration{"--for": l.long, "--after": l.after} {
		if d <= 0 {
			return fmt.Errorf("%s is %v; it must be positive", flag, d)
		}
	}
	for _, name := range l.names {
		if !slices.Contains(boardCases(), name) {
			return fmt.Errorf("--cases: no case %q; there are %s", name, strings.Join(boardCases(), ", "))
		}
	}
	for _, system := range l.peers {
		if !slices.Contains(boards.Levels[0].Systems, system) {
			return fmt.Errorf("--systems: no system %q; there are %s", system, strings.Join(boards.Levels[0].Systems, ", "))
		}
	}
	s := &report.Sheet{Kind: report.Boards, N: int(l.n), Load: fmt.Sprintf("%v players of 20 bytes in each of 3 windows", l.n.String()),
		Command: fmt.Sprintf("go run . boards --n %v --for %v --after %v", l.n, l.long, l.after)}
	if cmd.Flags().Changed("cases") {
		s.Command += " --cases " + strings.Join(l.names, ",")
	}
	if cmd.Flags().Changed("systems") {
		s.Command += " --systems " + strings.Join(l.peers, ",")
	}
	return l.sheet(cmd, s, l.measure)
}

// measure makes the rounds.
func (l *leaderboards) measure(ctx context.Context, progress io.Writer, dir string, s *report.Sheet) error {
	server, err := findRedis(progress)
	if err != nil {
		return err
	}
	p := progression{w: progress, of: l.count * l.parts()}
	for round := range l.count {
		for i := range l.names {
			name := l.names[(i+round)%len(l.names)]
			if name == endings {
				err = l.endings(ctx, &p, dir, round, s)
			} else {
				err = l.callers(ctx, &p, dir, name, server, round, s)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// parts is how many runs a round has.
func (l *leaderboards) parts() (n int) {
	for _, name := range l.names {
		if n++; name == endings {
			n += len(periods.Stages()) - 1
		}
	}
	return n
}

// callers has the systems of a level take turns, those that are wanted.
func (l *leaderboards) callers(ctx context.Context, p *progression, dir, name, server string, round int, s *report.Sheet) error {
	level, err := boards.LevelNamed(name)
	if err != nil {
		return err
	}
	p.start(fmt.Sprintf("round %d of %d: %s", round+1, l.count, level.Title))
	found, err := game{systems: l.wanted(level, server), turns: level.Turns(), order: func(system, dir string) order {
		return order{Boards: &boards.Options{
			Level: name, System: system, Dir: dir, Server: server, N: int(l.n), Seed: l.seed + uint64(round), For: l.long,
		}}
	}}.play(ctx, dir, round)
	p.end(err)
	s.Samples = append(s.Samples, found...)
	return err
}

// wanted returns the systems of a level that are to be measured, without Redis if there is no server.
func (l *leaderboards) wanted(level boards.Level, server string) []string {
	return slices.DeleteFunc(slices.Clone(level.Systems), func(system string) bool {
		return system != boards.Zrank && !slices.Contains(l.peers, system) || server == "" && boards.OfRedis(system)
	})
}

// endings makes the stages of package periods.
func (l *leaderboards) endings(ctx context.Context, p *progression, dir string, round int, s *report.Sheet) error {
	for _, stage := range periods.Stages() {
		p.start(fmt.Sprintf("round %d of %d: periods, %s", round+1, l.count, stage))
		x, err := l.ending(ctx, dir, stage, round)
		p.end(err)
		if err != nil {
			return err
		}
		s.Samples = append(s.Samples, x)
	}
	return nil
}

// ending makes one of them, in a directory of its own.
func (l *leaderboards) ending(ctx context.Context, dir, stage string, round int) (x report.Sample, err error) {
	x = report.Sample{Line: stage, System: boards.Zrank, Round: round}
	own, err := os.MkdirTemp(dir, "run-")
	if err != nil {
		return x, err
	}
	defer os.RemoveAll(own)
	o := order{Periods: &periods.Options{Stage: stage, Dir: own, N: int(l.n), Seed: l.seed + uint64(round), After: l.after}}
	var took time.Duration
	x.Figures, took, err = o.figures(ctx)
	x.Seconds = took.Seconds()
	return x, err
}
