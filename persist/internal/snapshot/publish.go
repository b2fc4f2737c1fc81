package snapshot

import (
	"errors"
	"time"

	"github.com/cockroachdb/pebble/v2"

	"github.com/zrankdb/zrank/persist/internal/format"
	"github.com/zrankdb/zrank/persist/internal/pebbledb"
)

// A snapshot becomes the one that counts: what it wrote is read back, one batch names it, and what it replaces goes.

// Publish makes the snapshot the one that counts: one atomic, flushed batch writes the sets' records and the pointer, and
// deletes the pages that were replaced and the groups of the log that end at or before upto. Everything appended before is
// durable then too. After an error the snapshot can only be aborted. Errors: ErrPersistence, ErrClosed, ErrCorrupt.
// O(sets written).
func (sn *Snapshot) Publish() error {
	if err := sn.usable(); err != nil {
		return err
	}
	if sn.failed = HandOver(sn); sn.failed != nil {
		return sn.failed
	}
	if sn.failed = sn.readBack(); sn.failed != nil {
		return sn.failed
	}
	sn.failed = sn.l.Do(sn.publish)
	if sn.failed == nil {
		sn.finish()
	}
	return sn.failed
}

// publish runs in the committer, which has written everything appended before it was asked. That order is what makes the
// snapshot exact: pages may show effects up to the last commit appended, so all of those must be in the log before the
// pages count (P8).
func (sn *Snapshot) publish() error {
	l := sn.l
	next := format.Pointer{Snapshot: sn.number, Upto: sn.upto, Millis: uint64(time.Now().UnixMilli())}
	var err error
	if next.Start, next.Chain, err = l.CutPoint(sn.upto); err != nil {
		return err
	}
	b := l.DB.Pebble.NewBatch()
	err = errors.Join(sn.replaceSets(b), b.Set(format.KeyCurrent, next.Encode(), nil))
	if err == nil && next.Start > l.Pointer().Start {
		err = b.DeleteRange(format.KeyLog(l.Pointer().Start), format.KeyLog(next.Start), nil)
	}
	if err != nil {
		return errors.Join(err, b.Close())
	}
	if err := l.DB.Apply(b, true); err != nil {
		return err
	}
	return l.Published(next)
}

// replaceSets adds the records of the written sets to b, takes out those of the dropped ones, and deletes the pages that
// no record names any more.
func (sn *Snapshot) replaceSets(b *pebble.Batch) error {
	if err := sn.deleteReplaced(b); err != nil {
		return err
	}
	for key, r := range sn.written {
		if err := b.Set(format.KeySet(key), format.EncodeSetRecord(&r), nil); err != nil {
			return err
		}
	}
	for key := range sn.dropped {
		if err := b.Delete(format.KeySet(key), nil); err != nil {
			return err
		}
	}
	return nil
}

// deleteReplaced deletes the pages that the written and the dropped sets have, and will not have from now on.
func (sn *Snapshot) deleteReplaced(b *pebble.Batch) error {
	for key, r := range sn.written {
		if err := sn.deleteOld(b, key, &r); err != nil {
			return err
		}
	}
	for key := range sn.dropped {
		if err := sn.deleteOld(b, key, &format.SetRecord{}); err != nil {
			return err
		}
	}
	for i := range sn.orphans {
		err := format.EachReplaced(&sn.orphans[i], &format.SetRecord{}, func(at format.Place, lo, hi int) error {
			if at.Snapshot != sn.number {
				return nil // a page that was kept goes with the record that has it
			}
			return deletePages(b, at, lo, hi)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// deleteOld deletes the pages that the set's present record has and the next one has not.
func (sn *Snapshot) deleteOld(b *pebble.Batch, key string, next *format.SetRecord) error {
	old, ok, err := recordOf(sn.l.DB, key)
	if err != nil || !ok {
		return err
	}
	return format.EachReplaced(&old, next, func(at format.Place, lo, hi int) error { return deletePages(b, at, lo, hi) })
}

// fewPages is up to where pages are deleted one by one: a range tombstone slows down reads around it.
const fewPages = 8

// deletePages deletes pages lo up to before hi of a run.
func deletePages(b *pebble.Batch, at format.Place, lo, hi int) error {
	if hi-lo > fewPages {
		return b.DeleteRange(format.KeyPage(at.Snapshot, at.ID, uint32(lo)), format.KeyPage(at.Snapshot, at.ID, uint32(hi)), nil)
	}
	for i := lo; i < hi; i++ {
		if err := b.Delete(format.KeyPage(at.Snapshot, at.ID, uint32(i)), nil); err != nil {
			return err
		}
	}
	return nil
}

// PagesAfter reports whether there are pages of snapshots above number, which never counted. O(1).
func PagesAfter(d *pebbledb.DB, number uint64) (found bool, err error) {
	from, to := format.KeySnapshotPages(number+1), format.KeyAfter([]byte(format.PrefixPages))
	err = d.Scan(from, to, format.NameOf([]byte(format.PrefixPages)), func(_, _ []byte) (bool, error) {
		found = true
		return false, nil
	})
	return found, err
}

// DropPagesAfter deletes them. O(1).
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
