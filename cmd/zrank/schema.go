package main

import (
	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/internal/specschema"
)

func newSchema() *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON schema of spec files",
		Long: `Print the JSON schema of spec files, draft 2020-12. An editor completes and checks a spec file that names it: "$schema": "spec.schema.json".
It has each field with its meaning, default and bounds. What fields must be together is checked when a file is read.`,
		Example: `  zrank schema > spec.schema.json`,
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			_, err := c.OutOrStdout().Write(specschema.JSON)
			return err
		},
	}
}
