package persist

import (
	"iter"

	"github.com/zrankdb/zrank/persist/internal/commitlog"
	"github.com/zrankdb/zrank/persist/internal/format"
	"github.com/zrankdb/zrank/persist/internal/snapshot"
)

// Snapshot starts a snapshot; its Publish cuts the log after commit upto, but for Options.RetainBytes. Before Publish the caller must pass to WriteSet or DropSet
// every set that a commit up to upto has changed since the last snapshot. Any other set keeps its record and pages. Errors:
// ErrSnapshotRunning, ErrPersistence, ErrClosed. O(1).
func (s *Store) Snapshot(upto uint64) (*Snapshot, error) { return begun(snapshot.New(s.log, upto)) }

// WriteOut starts a snapshot of any sets that the caller chooses, which needs no other sets. Publish makes the records and pages of these
// sets the current ones, with a base each, and leaves the log and the other sets as they are. It does not flush: a crash that takes the
// new records leaves those before, and the log after their bases. Writing gives way to commits by the pacer; nil: it does
// not. Errors: those of Snapshot. O(1).
func (s *Store) WriteOut(p *Pacer) (*Snapshot, error) {
	if p == nil {
		return begun(snapshot.NewWriteOut(s.log, nil))
	}
	return begun(snapshot.NewWriteOut(s.log, p.p))
}

// Pacer makes long work in the background give way to commits. It is for one goroutine.
type Pacer struct{ p *commitlog.Pacer }

// Pacer returns what makes several write-outs, one after the other, give way to commits together, as one snapshot does. O(1).
func (s *Store) Pacer() *Pacer { return &Pacer{s.log.NewPacer()} }

// Snapshot is a running snapshot: WriteSet and DropSet write the changed sets, Publish makes this snapshot the current one, Abort
// deletes it. Its methods are for one goroutine. Until Publish returns nil, Open and reads ignore it: after a crash, Abort or a
// failure the store has the previous snapshot and the whole log.
type Snapshot struct{ sn *snapshot.Snapshot }

func begun(sn *snapshot.Snapshot, err error) (*Snapshot, error) {
	if err != nil {
		return nil, err
	}
	return &Snapshot{sn}, nil
}

// WriteSet writes the pages of a set. pages yields the bytes of each page, or nil to keep the page with the same index in the set's
// current record. The pages must hold all effects on the set up to commit base; they may hold later ones, because Replay applies the
// effects after base again. base must be at least the snapshot's upto. A set may be written only once. The store holds no lock while
// it calls pages. Errors: ErrTooLarge (a page), ErrPersistence, ErrClosed, ErrCorrupt; after an error the snapshot can only be aborted.
// O(bytes).
func (sn *Snapshot) WriteSet(key string, meta []byte, base uint64, entries int, pages iter.Seq[[]byte]) error {
	return sn.sn.WriteSet(key, meta, base, entries, pages)
}

// DropSet says that the set does not exist any more. Publish deletes its record and pages.
func (sn *Snapshot) DropSet(key string) { sn.sn.DropSet(key) }

// Bytes returns the size of the pages written so far; those that are kept do not count. O(1).
func (sn *Snapshot) Bytes() int64 { return sn.sn.Bytes() }

// Publish makes this snapshot the current one. It reads back the written pages; then the sets' records change, piece by piece, and the last
// piece is one atomic, flushed batch with the deletion of the log up to upto, but for what Options.RetainBytes keeps. Everything appended
// before Publish is durable then too. After an error the snapshot can only be aborted; the sets' records may be those of before or those
// of this snapshot, and a batch that was under way may change them after Publish has returned. Publish of a write-out is one batch, not
// flushed, that changes the records only. Errors: ErrPersistence, ErrClosed, ErrCorrupt. O(sets written); commits wait for a piece.
func (sn *Snapshot) Publish() error { return sn.sn.Publish() }

// Abort deletes the pages that the snapshot has written and that no record names, and lets the next snapshot start. After Publish it does
// nothing. Errors: ErrPersistence, ErrClosed, ErrCorrupt; then the next snapshot or Open deletes the pages.
func (sn *Snapshot) Abort() error { return sn.sn.Abort() }

// SetRecord describes one set in the last snapshot.
type SetRecord struct {
	Key     string // the name of the set
	Meta    []byte // as given to WriteSet
	Base    uint64 // the commit up to which the pages hold every effect
	Pages   int    // their number
	Entries int    // as given to WriteSet
	stored  format.SetRecord
}

func recordOf(r format.SetRecord) SetRecord {
	return SetRecord{Key: r.Key, Meta: r.Meta, Base: r.Base, Pages: r.Pages, Entries: r.Entries, stored: r}
}

// Sets iterates over the sets of the last published snapshot, ordered by name. It reads one record a set and no page. A record is valid until
// the next step, its Key for ever. An error ends it: ErrCorrupt, ErrClosed. O(sets).
func (s *Store) Sets() iter.Seq2[SetRecord, error] { return recordsOf(snapshot.Sets(s.log.DB)) }

// SetsOf is Sets for some sets, whose names come in order. It leaves out the names that the snapshot does not have. O(names log n), and
// O(1) for a name that follows the one before it.
func (s *Store) SetsOf(names []string) iter.Seq2[SetRecord, error] {
	return recordsOf(snapshot.SetsOf(s.log.DB, names))
}

func recordsOf(all iter.Seq2[format.SetRecord, error]) iter.Seq2[SetRecord, error] {
	return func(yield func(SetRecord, error) bool) {
		for r, err := range all {
			if !yield(recordOf(r), err) {
				return
			}
		}
	}
}

// Set returns the record of one set in the last published snapshot; ok is false if the snapshot does not have the set. Errors:
// ErrCorrupt, ErrClosed. O(log n).
func (s *Store) Set(key string) (r SetRecord, ok bool, err error) {
	stored, ok, err := snapshot.Set(s.log.DB, key)
	return recordOf(stored), ok, err
}

// Pages iterates over the pages of a set, in order. It checks each page before it yields the page. If an error comes, the caller must
// discard what it has built from the pages. A page is valid until the next step. Errors: ErrCorrupt, with the set and the page,
// ErrStale, ErrClosed. O(bytes).
func (s *Store) Pages(r SetRecord) iter.Seq2[[]byte, error] {
	return snapshot.Pages(s.log.DB, r.stored)
}

// PagesOf is Pages for the pages [from, to), counted from 0, so that several goroutines can share the work.
func (s *Store) PagesOf(r SetRecord, from, to int) iter.Seq2[[]byte, error] {
	return snapshot.PageRange(s.log.DB, r.stored, from, to)
}

// SizeOf returns the approximate size in bytes of a set's pages in the files, after compression. It does not count pages that Pebble
// has only in memory. Errors: ErrClosed, those of the disk. O(runs of pages that one snapshot wrote).
func (s *Store) SizeOf(r SetRecord) (int64, error) { return snapshot.SizeOf(s.log.DB, r.stored) }

// Sizes returns the size of each set's pages, as SizeOf, for many sets at a time. SizeOf counts a block for a page that shares the block with
// others; Sizes divides blocks among the sets of one page that a snapshot wrote one after the other. Errors: ErrClosed, those of the disk.
// O(n log n) for n runs of pages that one snapshot wrote.
func (s *Store) Sizes(records []SetRecord) ([]int64, error) {
	stored := make([]format.SetRecord, len(records))
	for i := range records {
		stored[i] = records[i].stored
	}
	return snapshot.Sizes(s.log.DB, stored)
}
