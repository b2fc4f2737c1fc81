//go:build seeded

package engine

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
		seededBug{"a page is taken after its lock", fuzzy},
		seededBug{"lost pages count as kept", fuzzy},
		seededBug{"members put back are forgotten", fuzzy},
	)
}
