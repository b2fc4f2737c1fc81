//go:build seeded

package engine

import "github.com/zrankdb/zrank/internal/seeded"

func init() {
	captures := seeded.Seeds(16, func(seed uint64) error { _, err := proveCapture(Options{}, false, seed, 40); return err })
	seededBugs = append(seededBugs, seeded.Proofs(captures, "copies do not hear of commits", "copies do not hear of members put back",
		"the copy of a set that is gone is used", "a set that appears is not asked for the lead's members")...)
	seededBugs = append(seededBugs, seeded.Proofs(proveCopyAll, "a source of a union is read after another commit")...)
}
