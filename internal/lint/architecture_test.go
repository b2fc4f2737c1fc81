package lint

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestArchitectureNames checks the tables of docs/architecture.md. The third cell of a row names Go files. Each identifier in the second
// cell, such as Type.Method, package.Function or Function, must be declared in one of them.
func TestArchitectureNames(t *testing.T) {
	root := filepath.Join("..", "..")
	page, err := os.ReadFile(filepath.Join(root, "docs", "architecture.md"))
	require.NoError(t, err)
	named, file := regexp.MustCompile("`([A-Za-z]+)(?:\\.([A-Za-z]+))?`"), regexp.MustCompile(`[a-z_/0-9]+\.go`)
	rows := 0
	for _, line := range strings.Split(string(page), "\n") {
		cells := strings.Split(line, "|")
		if len(cells) != 5 || !strings.Contains(cells[3], ".go") {
			continue
		}
		rows++
		var text strings.Builder
		for _, name := range file.FindAllString(cells[3], -1) {
			data, err := os.ReadFile(filepath.Join(root, name))
			require.NoError(t, err, line)
			text.Write(data)
		}
		for _, m := range named.FindAllStringSubmatch(cells[2], -1) {
			declared := `(?m)^type ` + m[1] + `\b|^func ` + m[1] + `\b`
			if m[2] != "" {
				declared = `(?m)^func (\(\w+ \*?` + m[1] + `(\[\w+\])?\) )?` + m[2] + `\b`
			}
			require.Regexp(t, declared, text.String(), "%s is not in %s", m[0], cells[3])
		}
	}
	require.Greater(t, rows, 10)
}
