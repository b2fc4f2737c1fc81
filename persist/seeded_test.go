//go:build seeded

package persist

import (
	"testing"

	"github.com/zrankdb/zrank/internal/seeded"
)

// seededBugs is filled by the init functions of the files seeded_<part>_test.go.
var seededBugs []seeded.Proof

// TestSeededBugs puts each bug into the store in turn.
func TestSeededBugs(t *testing.T) { seeded.Prove(t, seededBugs) }
