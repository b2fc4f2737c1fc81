package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/cmd/zrank/internal/show"
	"github.com/zrankdb/zrank/engine/board"
)

// usageError is a mistake in how the command was called. The process exits with exitUsage.
type usageError struct{ error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

const defaultDir = "zrank-data"

// dirFlag adds --dir.
func dirFlag(c *cobra.Command, dir *string) {
	c.Flags().StringVar(dir, "dir", defaultDir, "data directory")
}

// formatFlag adds --format.
func formatFlag(c *cobra.Command, format *string) {
	c.Flags().StringVar(format, "format", "table", "how to write results: table, csv or json (one object a line)")
}

// parseFormat reads --format.
func parseFormat(text string) (show.Format, error) {
	f, err := show.ParseFormat(text)
	if err != nil {
		return f, wrongCall(err)
	}
	return f, nil
}

// ranksFlag adds --ranks.
func ranksFlag(c *cobra.Command, ranks *string) {
	c.Flags().StringVar(ranks, "ranks", "ordinal", "ranks of equal scores: ordinal (1 2 3 4), competition (1 2 2 4), modified (1 3 3 4) or dense (1 2 2 3)")
}

// parseRanks reads --ranks.
func parseRanks(text string) (board.Mode, error) {
	m, err := board.ParseMode(text)
	if err != nil {
		return m, usagef("--ranks is %q, want ordinal, competition, modified or dense", text)
	}
	return m, nil
}

// wrongCall makes an error one of how the command was called; nil stays nil.
func wrongCall(err error) error {
	if err != nil {
		err = usageError{err}
	}
	return err
}
