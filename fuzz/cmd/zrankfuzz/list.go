package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/fuzz/internal/machine"
	"github.com/zrankdb/zrank/fuzz/internal/script"
)

func newList() *cobra.Command {
	return command("list", "List the configurations and the operations",
		`List the configurations, each with what it does between the blocks of a script by itself, and the operations with their arguments.`,
		`  zrankfuzz list`,
		cobra.NoArgs, func(c *cobra.Command, _ []string) error {
			disk, err := newDiskDir()
			if err != nil {
				return err
			}
			defer disk.remove()
			writeConfigs(c.OutOrStdout(), disk.configs())
			writeOperations(c.OutOrStdout())
			return nil
		})
}

func writeConfigs(out io.Writer, configs []machine.Config) {
	t := newTable(out, 4, "configuration", "layer", "by itself, every so many blocks")
	for _, c := range configs {
		var rates []string
		for _, r := range c.Rates {
			rates = append(rates, fmt.Sprintf("%s every %d", r.Op, r.Every))
		}
		t.AppendRow([]any{c.Name, c.Layer, strings.Join(rates, ", ")})
	}
	t.Render()
}

func writeOperations(out io.Writer) {
	fmt.Fprintln(out)
	t := newTable(out, 4, "operation", "arguments", "")
	for _, op := range script.Operations() {
		t.AppendRow([]any{op.Name, op.Arguments, op.About})
	}
	t.Render()
}
