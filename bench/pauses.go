package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/bench/internal/durable"
	"github.com/zrankdb/zrank/bench/internal/figure"
	"github.com/zrankdb/zrank/bench/internal/pauses"
	"github.com/zrankdb/zrank/bench/internal/report"
)

// stops is what the flags of pauses say.
type stops struct {
	rounds
	long time.Duration
}

const pausesHelp = `Pauses measures what writers wait for, to a very big set and to others, while something
is done to the big set: nothing, for comparison; its first snapshot, which writes every
page; its deletion; its union with a small one, stored. 64 writers come at fixed times, 4,000 calls a second in all, and a call's time counts
from when it was due.

Every figure is of a fresh process. Ten million members want about 1 GB of memory and 1 GB of disk.`

func newPauses() *cobra.Command {
	var p stops
	cmd := p.command("pauses", "Measure writers while a big set is snapshotted, deleted, united", pausesHelp,
		"  go run . pauses\n"+
			"  go run . pauses --n 1e6 --rounds 5 --json > raw.json", p.run)
	p.counts(cmd, 10_000_000, "number of members in the big set")
	cmd.Flags().DurationVar(&p.long, "for", time.Second, "how long calls count after what was done")
	return cmd
}

func (p *stops) run(cmd *cobra.Command) error {
	if p.long <= 0 {
		return fmt.Errorf("--for is %v; it must be positive", p.long)
	}
	s := &report.Sheet{Kind: report.Pauses, N: int(p.n), Command: fmt.Sprintf("go run . pauses --n %v --for %v", p.n, p.long)}
	return p.sheet(cmd, s, p.measure)
}

// measure makes the rounds.
func (p *stops) measure(ctx context.Context, progress io.Writer, dir string, s *report.Sheet) error {
	var list []pauses.Options
	for _, level := range pauses.Levels {
		for _, e := range pauses.Events {
			list = append(list, pauses.Options{Event: e.Name, Level: level.String(), N: int(p.n), After: p.long})
		}
	}
	pr := progression{w: progress, of: p.count * len(list)}
	for round := range p.count {
		for i := range list {
			o := list[(i+round)%len(list)]
			pr.start(fmt.Sprintf("round %d of %d: %s, %s", round+1, p.count, o.Event, o.Level))
			found, err := p.samples(ctx, dir, o, round)
			pr.end(err)
			if err != nil {
				return err
			}
			s.Samples = append(s.Samples, found...)
		}
	}
	return nil
}

// samples has one event happen, in a directory of its own.
func (p *stops) samples(ctx context.Context, dir string, o pauses.Options, round int) ([]report.Sample, error) {
	own, err := os.MkdirTemp(dir, "run-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(own)
	o.Dir, o.Seed = own, p.seed+uint64(round)
	var lines figure.Lines
	took, err := order{Pauses: &o}.answer(ctx, &lines)
	return samples(lines, durable.Zrank, round, took), err
}
