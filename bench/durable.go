package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/bench/internal/durable"
	"github.com/zrankdb/zrank/bench/internal/report"
)

// durability is what the flags of durable say.
type durability struct {
	rounds
	long time.Duration
}

const durableHelp = `Durable measures an engine on the disk: updates from 1, 16 and 256 callers who wait
for it, 256 updates in one commit, and updates that are flushed behind the caller's
back; beside Pebble alone with the same callers, and beside the engine without a disk.

It says what the disk is and how long a flush takes. Everything at Sync hangs on that.
Each system runs in a subprocess and a new directory of its own, and the systems of a
row take many short turns in each round. A ratio is taken within each round.`

func newDurable() *cobra.Command {
	var d durability
	cmd := d.command("durable", "Measure commits on the disk beside Pebble alone", durableHelp, "  go run . durable\n"+
		"  go run . durable --dir /mnt/nvme --for 5s --rounds 5\n"+
		"  go run . durable --json > raw.json", d.run)
	cmd.Flags().DurationVar(&d.long, "for", 2*time.Second, "how long the calls of a run are counted, and then timed")
	return cmd
}

func (d *durability) run(cmd *cobra.Command) error {
	if d.long <= 0 {
		return fmt.Errorf("--for is %v; it must be positive", d.long)
	}
	s := &report.Sheet{Kind: report.Durable, N: int(d.n), Command: fmt.Sprintf("go run . durable --n %v --for %v", d.n, d.long)}
	return d.sheet(cmd, s, d.measure)
}

// measure makes the rounds.
func (d *durability) measure(ctx context.Context, progress io.Writer, dir string, s *report.Sheet) error {
	p := progression{w: progress, of: d.count * len(durable.Cases)}
	for round := range d.count {
		for i := range durable.Cases {
			c := durable.Cases[(i+round)%len(durable.Cases)]
			p.start(fmt.Sprintf("round %d of %d: %s", round+1, d.count, c.Title))
			samples, err := d.game(c, round).play(ctx, dir, round)
			p.end(err)
			if err != nil {
				return err
			}
			s.Samples = append(s.Samples, samples...)
		}
	}
	return nil
}

// game is a case.
func (d *durability) game(c durable.Case, round int) game {
	return game{systems: c.Systems, turns: durable.Turns, order: func(system, dir string) order {
		return order{Durable: &durable.Options{
			Case: c.Name, System: system, Dir: dir, N: int(d.n), Seed: d.seed + uint64(round), For: d.long,
		}}
	}}
}
