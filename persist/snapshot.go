package persist

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/cockroachdb/pebble/v2"

	"github.com/zrankdb/zrank/internal/seeded"
)

// pageBatch is how many bytes of pages go to Pebble at once, between two rounds of commits: the flush of the next round has
// them before it.
const pageBatch = 64 << 10

// Snapshot is one in the making. Its methods are for one goroutine. Until Publish returns nil the store is as if it did
// not exist; a crash, Abort or a failure leaves the snapshot before it and the whole log.
type Snapshot struct {
	s       *Store
	number  uint64
	upto    uint64
	batch   *pebble.Batch        // pages not yet handed over
	written map[string]SetRecord // the sets of this snapshot
	dropped map[string]bool
	orphans []SetRecord // pages of this snapshot that no set has: it was dropped after it was written
	ids     uint64
	bytes   int64 // of pages, written
	unpaced int   // bytes handed over since the last look at how far Pebble is behind
	over    bool  // published or aborted
	failed  error
}

var errSnapshotOver = errors.New("persist: the snapshot is published or aborted")

// Snapshot starts a snapshot that will let the log be cut after commit upto. Whoever calls it writes, before Publish,
// every set that a commit up to upto has changed since the last snapshot, with WriteSet or DropSet; a set that is left
// out keeps its record and pages. Errors: ErrSnapshotRunning, ErrPersistence, ErrClosed. O(1).
func (s *Store) Snapshot(upto uint64) (*Snapshot, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.refused(); err != nil {
		return nil, err
	}
	if s.running {
		return nil, ErrSnapshotRunning
	}
	if last := s.last.Load(); upto < s.current.upto || upto > last {
		return nil, fmt.Errorf("persist: snapshot up to %d: the last one ends at %d, the log at %d", upto, s.current.upto, last)
	}
	s.running = true
	return &Snapshot{
		s:       s,
		number:  s.current.snapshot + 1,
		upto:    upto,
		written: make(map[string]SetRecord),
		dropped: make(map[string]bool),
	}, nil
}

// WriteSet writes the pages of a set: each as bytes, or as nil if the page in its place in the set's record has these bytes,
// and is kept. They hold all effects on the set up to commit base, and may hold later ones: the effects after base are
// replayed onto them. So base is at least the snapshot's upto, and a set is written once. pages is called without any lock
// of the store. Errors: ErrTooLarge (a page), ErrPersistence, ErrClosed, ErrCorrupt; after an error the snapshot can only be
// aborted. O(bytes).
func (sn *Snapshot) WriteSet(key string, meta []byte, base uint64, entries int, pages iter.Seq[[]byte]) error {
	if err := sn.usable(); err != nil {
		return err
	}
	if _, again := sn.written[key]; again {
		return fmt.Errorf("persist: set %q is written twice in one snapshot", key)
	}
	if last := sn.s.LastSeq(); base < sn.upto || base > last || entries < 0 {
		return fmt.Errorf("persist: set %q: base %d, want %d to %d; %d entries", key, base, sn.upto, last, entries)
	}
	if seeded.Bug("base off by one") {
		base++
	}
	sn.ids++
	r := SetRecord{Key: key, Meta: bytes.Clone(meta), Base: base, Entries: entries}
	if sn.failed = sn.writePages(&r, pages); sn.failed != nil {
		return sn.failed
	}
	sn.written[key] = r
	delete(sn.dropped, key)
	return nil
}

// writePages writes the pages that are given and fills in the record's table.
func (sn *Snapshot) writePages(r *SetRecord, pages iter.Seq[[]byte]) error {
	old, _, err := sn.s.Set(r.Key)
	if err != nil {
		return err
	}
	was := old.places()
	var table tableWriter
	for page := range pages {
		at, ok := was.next()
		switch {
		case page != nil && !(ok && seeded.Bug("keep a changed page")):
			at, err = sn.addPage(r, page)
		case !ok:
			err = fmt.Errorf("persist: set %q: page %d is to be kept, its record has %d", r.Key, r.Pages, old.Pages)
		case !at.known:
			at, err = sn.s.learn(at, r.Pages)
		}
		if err != nil {
			return err
		}
		table.add(at)
		r.Pages++
	}
	r.table = table.bytes()
	return nil
}

