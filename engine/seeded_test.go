//go:build seeded

package engine

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/seeded"
)

// TestSeededBugs puts one bug after the other into the engine and requires that a proof sees it, and sees nothing without.
func TestSeededBugs(t *testing.T) {
	fuzzy := func() error {
		for seed := range uint64(12) {
			if _, err := proveFuzzy(seed, 25); err != nil {
				return err
			}
		}
		return nil
	}
	bugs := map[string]func() error{
		"a page is taken after its lock": fuzzy,
		"lost pages count as kept":       fuzzy,
		"members put back are forgotten": fuzzy,
	}
	caught := 0
	for name, check := range bugs {
		seeded.Set(name)
		err := check()
		seeded.Set("")
		if err == nil {
			t.Errorf("%s: not caught", name)
			continue
		}
		caught++
		t.Logf("%s: %v", name, err)
	}
	require.NoError(t, fuzzy())
	t.Logf("seeded bugs caught %d/%d", caught, len(bugs))
}
