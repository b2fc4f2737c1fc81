package boardtest

import (
	"testing"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/invariants"
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
			if way.between == "reopen" && (testing.Short() || invariants.Enabled) {
				t.Skip("skipped: a power cut after every command opens everything as often")
			}
			scenarios, n := Run(t, Files(), way.between, way.open)
			t.Logf("%s: %d scenarios, %d commands, %d answers, %d reads repeated in a View and pinned, %d refusals that changed nothing",
				way.name, scenarios, n.Lines, n.Answers, n.Views, n.Refusals)
		})
	}
}