// addPage writes a page and returns where it is.
func (sn *Snapshot) addPage(r *SetRecord, page []byte) (place, error) {
	at := place{snapshot: sn.number, id: sn.ids, known: true}
	if len(page) > MaxCommit {
		return at, fmt.Errorf("%w: a page of %d bytes, the limit is %d", ErrTooLarge, len(page), MaxCommit)
	}
	if sn.batch == nil {
		if err := sn.s.acquire(); err != nil { // a batch may be made of an open Pebble only
			return at, err
		}
		sn.batch = sn.s.db.NewBatchWithSize(pageBatch + pageBatch/4)
		sn.s.release()
	}
	key := keyPage(at.snapshot, at.id, uint32(r.Pages))
	op := sn.batch.SetDeferred(len(key), 4+len(page))
	copy(op.Key, key)
	at.crc = sealPage(op.Value, key, page)
	sn.bytes += int64(len(page))
	if err := op.Finish(); err != nil {
		return at, err
	}
	if sn.batch.Len() >= pageBatch {
		return at, sn.handOver()
	}
	return at, nil
}

// Bytes returns the size of the pages written so far; those that are kept do not count. O(1).
func (sn *Snapshot) Bytes() int64 { return sn.bytes }

// handOver gives the collected pages to the committer, unflushed: nothing counts on them before the pointer names them,
// and the pointer comes after them in Pebble's log.
func (sn *Snapshot) handOver() error {
	b := sn.batch
	if b == nil {
		return nil
	}
	sn.batch = nil
	if err := sn.s.roomForPages(b.Len()); err != nil {
		return errors.Join(err, b.Close())
	}
	sn.unpaced += b.Len()
	if err := sn.s.do(func() error { return sn.s.apply(b, false) }); err != nil || sn.unpaced < paceEvery {
		return err
	}
	sn.unpaced = 0
	return sn.s.pace()
}

// DropSet says that the set does not exist any more: its record and pages go.
func (sn *Snapshot) DropSet(key string) {
	if r, ok := sn.written[key]; ok {
		sn.orphans = append(sn.orphans, r)
		delete(sn.written, key)
	}
	sn.dropped[key] = true
}

// Publish makes the snapshot the one that counts: one atomic, flushed batch writes the sets' records and the pointer, and
// deletes the pages that were replaced and the groups of the log that end at or before upto. Everything appended before is
// durable then too. After an error the snapshot can only be aborted. Errors: ErrPersistence, ErrClosed, ErrCorrupt.
// O(sets written).
func (sn *Snapshot) Publish() error {
	if err := sn.usable(); err != nil {
		return err
	}
	if seeded.Bug("publish early") {
		sn.failed = errors.Join(sn.s.do(sn.publish), sn.handOver())
		sn.finish()
		return sn.failed
	}
	if sn.failed = sn.handOver(); sn.failed != nil {
		return sn.failed
	}
	if sn.failed = sn.readBack(); sn.failed != nil {
		return sn.failed
	}
	sn.failed = sn.s.do(sn.publish)
	if sn.failed == nil {
		sn.finish()
	}
	return sn.failed
}

// Abort deletes what the snapshot has written and lets the next one start. After Publish it does nothing. Errors:
// ErrPersistence, ErrClosed; the pages then go at the next Open.
func (sn *Snapshot) Abort() error {
	if sn.over {
		return nil
	}
	if sn.batch != nil {
		_ = sn.batch.Close()
		sn.batch = nil
	}
	err := sn.s.do(func() error {
		if seeded.Bug("abort leaves pages") {
			return nil
		}
		return sn.s.dropPagesAfter(sn.number - 1)
	})
	sn.finish()
	return err
}

func (sn *Snapshot) finish() {
	sn.over = true
	sn.s.watch.pacing.Store(0)
	sn.s.mu.Lock()
	defer sn.s.mu.Unlock()
	sn.s.running = false
}

func (sn *Snapshot) usable() error {
	switch {
	case sn.s.isClosing():
		return ErrClosed
	case sn.over:
		return errSnapshotOver
	case sn.failed != nil:
		return sn.failed
	}
	return sn.s.failure()
}

