package boardtest

import (
	"testing"

	"github.com/zrankdb/zrank/engine"
)

// TestScenarios plays all files on every way to keep boards.
func TestScenarios(t *testing.T) {
	for _, way := range []struct {
		name, between string
		open          Open
	}{
		{"memory", "", memory},
		{"durable", "", durable(engine.Options{})},
		{"reopened", "reopen", durable(engine.Options{Durability: engine.None})},
		{"killed", "kill", durable(engine.Options{})},
		{"evicted", "", durable(engine.Options{MemoryLimit: 1})},
	} {
		t.Run(way.name, func(t *testing.T) {
			scenarios, n := Run(t, Files(), way.between, way.open)
			t.Logf("%s: %d scenarios, %d commands, %d answers, %d reads repeated in a View and pinned, %d refusals that changed nothing",
				way.name, scenarios, n.Lines, n.Answers, n.Views, n.Refusals)
		})
	}
}
