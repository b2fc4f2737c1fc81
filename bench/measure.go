package main

import (
	"encoding/json"
	"time"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/bench/internal/measure"
	"github.com/zrankdb/zrank/bench/internal/peers"
)

// newMeasure is the command that compare starts in a subprocess.
func newMeasure() *cobra.Command {
	var name string
	var n size
	var o measure.Options
	cmd := &cobra.Command{
		Use:    "measure",
		Short:  "Measure one peer in this process and print its figures as JSON",
		Args:   cobra.NoArgs,
		Hidden: true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			p, err := peers.Named(name)
			if err != nil {
				return err
			}
			o.N = int(n)
			return json.NewEncoder(cmd.OutOrStdout()).Encode(measure.Run(p, o))
		},
	}
	cmd.Flags().StringVar(&name, "peer", "zset", "the peer")
	cmd.Flags().Var(&n, "n", "number of members")
	cmd.Flags().Uint64Var(&o.Seed, "seed", 1, "seed of the load")
	cmd.Flags().DurationVar(&o.Budget, "budget", time.Second, "longest loop of one operation")
	cobra.CheckErr(cmd.MarkFlagRequired("n"))
	return cmd
}
