package snapshot

import (
	"bytes"
	"errors"
	"fmt"
	"iter"

	"github.com/cockroachdb/pebble/v2"

	"github.com/zrankdb/zrank/persist/internal/commitlog"
	"github.com/zrankdb/zrank/persist/internal/errs"
	"github.com/zrankdb/zrank/persist/internal/format"
	"github.com/zrankdb/zrank/persist/internal/pebbledb"
)

// PageBatch is how many bytes of pages go to Pebble at once, between two rounds of commits: the flush of the next round has
// them before it.
const PageBatch = 64 << 10

// Snapshot is one in the making. Its methods are for one goroutine. Until Publish returns nil the store is as if it did
// not exist; a crash, Abort or a failure leaves the snapshot before it and the whole log.
type Snapshot struct {
	l       *commitlog.Log
	number  uint64
	upto    uint64
	batch   *pebble.Batch               // pages not yet handed over
	written map[string]format.SetRecord // the sets of this snapshot
	dropped map[string]bool
	orphans []format.SetRecord // pages of this snapshot that no set has: it was dropped after it was written
	ids     uint64
	bytes   int64 // of pages, written
	unpaced int   // bytes handed over since the last look at how far Pebble is behind
	over    bool  // published or aborted
	failed  error
}

var errSnapshotOver = errors.New("persist: the snapshot is published or aborted")

// New starts a snapshot that will let the log be cut after commit upto. The caller writes, before Publish,
// every set that a commit up to upto has changed since the last snapshot, with WriteSet or DropSet; a set that is left
// out keeps its record and pages. Errors: ErrSnapshotRunning, ErrPersistence, ErrClosed. O(1).
func New(l *commitlog.Log, upto uint64) (*Snapshot, error) {
	number, err := l.BeginSnapshot(upto)
	if err != nil {
		return nil, err
	}
	return &Snapshot{
		l:       l,
		number:  number,
		upto:    upto,
		written: make(map[string]format.SetRecord),
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
	if last := sn.l.LastSeq(); base < sn.upto || base > last || entries < 0 {
		return fmt.Errorf("persist: set %q: base %d, want %d to %d; %d entries", key, base, sn.upto, last, entries)
	}
	sn.ids++
	r := format.SetRecord{Key: key, Meta: bytes.Clone(meta), Base: base, Entries: entries}
	if sn.failed = sn.writePages(&r, pages); sn.failed != nil {
		return sn.failed
	}
	sn.written[key] = r
	delete(sn.dropped, key)
	return nil
}

// writePages writes the pages that are given and fills in the record's table.
func (sn *Snapshot) writePages(r *format.SetRecord, pages iter.Seq[[]byte]) error {
	old, _, err := Set(sn.l.DB, r.Key)
	if err != nil {
		return err
	}
	was := format.PlacesOf(&old)
	var table format.TableWriter
	for page := range pages {
		at, ok := was.Next()
		switch {
		case page != nil:
			at, err = sn.addPage(r, page)
		case !ok:
			err = fmt.Errorf("persist: set %q: page %d is to be kept, its record has %d", r.Key, r.Pages, old.Pages)
		case !at.Known:
			at, err = readChecksum(sn.l.DB, at, r.Pages)
		}
		if err != nil {
			return err
		}
		table.Add(at)
		r.Pages++
	}
	format.SetTable(r, &table)
	return nil
}

// addPage writes a page and returns where it is.
func (sn *Snapshot) addPage(r *format.SetRecord, page []byte) (format.Place, error) {
	at := format.Place{Snapshot: sn.number, ID: sn.ids, Known: true}
	if len(page) > format.MaxCommit {
		return at, fmt.Errorf("%w: a page of %d bytes, the limit is %d", errs.ErrTooLarge, len(page), format.MaxCommit)
	}
	if sn.batch == nil {
		if err := sn.l.DB.Acquire(); err != nil { // a batch may be made of an open Pebble only
			return at, err
		}
		sn.batch = sn.l.DB.Pebble.NewBatchWithSize(PageBatch + PageBatch/4)
		sn.l.DB.Release()
	}
	key := format.KeyPage(at.Snapshot, at.ID, uint32(r.Pages))
	op := sn.batch.SetDeferred(len(key), 4+len(page))
	copy(op.Key, key)
	at.CRC = format.SealPage(op.Value, key, page)
	sn.bytes += int64(len(page))
	if err := op.Finish(); err != nil {
		return at, err
	}
	if sn.batch.Len() >= PageBatch {
		return at, HandOver(sn)
	}
	return at, nil
}

// Bytes returns the size of the pages written so far; those that are kept do not count. O(1).
func (sn *Snapshot) Bytes() int64 { return sn.bytes }

// HandOver gives the collected pages to the committer, unflushed: nothing counts on them before the pointer names them,
// and the pointer comes after them in Pebble's log.
func HandOver(sn *Snapshot) error {
	b := sn.batch
	if b == nil {
		return nil
	}
	sn.batch = nil
	if err := sn.l.DB.SpaceForPages(b.Len()); err != nil {
		return errors.Join(err, b.Close())
	}
	sn.unpaced += b.Len()
	if err := sn.l.Do(func() error { return sn.l.DB.Apply(b, false) }); err != nil || sn.unpaced < pebbledb.PaceEvery {
		return err
	}
	sn.unpaced = 0
	return sn.l.DB.Pace()
}

// DropSet says that the set does not exist any more: its record and pages go.
func (sn *Snapshot) DropSet(key string) {
	if r, ok := sn.written[key]; ok {
		sn.orphans = append(sn.orphans, r)
		delete(sn.written, key)
	}
	sn.dropped[key] = true
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
	err := sn.l.Do(func() error {
		return DropPagesAfter(sn.l.DB, sn.number-1)
	})
	sn.finish()
	return err
}

func (sn *Snapshot) finish() {
	sn.over = true
	sn.l.DB.PaceEnds()
	sn.l.EndSnapshot()
}

func (sn *Snapshot) usable() error {
	switch {
	case sn.l.DB.IsClosing():
		return errs.ErrClosed
	case sn.over:
		return errSnapshotOver
	case sn.failed != nil:
		return sn.failed
	}
	return sn.l.DB.Failure()
}
