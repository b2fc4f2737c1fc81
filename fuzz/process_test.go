package fuzz

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/fuzz/internal/processtest"
	"github.com/zrankdb/zrank/fuzz/internal/runner"
	"github.com/zrankdb/zrank/fuzz/internal/script"
)

// TestProcessChild is the child process of the configurations in processtest.
func TestProcessChild(t *testing.T) { processtest.Child(t) }

// TestProcess kills engines on a real disk, between blocks and in the middle of them.
func TestProcess(t *testing.T) {
	var all runner.Counts
	for i, c := range processtest.Configs(t) {
		ops := c.Generate(*seedFlag+uint64(i), 60)
		result, err := runner.Run(c, ops)
		require.NoError(t, err, "%s\n%s", c.Name, script.Print(ops))
		all.Add(result.Counts)
	}
	require.Positive(t, all.Kills)
	t.Logf("%+v", all)
}
