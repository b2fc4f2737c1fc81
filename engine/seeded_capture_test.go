//go:build seeded

package engine

import "github.com/zrankdb/zrank/internal/seeded"

func init() {
	captures := func() error {
		for seed := range uint64(16) {
			if _, err := proveCapture(Options{}, false, seed, 40); err != nil {
				return err
			}
		}
		return nil
	}
	for _, name := range []string{"copies do not hear of commits", "copies do not hear of members put back",
		"the copy of a set that is gone is used", "a set that appears is not asked for the lead's members"} {
		seededBugs = append(seededBugs, seeded.Proof{Bug: name, Check: captures})
	}
}
