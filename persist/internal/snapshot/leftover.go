package snapshot

import (
	"errors"

	"github.com/zrankdb/zrank/persist/internal/errs"
	"github.com/zrankdb/zrank/persist/internal/format"
	"github.com/zrankdb/zrank/persist/internal/pebbledb"
)

// PagesAfter reports whether there are pages of snapshots after number, which were never published. O(1).
func PagesAfter(d *pebbledb.DB, number uint64) (found bool, err error) {
	from, to := format.KeySnapshotPages(number+1), format.KeyAfter([]byte(format.PrefixPages))
	err = d.Scan(from, to, format.NameOf([]byte(format.PrefixPages)), func(_, _ []byte) (bool, error) {
		found = true
		return false, nil
	})
	return found, err
}

// DropPagesAfter deletes the pages of snapshots after number. O(1).
func DropPagesAfter(d *pebbledb.DB, number uint64) error {
	found, err := PagesAfter(d, number)
	if err != nil || !found {
		return err
	}
	from, to := format.KeySnapshotPages(number+1), format.KeyAfter([]byte(format.PrefixPages))
	b := d.Pebble.NewBatch()
	if err := b.DeleteRange(from, to, nil); err != nil {
		return err
	}
	return d.Apply(b, false)
}

// Publishing returns the number of the snapshot whose records were not all written when it failed or crashed, and false if there is none.
// Errors: ErrCorrupt, ErrClosed.
func Publishing(d *pebbledb.DB) (number uint64, ok bool, err error) {
	v, ok, err := d.Get(format.KeyPublishing, format.NameOf(format.KeyPublishing))
	if err != nil || !ok {
		return 0, false, err
	}
	number, err = format.DecodePublishing(v)
	return number, err == nil, errs.WithKey(err, format.NameOf(format.KeyPublishing))
}

// DropUnnamed deletes the pages of a snapshot that Publish has not brought to an end, as far as no record names them. It does nothing if there
// is no such snapshot. O(sets + pages of the snapshot).
func DropUnnamed(d *pebbledb.DB) error {
	number, ok, err := Publishing(d)
	if err != nil || !ok {
		return err
	}
	named, err := namedPages(d, number)
	if err != nil {
		return err
	}
	b := d.Pebble.NewBatch()
	from, to := format.KeySnapshotPages(number), format.KeySnapshotPages(number+1)
	err = d.Scan(from, to, format.NameOf([]byte(format.PrefixPages)), func(key, _ []byte) (bool, error) {
		if named[string(key)] {
			return true, nil
		}
		return true, b.Delete(key, nil)
	})
	if err = errors.Join(err, b.Delete(format.KeyPublishing, nil)); err != nil {
		return errors.Join(err, b.Close())
	}
	return d.Apply(b, false)
}

// namedPages returns the keys of the pages of a snapshot that records name.
func namedPages(d *pebbledb.DB, number uint64) (named map[string]bool, err error) {
	named = map[string]bool{}
	for r, err := range Sets(d) {
		if err != nil {
			return nil, err
		}
		for at, key := range format.PageKeys(&r) {
			if at.Snapshot == number {
				named[string(key)] = true
			}
		}
	}
	return named, nil
}
