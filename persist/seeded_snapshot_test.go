//go:build seeded

package persist

// The bugs that a snapshot could have, and the proofs that see them.
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
		seededBug{"cut early", cut},
		seededBug{"publish early", cut},
		seededBug{"old pages deleted before publish", cut},
		seededBug{"base off by one", cut},
		seededBug{"keep a changed page", cut},
		seededBug{"a replaced page stays", cut},
		seededBug{"abort leaves pages", cut},
		seededBug{"no read back", readBack},
	)
}
