package boardtest

import (
	"testing"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/invariants"
)

// TestScenarios plays all files on backends with every kind of storage and restart.
func TestScenarios(t *testing.T) {
	for _, backend := range []struct {
		name, between string
		open          Open
	}{
		{"memory", "", memory},
		{"durable", "", durable(engine.Options{})},
		{"reopened", "reopen", durable(engine.Options{Durability: engine.None})},
		{"killed", "kill", durable(engine.Options{})},
		{"evicted", "", durable(engine.Options{MemoryLimit: 1})},
	} {
		t.Run(backend.name, func(t *testing.T) {
			if backend.between == "reopen" && (testing.Short() || invariants.Enabled) {
				t.Skip("skipped: the subtest killed reopens everything as often")
			}
			scenarios, n := Run(t, Files(), backend.between, backend.open)
			t.Logf("%s: %d scenarios, %d commands, %d answers, %d reads repeated in a View and pinned, %d refusals that changed nothing",
				backend.name, scenarios, n.Lines, n.Answers, n.Views, n.Refusals)
		})
	}
}
