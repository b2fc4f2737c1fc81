package persist

import (
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/cockroachdb/pebble/v2"
)

// pageBatch is how many bytes of pages go to Pebble at once, between two rounds of commits.
const pageBatch = 1 << 20

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
	over    bool // published or aborted
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

// WriteSet writes the pages of a set. They hold all effects on the set up to commit base, and may hold later ones: the
// effects after base are replayed onto them. So base is at least the snapshot's upto, and a set is written once. pages
// is called without any lock of the store. Errors: ErrTooLarge (a page), ErrPersistence, ErrClosed; after an error the
// snapshot can only be aborted. O(bytes).
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
	sn.ids++
	r := SetRecord{
		Key:      key,
		Meta:     append([]byte(nil), meta...),
		Base:     base,
		Entries:  entries,
		snapshot: sn.number,
		id:       sn.ids,
	}
	for page := range pages {
		if sn.failed = sn.addPage(&r, page); sn.failed != nil {
			return sn.failed
		}
	}
	sn.written[key] = r
	delete(sn.dropped, key)
	return nil
}

func (sn *Snapshot) addPage(r *SetRecord, page []byte) error {
	if len(page) > MaxCommit {
		return fmt.Errorf("%w: a page of %d bytes, the limit is %d", ErrTooLarge, len(page), MaxCommit)
	}
	if sn.batch == nil {
		if err := sn.s.acquire(); err != nil { // a batch may be made of an open Pebble only
			return err
		}
		sn.batch = sn.s.db.NewBatchWithSize(pageBatch + pageBatch/8)
		sn.s.release()
	}
	key := keyPage(r.snapshot, r.id, uint32(r.Pages))
	op := sn.batch.SetDeferred(len(key), 4+len(page))
	copy(op.Key, key)
	crc := sealPage(op.Value, key, page)
	if err := op.Finish(); err != nil {
		return err
	}
	r.Pages, r.sum = r.Pages+1, addSum(r.sum, crc)
	if sn.batch.Len() >= pageBatch {
		return sn.handOver()
	}
	return nil
}

// handOver gives the collected pages to the committer, unflushed: nothing counts on them before the pointer names them,
// and the pointer comes after them in Pebble's log.
func (sn *Snapshot) handOver() error {
	b := sn.batch
	if b == nil {
		return nil
	}
	sn.batch = nil
	return sn.s.do(func() error { return sn.s.apply(b, false) })
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
	if sn.failed = sn.handOver(); sn.failed != nil {
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
	err := sn.s.do(func() error { return sn.s.dropPagesAfter(sn.number - 1) })
	sn.finish()
	return err
}

func (sn *Snapshot) finish() {
	sn.over = true
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
	if err := s.mark.published(next, s.durable.Load(), s.committer.chain.prev); err != nil {
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

// replaceSets adds the records of the written sets to b, takes out those of the dropped ones, and deletes the pages that
// the records named before.
func (sn *Snapshot) replaceSets(b *pebble.Batch) error {
	for key, r := range sn.written {
		if err := sn.deleteOld(b, key); err != nil {
			return err
		}
		if err := b.Set(keySet(key), r.encode(), nil); err != nil {
			return err
		}
	}
	for key := range sn.dropped {
		if err := sn.deleteOld(b, key); err != nil {
			return err
		}
		if err := b.Delete(keySet(key), nil); err != nil {
			return err
		}
	}
	for _, r := range sn.orphans {
		if err := deletePages(b, r); err != nil {
			return err
		}
	}
	return nil
}

// deleteOld deletes the pages that the set has in the snapshot before this one.
func (sn *Snapshot) deleteOld(b *pebble.Batch, key string) error {
	old, ok, err := sn.s.setRecord(key)
	if err != nil || !ok {
		return err
	}
	return deletePages(b, old)
}

// fewPages is up to where pages are deleted one by one: a range tombstone slows down reads around it.
const fewPages = 8

func deletePages(b *pebble.Batch, r SetRecord) error {
	if r.Pages > fewPages {
		from := keyPages(r.snapshot, r.id)
		return b.DeleteRange(from, keyAfter(from), nil)
	}
	for i := range r.Pages {
		if err := b.Delete(keyPage(r.snapshot, r.id, uint32(i)), nil); err != nil {
			return err
		}
	}
	return nil
}

// dropPagesAfter deletes the pages of snapshots above number, which never counted. O(1).
func (s *Store) dropPagesAfter(number uint64) error {
	from, to := keySnapshotPages(number+1), keyAfter([]byte(spacePages))
	found := false
	err := s.scan(from, to, nameOf([]byte(spacePages)), func(_, _ []byte) (bool, error) {
		found = true
		return false, nil
	})
	if err != nil || !found {
		return err
	}
	b := s.db.NewBatch()
	if err := b.DeleteRange(from, to, nil); err != nil {
		return err
	}
	return s.apply(b, false)
}
