//go:build seeded

package persist

import (
	"context"
	"errors"
	"fmt"

	"github.com/cockroachdb/pebble/v2"

	"github.com/zrankdb/zrank/internal/seeded"
	"github.com/zrankdb/zrank/persist/internal/format"
)

func init() {
	seededBugs = append(seededBugs,
		seeded.Proof{Bug: "half a batch", Check: func() error { _, err := powerCuts(1, 2, 0); return err }},
		seeded.Proof{Bug: "a write-out counts as a snapshot", Check: func() error { _, err := powerCuts(1, 2, 0); return err }},
		seeded.Proof{Bug: "gaps in the log are tolerated", Check: missingGroups},
		seeded.Proof{Bug: "a group's checksum is not compared", Check: groupFlips},
	)
}

// missingGroups deletes each group of a log except the last one in turn. Open must return ErrCorrupt.
func missingGroups() error {
	for missing := range uint64(5) {
		fs := MemFS()
		s, err := Open("db", Options{FS: fs})
		if err != nil {
			return err
		}
		for range 6 {
			var b Batch
			b.Put("s", []byte("m"), []byte("v"))
			seq, err := s.Append(&b)
			if err = errors.Join(err, s.Wait(context.Background(), seq)); err != nil {
				return err
			}
		}
		if err := errors.Join(s.log.DB.Pebble.Delete(format.KeyLog(missing+1), pebble.Sync), s.Close()); err != nil {
			return err
		}
		if s, err = Open("db", Options{FS: fs}); err == nil {
			_ = s.Close()
		}
		if !errors.Is(err, ErrCorrupt) {
			return fmt.Errorf("without group %d, Open says %v", missing+1, err)
		}
	}
	return nil
}

// groupFlips flips each bit of a group: it must be refused.
func groupFlips() error {
	value, _ := format.Group{First: 7, Commits: 1, Durable: 6, Store: 2, Prev: 3}.Seal(append(make([]byte, format.GroupHeader), 11, 1, 0, 1, 'a', 0, 2, 1, 1, 'x', 1, '1'))
	if _, _, err := format.OpenGroup(value); err != nil {
		return err
	}
	for bit := range 8 * len(value) {
		value[bit/8] ^= 1 << (bit % 8)
		if _, _, err := format.OpenGroup(value); err == nil {
			return fmt.Errorf("a group with bit %d flipped is accepted", bit)
		}
		value[bit/8] ^= 1 << (bit % 8)
	}
	return nil
}
