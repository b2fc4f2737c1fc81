//go:build seeded

package engine

import "github.com/zrankdb/zrank/internal/seeded"

func init() {
	fuzzy := seeded.Seeds(12, func(seed uint64) error { _, err := proveFuzzy(seed, 25); return err })
	seededBugs = append(seededBugs, seeded.Proofs(fuzzy, "a page is taken after its lock", "lost pages count as kept",
		"members put back are forgotten")...)
}
