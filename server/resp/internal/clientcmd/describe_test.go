package clientcmd

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFormsAreThoseOfTheDoc: COMMAND DOCS has every word that the doc of package resp has of the commands of boards and groups.
func TestFormsAreThoseOfTheDoc(t *testing.T) {
	doc, err := os.ReadFile("../../doc.go")
	require.NoError(t, err)
	lines := regexp.MustCompile(`(?m)^//\t((?:BOARD|GROUP)\.[A-Z]+) (.+)$`).FindAllStringSubmatch(string(doc), -1)
	require.Greater(t, len(lines), 35)
	word := regexp.MustCompile(`[A-Z]+`)
	for _, m := range lines {
		form := Forms[strings.ToLower(m[1])]
		require.NotEmpty(t, form, m[1])
		for _, w := range word.FindAllString(m[2], -1) {
			require.Contains(t, word.FindAllString(form, -1), w, "%s %s", m[1], form)
		}
	}
}
