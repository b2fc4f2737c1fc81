//go:build seeded

package engine

import "github.com/zrankdb/zrank/internal/seeded"

func init() {
	fuzzy := func() error {
		for seed := range uint64(12) {
			if _, err := proveFuzzy(seed, 25); err != nil {
				return err
			}
		}
		return nil
	}
	seededBugs = append(seededBugs,
		seeded.Proof{Bug: "a page is taken after its lock", Check: fuzzy},
		seeded.Proof{Bug: "lost pages count as kept", Check: fuzzy},
		seeded.Proof{Bug: "members put back are forgotten", Check: fuzzy},
	)
}
