package main

import (
	"encoding/json"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/bench/internal/measure"
	"github.com/zrankdb/zrank/bench/internal/peers"
	"github.com/zrankdb/zrank/bench/internal/workload"
)

// The flags of measure that say what to measure; without them it is everything.
const flagCore, flagSingle = "--core", "--single"

// newMeasure is the command that compare, growth and latency start in a subprocess.
func newMeasure() *cobra.Command {
	var name, load string
	var n size
	var single bool
	var o measure.Options
	cmd := &cobra.Command{
		Use:    "measure",
		Short:  "Measure one peer in this process and print its figures as JSON",
		Args:   cobra.NoArgs,
		Hidden: true,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			var loadErr error
			o.Peer, err = peers.Named(name)
			o.Workload, loadErr = workload.Find(load)
			if err = errors.Join(err, loadErr); err != nil {
				return err
			}
			o.N = int(n)
			var found any
			if single {
				found, err = measure.Single(o)
			} else {
				found, err = measure.Run(o)
			}
			if err != nil {
				return err
			}
			return json.NewEncoder(cmd.OutOrStdout()).Encode(found)
		},
	}
	f := cmd.Flags()
	f.StringVar(&name, "peer", "zset", "the peer")
	f.Var(&n, "n", "number of members")
	f.StringVar(&load, "workload", workload.Uniform, "what is done")
	f.Uint64Var(&o.Seed, "seed", 1, "seed of the load")
	f.DurationVar(&o.Budget, "budget", time.Second, "longest loop of one operation")
	f.StringVar(&o.Dir, "dir", "", "an empty directory")
	f.BoolVar(&o.Core, flagCore[2:], false, "only what a growth is shown by")
	f.BoolVar(&single, flagSingle[2:], false, "times of single calls")
	cobra.CheckErr(cmd.MarkFlagRequired("n"))
	return cmd
}
