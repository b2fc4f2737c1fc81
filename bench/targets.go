package main

import (
	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/bench/internal/report"
)

const targetsHelp = `Targets prints every target: the rows of the design's section 8, and what issues ask for
besides, each with the command that measures it. Files that --json of those commands
wrote say which are met and which are missed.`

// newTargets is the command that lists the targets.
func newTargets() *cobra.Command {
	return &cobra.Command{
		Use:   "targets [raw.json ...]",
		Short: "List the targets, who measures them, and which are met",
		Long:  targetsHelp,
		Example: "  go run . targets\n" +
			"  go run . targets results/*.json",
		RunE: func(cmd *cobra.Command, args []string) error {
			var docs []report.Document
			for _, name := range args {
				d, err := load(name)
				if err != nil {
					return err
				}
				docs = append(docs, d)
			}
			return report.WriteRows(cmd.OutOrStdout(), report.Rows(docs...))
		},
	}
}
