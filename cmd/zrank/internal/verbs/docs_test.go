package verbs

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"
)

var rewrite = flag.Bool("write", false, "store the table of docs/cli.md")

// TestDocs: docs/cli.md has the commands as they are. Make it with go test ./cmd/zrank/internal/verbs -run TestDocs -args -write.
func TestDocs(t *testing.T) {
	const name, header = "../../../../docs/cli.md", "| command of one operation | what it does | flags |\n"
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	head, rest, ok := strings.Cut(string(text), header)
	require.True(t, ok)
	_, tail, ok := strings.Cut(rest, "\n\n")
	require.True(t, ok)
	got := head + header + "|---|---|---|\n" + rowsOf(slices.Concat(Rankings(), []*cobra.Command{Claim(), League()}, Moderation(), Audit(), groupsAndBoards())...) + "\n" + tail
	if *rewrite {
		require.NoError(t, os.WriteFile(name, []byte(got), 0o644))
		return
	}
	require.Equal(t, got, string(text), "go test ./cmd/zrank/internal/verbs -run TestDocs -args -write")
}

// groupsAndBoards returns "zrank groups" and its commands, and those of "zrank board".
func groupsAndBoards() []*cobra.Command {
	root, g, b := &cobra.Command{Use: "zrank"}, Groups(), Board()
	root.AddCommand(g, b)
	return slices.Concat([]*cobra.Command{g}, g.Commands(), b.Commands())
}

// rowsOf returns a row for each command.
func rowsOf(all ...*cobra.Command) string {
	var b strings.Builder
	for _, c := range all {
		name := strings.TrimPrefix(c.CommandPath(), "zrank ") + strings.TrimPrefix(c.Use, c.Name())
		fmt.Fprintf(&b, "| `zrank %s` | %s | %s |\n", strings.ReplaceAll(name, "|", "\\|"), c.Short, flagsOf(c))
	}
	return b.String()
}

// flagsOf returns the flags that not all commands have.
func flagsOf(c *cobra.Command) string {
	var own []string
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if !slices.Contains([]string{"dir", "addr", "key", "key-file", "format", "help"}, f.Name) {
			own = append(own, "`--"+f.Name+"`")
		}
	})
	return strings.Join(own, " ")
}
