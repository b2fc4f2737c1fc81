package flags

import (
	"cmp"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/cmd/zrank/internal/show"
)

// Error is a mistake in how a command was called. The process exits with 2.
type Error struct{ error }

// Errorf returns an Error with a text.
func Errorf(format string, args ...any) error { return Error{fmt.Errorf(format, args...)} }

const defaultDir = "zrank-data"

// DirEnv is the environment variable in place of --dir.
const DirEnv = "ZRANK_DIR"

// Dir adds --dir.
func Dir(c *cobra.Command, dir *string) {
	c.Flags().StringVar(dir, "dir", cmp.Or(os.Getenv(DirEnv), defaultDir), "data directory; or "+DirEnv)
}

// Format adds --format.
func Format(c *cobra.Command, format *string) {
	c.Flags().StringVar(format, "format", "table", "how to write results: table, csv or json (one object a line)")
}

// ParseFormat parses --format. Errors: an Error that lists the choices.
func ParseFormat(text string) (show.Format, error) {
	f, err := show.ParseFormat(text)
	if err != nil {
		return f, Wrong(err)
	}
	return f, nil
}

// Ranks adds --ranks.
func Ranks(c *cobra.Command, ranks *string) {
	c.Flags().StringVar(ranks, "ranks", "ordinal", "ranks of equal scores: ordinal (1 2 3 4), competition (1 2 2 4), modified (1 3 3 4) or dense (1 2 2 3)")
}

// ParseRanks parses --ranks. Errors: an Error that lists the choices.
func ParseRanks(text string) (board.Mode, error) {
	m, err := board.ParseMode(text)
	if err != nil {
		return m, Errorf("--ranks is %q, want ordinal, competition, modified or dense", text)
	}
	return m, nil
}

// Wrong wraps an error in an Error; nil stays nil.
func Wrong(err error) error {
	if err != nil {
		err = Error{err}
	}
	return err
}
