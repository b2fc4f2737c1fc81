package ops

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var write = flag.Bool("write", false, "store the table of docs/operations.md")

// TestDocs: docs/operations.md has the table as it is. Make it with go test ./board/ops -run TestDocs -args -write.
func TestDocs(t *testing.T) {
	const name = "../../docs/operations.md"
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	head, _, ok := strings.Cut(string(text), "| operation |")
	require.True(t, ok)
	got := head + table()
	if *write {
		require.NoError(t, os.WriteFile(name, []byte(got), 0o644))
		return
	}
	require.Equal(t, got, string(text), "go test ./board/ops -run TestDocs -args -write")
}

func table() string {
	var b strings.Builder
	b.WriteString("| operation | HTTP, behind /v1 | RESP | who may |\n|---|---|---|---|\n")
	who := map[Right]string{ToRead: "read", ToSubmit: "submit", ToModerate: "moderate", ToAdminister: "everything"}
	for _, op := range All() {
		at, words, may := op.Route, op.Command, who[op.Right]
		if op.IsRead() {
			at = op.Method() + " R/" + op.Path()
			name, rest, _ := strings.Cut(words, " ")
			if words != "" {
				words = strings.TrimSpace(name + " board window " + rest)
			}
		}
		if words != "" {
			words = "`" + strings.ReplaceAll(words, "|", "\\|") + "`"
		}
		if op.Own {
			may += ", player"
		}
		fmt.Fprintf(&b, "| %s | `%s` | %s | %s |\n", op.Summary, at, words, may)
	}
	return b.String()
}
