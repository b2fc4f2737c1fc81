//go:build seeded

package engine

import (
	"testing"

	"github.com/zrankdb/zrank/internal/seeded"
)

// seededBugs is filled by the init functions of the files seeded_<part>_test.go.
var seededBugs []seeded.Proof

// TestSeededBugs puts each bug into the engine in turn.
func TestSeededBugs(t *testing.T) { seeded.Prove(t, seededBugs) }
