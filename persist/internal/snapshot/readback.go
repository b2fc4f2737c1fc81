package snapshot

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/cockroachdb/pebble/v2"

	"github.com/zrankdb/zrank/persist/internal/errs"
	"github.com/zrankdb/zrank/persist/internal/format"
)

// readBack reads every page that the snapshot has written, by the key in the set's record, and compares its checksum with the record.
// The only other copy of the data is the log, which is about to be cut. persist/doc.go says what this proves. O(bytes written).
func (sn *Snapshot) readBack() error {
	if err := sn.l.DB.Acquire(); err != nil {
		return err
	}
	defer sn.l.DB.Release()
	ours := func(p format.Place) bool { return p.Snapshot == sn.number }
	bytes := 0
	seen := func(page []byte) (bool, error) {
		if bytes += len(page); bytes >= PageBatch {
			bytes = 0
			sn.pause()
		}
		if sn.l.DB.IsClosing() {
			return false, errs.ErrClosed
		}
		return true, nil
	}
	err := over(sn.l.DB, []byte(format.PrefixPages), func(it *pebble.Iterator) error {
		for _, r := range InOrder(sn) {
			if err := readPages(it, &r, ours, seen); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("persist: read back what snapshot %d has written: %w", sn.number, err)
	}
	return nil
}

// InOrder returns the records of the written sets in the order of their pages on the disk, so that readBack reads each block once.
// In random order, a million sets of one page each would read a block again for each of its pages. O(pages log sets).
func InOrder(sn *Snapshot) []format.SetRecord {
	type numbered struct {
		id uint64
		r  format.SetRecord
	}
	list := make([]numbered, 0, len(sn.written))
	for _, r := range sn.written {
		id, at := uint64(0), format.PlacesOf(&r)
		for p, ok := at.Next(); ok && id == 0; p, ok = at.Next() {
			if p.Snapshot == sn.number {
				id = p.ID
			}
		}
		list = append(list, numbered{id, r})
	}
	slices.SortFunc(list, func(a, b numbered) int { return cmp.Compare(a.id, b.id) })
	sorted := make([]format.SetRecord, len(list))
	for i := range list {
		sorted[i] = list[i].r
	}
	return sorted
}
