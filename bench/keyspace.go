package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/bench/internal/keyspace"
	"github.com/zrankdb/zrank/bench/internal/report"
)

// keyspaces is what the flags of keyspace say.
type keyspaces struct {
	rounds
}

const keyspaceHelp = `Keyspace makes n small sets, of 20 members each, and measures how long that takes, how
many bytes of memory a set takes and how many of them are neither its key nor its entries,
how long it takes to open them again, and to touch a set for the first time. Peers are
a map of bytedance's sorted sets, and a redis-server where there is one in the path.

A million sets of bytedance's want about 5 GB of memory.`

func newKeyspace() *cobra.Command {
	var k keyspaces
	cmd := k.command("keyspace", "Measure a million small sets beside bytedance and Redis", keyspaceHelp,
		"  go run . keyspace\n"+
			"  go run . keyspace --n 1e5 --json > raw.json", func(cmd *cobra.Command) error {
			s := &report.Sheet{Kind: report.Keyspace, N: int(k.n), Command: fmt.Sprintf("go run . keyspace --n %v", k.n),
				Load: fmt.Sprintf("%v sets of %d members of 8 to 16 bytes", k.n.String(), keyspace.Members)}
			return k.sheet(cmd, s, k.measure)
		})
	k.counts(cmd, 1_000_000, "number of `sets`")
	return cmd
}

// measure makes the rounds.
func (k *keyspaces) measure(ctx context.Context, progress io.Writer, dir string, s *report.Sheet) error {
	server, err := findRedis(progress)
	if err != nil {
		return err
	}
	systems := keyspace.Systems
	if server == "" {
		systems = systems[:len(systems)-1]
	}
	p := progression{w: progress, of: k.count * len(systems)}
	for round := range k.count {
		for i := range systems {
			system := systems[(i+round)%len(systems)]
			p.start(fmt.Sprintf("round %d of %d: %s", round+1, k.count, system))
			x, err := k.sample(ctx, dir, keyspace.Options{System: system, Server: server}, round)
			p.end(err)
			if err != nil {
				return err
			}
			s.Samples = append(s.Samples, x)
		}
	}
	return nil
}

// sample fills a system, and opens it again.
func (k *keyspaces) sample(ctx context.Context, dir string, o keyspace.Options, round int) (x report.Sample, err error) {
	x = report.Sample{Line: report.LineSets, System: o.System, Round: round}
	if o.Dir, err = os.MkdirTemp(dir, "sets-"); err != nil {
		return x, err
	}
	defer os.RemoveAll(o.Dir)
	o.N, o.Seed = int(k.n), k.seed+uint64(round)
	f, took, err := order{Keyspace: &o}.figures(ctx)
	x.Figures, x.Seconds = f, took.Seconds()
	if err != nil || !keyspace.Opens(o.System) {
		return x, err
	}
	o.Open = true
	f, took, err = order{Keyspace: &o}.figures(ctx)
	maps.Copy(x.Figures, f)
	x.Seconds += took.Seconds()
	return x, err
}
