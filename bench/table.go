package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/bench/internal/report"
)

const tableHelp = `Table prints again what the --json of another command wrote, as tables or as Markdown for a README.

The figures are the file's. The targets are this program's, held against them anew.`

// newTable is the command that prints a file of figures.
func newTable() *cobra.Command {
	markdown := false
	cmd := &cobra.Command{
		Use:     "table raw.json",
		Short:   "Print the tables of what was measured before",
		Long:    tableHelp,
		Example: "  go run . table raw.json\n  go run . table raw.json --markdown",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			rep, err := load(args[0])
			if err != nil {
				return err
			}
			if markdown {
				return rep.WriteMarkdown(cmd.OutOrStdout())
			}
			return rep.WriteTables(cmd.OutOrStdout())
		},
	}
	cmd.Flags().BoolVar(&markdown, "markdown", false, "print Markdown, of a comparison with the rows that zset loses apart")
	return cmd
}

func load(name string) (report.Document, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rep, err := report.Read(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return rep, nil
}
