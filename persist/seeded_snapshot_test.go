//go:build seeded

package persist

import "github.com/zrankdb/zrank/internal/seeded"

// The seeded bugs of snapshots, and the proofs that must notice them.
func init() {
	cut := seeded.Seeds(3, func(seed uint64) error { _, err := proveCutInPieces(seed, 12, 20); return err })
	seededBugs = append(seededBugs, seeded.Proofs(cut, "cut early", "publish early", "old pages deleted before publish", "base off by one",
		"keep a changed page", "a replaced page stays", "abort leaves pages", "pages that no record names stay", "pages count before the pointer says so")...)
	seededBugs = append(seededBugs, seeded.Proof{Bug: "no read back", Check: seeded.Seeds(12, proveReadBack)})
}
