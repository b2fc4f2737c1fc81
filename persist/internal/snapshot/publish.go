package snapshot

import (
	"errors"
	"time"

	"github.com/cockroachdb/pebble/v2"

	"github.com/zrankdb/zrank/persist/internal/format"
)

// Publish makes this snapshot the current one. It reads back the written pages. Then one atomic, flushed batch writes the sets'
// records and the pointer, and deletes the replaced pages and the groups of the log that end at or before upto. Everything appended
// before Publish is durable then too. After an error the snapshot can only be aborted. Errors: ErrPersistence, ErrClosed, ErrCorrupt.
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

// publish runs in the committer, after the committer has written everything appended before. This order matters: pages may hold
// effects up to the last commit appended, so all those commits must be in the log before the pages count (P8).
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

// replaceSets adds to b the writes of the written sets' records, the deletions of the dropped sets' records, and the deletions of the
// pages that no record names any more.
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

// deleteReplaced deletes the pages that the written and the dropped sets have now, but not after this snapshot. It also deletes the
// orphans.
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
				return nil // a page of an earlier snapshot: the loop over dropped deletes it, with the old record
			}
			return deletePages(b, at, lo, hi)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// deleteOld deletes the pages that the set's current record has and the record next does not.
func (sn *Snapshot) deleteOld(b *pebble.Batch, key string, next *format.SetRecord) error {
	old, ok, err := recordOf(sn.l.DB, key)
	if err != nil || !ok {
		return err
	}
	return format.EachReplaced(&old, next, func(at format.Place, lo, hi int) error { return deletePages(b, at, lo, hi) })
}

// fewPages is the largest number of pages that are deleted one by one. A range tombstone would slow down reads around it.
const fewPages = 8

// deletePages deletes the pages [lo, hi) of a run.
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
