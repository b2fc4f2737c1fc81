package fuzz

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/fuzz/internal/campaigns"
	"github.com/zrankdb/zrank/fuzz/internal/engines"
	"github.com/zrankdb/zrank/fuzz/internal/machine"
	"github.com/zrankdb/zrank/fuzz/internal/runner"
	"github.com/zrankdb/zrank/fuzz/internal/script"
)

// TestHistory pins the history of a script. It is the same under all configurations but for what their layers lack.
func TestHistory(t *testing.T) {
	ops, err := script.Parse("add a m 1\nbegin\nincr a m 0.5\nkeys\ncommit\nrollback\nreopen\nput p v\nbegin\ndel p\nget p")
	require.NoError(t, err)
	for _, c := range campaigns.All() {
		result, err := runner.Run(c, ops)
		require.NoError(t, err, c.Name)
		if !c.Can(script.Op{Kind: "put"}) {
			continue
		}
		contents := []string{"1", `"m"=1.5 `, `"p"="v" `, `["a"]`}
		if c.Can(script.Op{Kind: "stat"}) {
			contents = slices.Insert(contents, 2, "float64 ties=0 members=1 until never")
		}
		require.Equal(t, append([]string{"true", "begin", "1.5", "skipped", "commit", "no transaction", "reopen", "", "begin", "", `"" false`},
			contents...), result.History, c.Name)
	}
}

// TestRates counts the operations that the runner adds.
func TestRates(t *testing.T) {
	c := machine.Config{Name: "rated", Layer: "engine", Rates: machine.Rates("reopen", 5, "snapshot", 7), Open: engines.Durable()[1].Open}
	result, err := runner.Run(c, c.Generate(1, 100))
	require.NoError(t, err)
	bare := c
	bare.Rates = nil
	without, err := runner.Run(bare, c.Generate(1, 100))
	require.NoError(t, err)
	require.Equal(t, without.History, result.History)
	blocks := 0
	for rest := c.Generate(1, 100); len(rest) > 0; blocks++ {
		_, rest = script.NextBlock(rest)
	}
	require.Equal(t, without.Counts.Reopens+blocks/5, result.Counts.Reopens)
	require.Equal(t, without.Counts.Snapshots+blocks/7, result.Counts.Snapshots)
}
