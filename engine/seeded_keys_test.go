//go:build seeded

package engine

func init() {
	seededBugs = append(seededBugs,
		seededBug{"a renamed set keeps its old key in the snapshot", func() error { return chained("around", "home") }},
		seededBug{"an expired set is not dropped before its key is used again", expiredKey},
		seededBug{"a staged set has a key before its last commit", stagedUnseen},
		seededBug{"forget a moved set in the listing", func() error { return listingHasAll(replacements["replaced"]) }},
		seededBug{"a key that a rename has left is not waited for", renamedIsDurable},
		seededBug{"the collector forgets a set that it cannot drop", collectorTriesAgain},
	)
}

// chained runs chains of renames.
func chained(names ...string) error {
	for _, name := range names {
		for way := range 5 {
			if err := runScript("sync", chainScript(chains[name], way)); err != nil {
				return err
			}
		}
	}
	return nil
}

func expiredKey() error {
	return runScript("sync", []string{"update a | add a x 1 | expire a 1", "sleep 2", "update a | add a y 1 | read a", "check", "reopen"})
}