// publish runs in the committer, which has written everything appended before it was asked. That order is what makes the
// snapshot exact: pages may show effects up to the last commit appended, so all of those must be in the log before the
// pages count (P8).
func (sn *Snapshot) publish() error {
	s := sn.s
	next := pointer{snapshot: sn.number, upto: sn.upto, millis: uint64(time.Now().UnixMilli())}
	var err error
	if next.start, next.chain, err = s.cutPoint(sn.upto); err != nil {
		return err
	}
	if err := sn.seededEarly(next); err != nil {
		return err
	}
	b := s.db.NewBatch()
	err = errors.Join(sn.replaceSets(b), b.Set(keyCurrent, next.encode(), nil))
	if err == nil && next.start > s.current.start {
		err = b.DeleteRange(keyLog(s.current.start), keyLog(next.start), nil)
	}
	if err != nil {
		return errors.Join(err, b.Close())
	}
	if err := s.apply(b, true); err != nil {
		return err
	}
	s.durable.Store(s.applied.Load())
	if err := s.timed(func() error { return s.mark.published(next, s.durable.Load(), s.committer.chain.prev) }); err != nil {
		s.fail(err)
		return s.failure()
	}
	s.committer.meter.cut(next.start)
	s.logSize.Store(s.committer.meter.size())
	s.mu.Lock()
	s.current = next
	s.mu.Unlock()
	return nil
}

// seededEarly does in a batch of its own, not flushed, what belongs into the one that publishes.
func (sn *Snapshot) seededEarly(next pointer) error {
	s := sn.s
	if seeded.Bug("cut early") && next.start > s.current.start {
		b := s.db.NewBatch()
		return errors.Join(b.DeleteRange(keyLog(s.current.start), keyLog(next.start), nil), s.apply(b, false))
	}
	if seeded.Bug("old pages deleted before publish") {
		b := s.db.NewBatch()
		return errors.Join(sn.deleteReplaced(b), s.apply(b, false))
	}
	return nil
}

// replaceSets adds the records of the written sets to b, takes out those of the dropped ones, and deletes the pages that
// no record names any more.
func (sn *Snapshot) replaceSets(b *pebble.Batch) error {
	if err := sn.deleteReplaced(b); err != nil {
		return err
	}
	for key, r := range sn.written {
		if err := b.Set(keySet(key), r.encode(), nil); err != nil {
			return err
		}
	}
	for key := range sn.dropped {
		if err := b.Delete(keySet(key), nil); err != nil {
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
		if err := sn.deleteOld(b, key, &SetRecord{}); err != nil {
			return err
		}
	}
	for i := range sn.orphans {
		err := new(SetRecord).eachReplaced(&sn.orphans[i], func(at place, lo, hi int) error {
			if at.snapshot != sn.number {
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
func (sn *Snapshot) deleteOld(b *pebble.Batch, key string, next *SetRecord) error {
	old, ok, err := sn.s.setRecord(key)
	if err != nil || !ok {
		return err
	}
	return next.eachReplaced(&old, func(at place, lo, hi int) error { return deletePages(b, at, lo, hi) })
}

// fewPages is up to where pages are deleted one by one: a range tombstone slows down reads around it.
const fewPages = 8

// deletePages deletes pages lo up to before hi of a run.
func deletePages(b *pebble.Batch, at place, lo, hi int) error {
	if seeded.Bug("a replaced page stays") {
		lo++
	}
	if hi-lo > fewPages {
		return b.DeleteRange(keyPage(at.snapshot, at.id, uint32(lo)), keyPage(at.snapshot, at.id, uint32(hi)), nil)
	}
	for i := lo; i < hi; i++ {
		if err := b.Delete(keyPage(at.snapshot, at.id, uint32(i)), nil); err != nil {
			return err
		}
	}
	return nil
}

// pagesAfter reports whether there are pages of snapshots above number, which never counted. O(1).
func (s *Store) pagesAfter(number uint64) (found bool, err error) {
	from, to := keySnapshotPages(number+1), keyAfter([]byte(spacePages))
	err = s.scan(from, to, nameOf([]byte(spacePages)), func(_, _ []byte) (bool, error) {
		found = true
		return false, nil
	})
	return found, err
}

// dropPagesAfter deletes them. O(1).
func (s *Store) dropPagesAfter(number uint64) error {
	found, err := s.pagesAfter(number)
	if err != nil || !found {
		return err
	}
	from, to := keySnapshotPages(number+1), keyAfter([]byte(spacePages))
	b := s.db.NewBatch()
	if err := b.DeleteRange(from, to, nil); err != nil {
		return err
	}
	return s.apply(b, false)
}
