//go:build seeded

package persist

import "github.com/zrankdb/zrank/internal/seeded"

// The seeded bugs of compactions, and the proofs that must notice them.
func init() {
	erased := seeded.Seeds(8, func(seed uint64) error { _, err := proveErased(seed, plain); return err })
	seededBugs = append(seededBugs, seeded.Proofs(erased, "a log is recycled while the store is compacted", "old logs stay", "an old manifest stays")...)
	seededBugs = append(seededBugs, seeded.Proof{Bug: "a table that moved down keeps its deletions", Check: proveFirstTable})
}
