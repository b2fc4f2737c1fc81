package fuzz

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestHistory pins what a history looks like.
func TestHistory(t *testing.T) {
	script, err := Parse("add a m 1\nbegin\nincr a m 0.5\nkeys\ncommit\nrollback\nreopen\nput p v\nbegin\ndel p\nget p")
	require.NoError(t, err)
	for _, c := range All() {
		result, err := Run(c, script)
		require.NoError(t, err, c.Name)
		if !c.can(Op{Kind: "put"}) {
			continue
		}
		contents := []string{"1", `"m"=1.5 `, `"p"="v" `, `["a"]`}
		if c.can(Op{Kind: "stat"}) {
			contents = slices.Insert(contents, 2, "float64 ties=0 members=1 until never")
		}
		require.Equal(t, append([]string{"true", "begin", "1.5", "skipped", "commit", "no transaction", "reopen", "", "begin", "", `"" false`},
			contents...), result.History, c.Name)
	}
}
