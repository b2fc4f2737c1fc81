//go:build seeded

package persist

import "github.com/zrankdb/zrank/internal/seeded"

// The seeded bugs of snapshots, and the proofs that must notice them.
func init() {
	cut := func() error {
		for seed := range uint64(3) {
			if _, err := proveCut(seed, 12, 20); err != nil {
				return err
			}
		}
		return nil
	}
	readBack := func() error {
		for seed := range uint64(12) {
			if err := proveReadBack(seed); err != nil {
				return err
			}
		}
		return nil
	}
	seededBugs = append(seededBugs,
		seeded.Proof{Bug: "cut early", Check: cut},
		seeded.Proof{Bug: "publish early", Check: cut},
		seeded.Proof{Bug: "old pages deleted before publish", Check: cut},
		seeded.Proof{Bug: "base off by one", Check: cut},
		seeded.Proof{Bug: "keep a changed page", Check: cut},
		seeded.Proof{Bug: "a replaced page stays", Check: cut},
		seeded.Proof{Bug: "abort leaves pages", Check: cut},
		seeded.Proof{Bug: "no read back", Check: readBack},
	)
}
