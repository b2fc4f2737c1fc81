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
)

// PageBatch is how many bytes of pages go to Pebble in one batch, between two rounds of commits. It is small, because the flush of the
// next round has to write the batch first.
const PageBatch = 64 << 10

// someBatch is the same of a write-out that does not give way: callers wait for it, and each batch waits for a round of commits.
const someBatch = 1 << 20

// Snapshot is a running snapshot. Its methods are for one goroutine. Until Publish returns nil, Open and reads ignore it: after a
// crash, Abort or a failure the store has the previous snapshot and the whole log.
type Snapshot struct {
	l       *commitlog.Log
	number  uint64
	upto    uint64
	some    bool                        // a write-out: Publish leaves the log as it is
	batch   *pebble.Batch               // pages not yet handed over
	written map[string]format.SetRecord // the sets of this snapshot
	dropped map[string]bool
	orphans []format.SetRecord // sets that were written in this snapshot and then dropped
	ids     uint64             // the last set id given out
	bytes   int64              // of pages written
	pacer   *commitlog.Pacer   // nil: it does not give way to commits
	over    bool               // published or aborted
	failed  error
}

var errSnapshotOver = errors.New("persist: the snapshot is published or aborted")

// New starts a snapshot; its Publish cuts the log after commit upto, but for Config.Retain. Before Publish the caller must pass to WriteSet or DropSet every
// set that a commit up to upto has changed since the last snapshot. Any other set keeps its record and pages. It first deletes what one that
// has failed between two pieces has left. Errors: ErrSnapshotRunning, ErrPersistence, ErrClosed, and ErrCorrupt if that cannot be read. O(1).
func New(l *commitlog.Log, upto uint64) (*Snapshot, error) {
	return begin(l, upto, false, l.NewPacer())
}

// NewWriteOut starts a write-out, a snapshot of any sets that the caller chooses. Its Publish gives these sets their records in one batch that
// is not flushed, and leaves the log and the other sets as they are. Writing gives way to commits by pacer; nil: it does not.
// Errors: those of New. O(1).
func NewWriteOut(l *commitlog.Log, pacer *commitlog.Pacer) (*Snapshot, error) {
	return begin(l, l.Pointer().Upto, true, pacer)
}

func begin(l *commitlog.Log, upto uint64, some bool, pacer *commitlog.Pacer) (*Snapshot, error) {
	number, err := l.BeginSnapshot(upto)
	if err != nil {
		return nil, err
	}
	if err := tidyUp(l); err != nil {
		l.EndSnapshot()
		return nil, err
	}
	return &Snapshot{
		l:       l,
		number:  number,
		upto:    upto,
		some:    some,
		written: make(map[string]format.SetRecord),
		dropped: make(map[string]bool),
		pacer:   pacer,
	}, nil
}

// tidyUp deletes the pages that the last snapshot has left, if it has failed between two pieces.
func tidyUp(l *commitlog.Log) error {
	if err := l.DB.Acquire(); err != nil {
		return err
	}
	_, failed, err := Publishing(l.DB)
	if l.DB.Release(); err != nil || !failed {
		return err
	}
	return l.Do(func() error { return DropUnnamed(l.DB) })
}

// WriteSet writes the pages of a set: see persist.Snapshot.
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

// writePages writes the pages that are not nil, and sets the record's table and number of pages.
func (sn *Snapshot) writePages(r *format.SetRecord, pages iter.Seq[[]byte]) error {
	old, _, err := Set(sn.l.DB, r.Key)
	if err != nil {
		return err
	}
	oldPlaces := format.PlacesOf(&old)
	var table format.TableWriter
	for page := range pages {
		at, ok := oldPlaces.Next()
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

// addPage adds a page to the batch and returns its place. It hands over a full batch.
func (sn *Snapshot) addPage(r *format.SetRecord, page []byte) (format.Place, error) {
	at := format.Place{Snapshot: sn.number, ID: sn.ids, Known: true}
	if len(page) > format.MaxCommit {
		return at, fmt.Errorf("%w: a page of %d bytes, the limit is %d", errs.ErrTooLarge, len(page), format.MaxCommit)
	}
	if sn.batch == nil {
		if err := sn.l.DB.Acquire(); err != nil { // Pebble must be open to make a batch
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
	if full := sn.batchBytes(); sn.batch.Len() >= full {
		return at, HandOver(sn)
	}
	return at, nil
}

// batchBytes returns how many bytes of pages go to Pebble in one batch.
func (sn *Snapshot) batchBytes() int {
	if sn.some && sn.pacer == nil {
		return someBatch
	}
	return PageBatch
}

// Bytes returns the size of the pages written so far; those that are kept do not count. O(1).
func (sn *Snapshot) Bytes() int64 { return sn.bytes }

// pause gives way to commits.
func (sn *Snapshot) pause() {
	if sn.pacer != nil {
		sn.pacer.Pause(0)
	}
}

// HandOver applies the collected pages in the committer, without a flush. The pages count only once the pointer names them, and the
// pointer comes after them in Pebble's log.
func HandOver(sn *Snapshot) error {
	b := sn.batch
	if b == nil {
		return nil
	}
	sn.batch = nil
	if err := sn.l.DB.SpaceForPages(b.Len()); err != nil {
		return errors.Join(err, b.Close())
	}
	n := b.Len()
	if err := sn.l.Do(func() error { return sn.l.DB.Apply(b, false) }); err != nil {
		return err
	}
	sn.pause()
	return sn.l.DB.Pace(n)
}

// DropSet says that the set does not exist any more. Publish deletes its record and pages.
func (sn *Snapshot) DropSet(key string) {
	if r, ok := sn.written[key]; ok {
		sn.orphans = append(sn.orphans, r)
		delete(sn.written, key)
	}
	sn.dropped[key] = true
}

// Abort deletes the pages that the snapshot has written and that no record names, and lets the next snapshot start. After Publish it does
// nothing. Errors: ErrPersistence, ErrClosed, ErrCorrupt; then the next snapshot or Open deletes the pages.
func (sn *Snapshot) Abort() error {
	if sn.over {
		return nil
	}
	if sn.batch != nil {
		_ = sn.batch.Close()
		sn.batch = nil
	}
	err := sn.l.Do(func() error {
		if sn.l.Pointer().Snapshot == sn.number {
			return DropUnnamed(sn.l.DB)
		}
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

// usable returns the reason why the snapshot cannot be written or published, or nil.
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
