//go:build seeded

package persist

import "github.com/zrankdb/zrank/internal/seeded"

// The bugs that a snapshot could have, and the proofs that see them.
func init() {
	cut := seeded.Seeds(3, func(seed uint64) error { _, err := proveCut(seed, 12, 20); return err })
	seededBugs = append(seededBugs, seeded.Proofs(cut, "cut early", "publish early", "old pages deleted before publish", "base off by one",
		"keep a changed page", "a replaced page stays", "abort leaves pages")...)
	seededBugs = append(seededBugs, seeded.Proof{Bug: "no read back", Check: seeded.Seeds(12, proveReadBack)})
}
