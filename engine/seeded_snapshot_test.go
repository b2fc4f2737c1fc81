//go:build seeded

package engine

import (
	"context"
	"fmt"

	"github.com/zrankdb/zrank/engine/internal/keyspace"
	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/internal/seeded"
)

func init() {
	fuzzy := seeded.Seeds(12, func(seed uint64) error { _, err := proveFuzzy(seed, 25); return err })
	seededBugs = append(seededBugs, seeded.Proofs(fuzzy, "a page is taken after its lock", "lost pages count as kept",
		"members put back are forgotten")...)
	seededBugs = append(seededBugs, seeded.Proof{Bug: "a set that changes while it is written out counts as clean", Check: changesWhileWritten})
}

// changesWhileWritten changes a set while it is written out, lets it leave memory if it can, and counts its members.
func changesWhileWritten() error {
	e, err := Open("db", Options{FS: memfs.New(), Durability: None, SnapshotBytes: -1, MemoryLimit: 1 << 30})
	if err != nil {
		return err
	}
	defer e.Close()
	var failed error
	e.checkpoints.Paged = func(page []byte) []byte {
		failed = grow(e, 50) // its set is that of grow(e, 0)
		return page
	}
	if err := grow(e, 0); err != nil {
		return err
	}
	s := e.keys.Find("s0")
	if err := e.checkpoints.WriteOut([]*keyspace.Set{s}, nil); err != nil || failed != nil {
		return fmt.Errorf("%w, %w", err, failed)
	}
	s.Mu.Lock()
	e.keys.Accounts.Leave(s)
	s.Mu.Unlock()
	return e.View(context.Background(), func(tx *Tx) error {
		set, err := tx.Set("s0")
		if err == nil && set.Len() != 20 {
			err = fmt.Errorf("the set has %d members, want 20", set.Len())
		}
		return err
	}, "s0")
}
