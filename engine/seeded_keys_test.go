//go:build seeded

package engine

import "github.com/zrankdb/zrank/internal/seeded"

func init() {
	seededBugs = append(seededBugs,
		seeded.Proof{Bug: "a renamed set keeps its old key in the snapshot", Check: func() error { return chained("around", "home") }},
		seeded.Proof{Bug: "the facts lose what kind of scores a set has", Check: kindKept},
		seeded.Proof{Bug: "an expired set is not dropped before its key is used again", Check: expiredKey},
		seeded.Proof{Bug: "a staged set has a key before its last commit", Check: stagedUnseen},
		seeded.Proof{Bug: "forget a moved set in the listing", Check: func() error { return listingHasAll(replacements["replaced"]) }},
		seeded.Proof{Bug: "a key that a rename has left is not waited for", Check: renamedIsDurable},
		seeded.Proof{Bug: "a transaction that waits for a set keeps its time", Check: timeWhileLoading},
		seeded.Proof{Bug: "a feed begins within a staged set", Check: feedFromWithinStaging},
		seeded.Proof{Bug: "the log does not say that a set is in pages only", Check: feedMissesPages},
		seeded.Proof{Bug: "a reader does not see that a writer is there", Check: viewWaitsForUpdate},
		seeded.Proof{Bug: "a guest sees what the transaction has done so far", Check: guestsSeeTheSetBefore},
		seeded.Proof{Bug: "a before-image does not hear of members that change again", Check: guestsSeeTheSetBefore},
		seeded.Proof{Bug: "a set that is in use is not listed", Check: listInUse},
		seeded.Proof{Bug: "the collector forgets a set that it cannot drop", Check: collectorTriesAgain},
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

func kindKept() error {
	return runScript("sync", []string{"update n | iadd n 24 x 9007199254740993 01", "update n | iadd n 24 y -1 -", "check", "reopen", "snapshot", "glance", "check"})
}

func expiredKey() error {
	return runScript("sync", []string{"update a | add a x 1 | expire a 1", "sleep 2", "update a | add a y 1 | read a",
		"update a | expire a 1", "sleep 2", "update a | add a z 1 | read a", // with other keys named
		"update a | expire a 1", "sleep 2", "update a | add a w 1 | read a", "check", "reopen"})
}
