package snapshot

import (
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/cockroachdb/pebble/v2"

	"github.com/zrankdb/zrank/persist/internal/format"
)

// PublishPiece is the largest number of sets whose records change in one batch. Commits wait for a batch. Tests set less.
var PublishPiece = 128

// Publish makes this snapshot the current one. It reads back the written pages. Then the sets' records change, with the deletion of the pages
// that they replace, piece by piece: each record is right by itself, since the log has all that its pages do not have. The last piece is one
// atomic, flushed batch with the pointer and the deletion of the groups of the log that end at or before upto, but for what Config.Retain keeps. Everything appended before
// Publish is durable then too. After an error the snapshot can only be aborted; the sets' records may be those of before or those of this
// snapshot, and a batch that was under way may change them after Publish has returned. Publish of a write-out is one batch, not flushed, that
// changes the records only. Errors: ErrPersistence, ErrClosed, ErrCorrupt. O(sets written); commits wait for a piece.
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
	publish := sn.publish
	if sn.some {
		publish = sn.publishSome
	}
	if sn.failed = publish(); sn.failed == nil {
		sn.finish()
	}
	return sn.failed
}

// publish applies the pieces in the committer, after the committer has written everything appended before. This order matters: pages may hold
// effects up to the last commit appended, so all those commits must be in the log before the pages count (P8).
func (sn *Snapshot) publish() error {
	keys := slices.AppendSeq(slices.Collect(maps.Keys(sn.written)), maps.Keys(sn.dropped))
	slices.Sort(keys) // as Pebble has them
	for ; len(keys) > PublishPiece; keys = keys[PublishPiece:] {
		if err := sn.apply(keys[:PublishPiece], sn.mark); err != nil {
			return err
		}
		sn.pause()
	}
	return sn.apply(keys, sn.conclude)
}

// publishSome gives the sets of a write-out their records. One batch does all, so no page of this snapshot is without a record (P20). It need
// not be flushed: a crash that takes the batch leaves the records before, and the log has what their pages do not have.
func (sn *Snapshot) publishSome() error {
	return sn.apply(slices.Sorted(maps.Keys(sn.written)), func(b *pebble.Batch) error {
		next := sn.l.Pointer()
		next.Snapshot = sn.number
		if err := b.Set(format.KeyCurrent, next.Encode(), nil); err != nil {
			return errors.Join(err, b.Close())
		}
		if err := sn.l.DB.Apply(b, false); err != nil {
			return err
		}
		sn.l.WrittenOut(next)
		return nil
	})
}

// apply makes a batch of the records of some sets, and applies it in the committer once complete has added the rest.
func (sn *Snapshot) apply(keys []string, complete func(b *pebble.Batch) error) error {
	if err := sn.l.DB.Acquire(); err != nil { // Pebble must be open to read records and to make a batch
		return err
	}
	b := sn.l.DB.Pebble.NewBatch()
	err := sn.replaceSets(b, keys)
	sn.l.DB.Release()
	if err != nil {
		return errors.Join(err, b.Close())
	}
	return sn.l.Do(func() error { return complete(b) })
}

// mark applies a piece before the last one. The first says that the pages of this snapshot count, though not all are in a record yet (P19). It
// is flushed, because the high-water mark has to say the same.
func (sn *Snapshot) mark(b *pebble.Batch) error {
	next := sn.l.Pointer()
	if next.Snapshot == sn.number {
		return sn.l.DB.Apply(b, false)
	}
	next.Snapshot = sn.number
	if err := errors.Join(b.Set(format.KeyCurrent, next.Encode(), nil), b.Set(format.KeyPublishing, format.EncodePublishing(sn.number), nil)); err != nil {
		return errors.Join(err, b.Close())
	}
	if err := sn.l.DB.Apply(b, true); err != nil {
		return err
	}
	return sn.l.Published(next, next.Start)
}

// conclude applies the last piece, with the pointer and the deletion of the log.
func (sn *Snapshot) conclude(b *pebble.Batch) error {
	l := sn.l
	next := format.Pointer{Snapshot: sn.number, Upto: sn.upto, Millis: uint64(time.Now().UnixMilli())}
	uncovered, err := l.Cut(&next)
	if err != nil {
		return errors.Join(err, b.Close())
	}
	err = errors.Join(sn.deleteOrphans(b), b.Set(format.KeyCurrent, next.Encode(), nil))
	if err == nil && next.Start > l.Pointer().Start {
		err = b.DeleteRange(format.KeyLog(l.Pointer().Start), format.KeyLog(next.Start), nil)
	}
	if err == nil && l.Pointer().Snapshot == sn.number {
		err = b.Delete(format.KeyPublishing, nil)
	}
	if err != nil {
		return errors.Join(err, b.Close())
	}
	if err := l.DB.Apply(b, true); err != nil {
		return err
	}
	return l.Published(next, uncovered)
}

// replaceSets adds to b what becomes of some sets: of a written one the record, of a dropped one the deletion of the record, and of both
// the deletion of the pages that the record had before and no longer has.
func (sn *Snapshot) replaceSets(b *pebble.Batch, keys []string) error {
	for _, key := range keys {
		r, written := sn.written[key]
		if err := sn.deleteOld(b, key, &r); err != nil {
			return err
		}
		var err error
		if written {
			err = b.Set(format.KeySet(key), format.EncodeSetRecord(&r), nil)
		} else {
			err = b.Delete(format.KeySet(key), nil)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// deleteOrphans deletes the pages of sets that were written in this snapshot and then dropped.
func (sn *Snapshot) deleteOrphans(b *pebble.Batch) error {
	for i := range sn.orphans {
		err := format.EachReplaced(&sn.orphans[i], &format.SetRecord{}, func(at format.Place, lo, hi int) error {
			if at.Snapshot != sn.number {
				return nil // a page of an earlier snapshot: it goes with the old record
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
