package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/fuzz/internal/campaigns"
)

func newPrint() *cobra.Command {
	var (
		seed   uint64
		lines  int
		config string
	)
	cmd := command("print", "Print the script of a seed",
		`Print the script that a seed makes for a configuration: the same each time, in this version of zrank. A campaign gives each of its
scripts a seed of its own, which a failure names.`,
		`  zrankfuzz print --seed 7 --config engine/sync --lines 20`,
		cobra.NoArgs, func(c *cobra.Command, _ []string) error {
			if lines <= 0 {
				return usagef("--lines must be above zero")
			}
			disk, err := newDiskDir()
			if err != nil {
				return err
			}
			defer disk.remove()
			configs, err := choose(disk.configs(), []string{config})
			if err != nil {
				return err
			}
			script := configs[0].Generate(seed, lines)
			about := fmt.Sprintf("Seed %d, %d lines.", seed, lines)
			_, err = fmt.Fprint(c.OutOrStdout(), campaigns.Saved{About: about, Configs: []string{configs[0].Name}, Script: script})
			return err
		})
	f := cmd.Flags()
	f.Uint64Var(&seed, "seed", 1, "seed of the script")
	f.IntVar(&lines, "lines", campaigns.DefaultLines, "operations")
	f.StringVar(&config, "config", "engine/sync", "the configuration; of a pattern or a layer the first")
	return cmd
}
