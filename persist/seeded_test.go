//go:build seeded

package persist

import (
	"testing"

	"github.com/zrankdb/zrank/internal/seeded"
)

// seededBug is a known mistake and a fast proof that must notice it.
type seededBug struct {
	name  string       // as asked for with seeded.Bug
	check func() error // returns an error when the contract is violated
}

// seededBugs is filled by the init functions of the files seeded_<part>_test.go.
var seededBugs []seededBug

// TestSeededBugs puts each bug into the store in turn: its proof must fail with the bug, and hold without. This is what
// makes the zeroes of the fault matrix believable.
func TestSeededBugs(t *testing.T) {
	caught := 0
	for _, bug := range seededBugs {
		t.Run(bug.name, func(t *testing.T) {
			defer seeded.Set("")
			seeded.Set(bug.name)
			err := bug.check()
			if err == nil {
				t.Fatal("nobody noticed")
			}
			t.Logf("noticed: %.200v", err)
			seeded.Set("")
			if err := bug.check(); err != nil {
				t.Fatalf("the proof fails without the bug too: %v", err)
			}
			caught++
		})
	}
	t.Logf("seeded bugs caught %d/%d", caught, len(seededBugs))
}
