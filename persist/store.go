package persist

import (
	"context"
	"encoding/binary"
	"iter"
	"time"

	"github.com/zrankdb/zrank/persist/internal/commitlog"
	"github.com/zrankdb/zrank/persist/internal/snapshot"
)

// Store is an open store. All its methods may be called from any goroutine.
type Store struct {
	log      *commitlog.Log
	recovery Recovery
}

// Close makes everything appended durable, at any level, and closes the store. It ends running iterations with ErrClosed
// and waits for them and for the disk. If no write or flush ends for 4 s, Close returns an error; the files are then closed when the
// last call ends. After a failed disk Close returns the same ErrPersistence as the commits. The second call returns nil.
func (s *Store) Close() error { return s.log.Close() }

// ID returns a number that no other store has, nor a copy that Restore or Salvage has made. O(1).
func (s *Store) ID() uint64 { return binary.BigEndian.Uint64(s.log.DB.ID[:]) }

// LastSeq returns the number of the last commit that was appended; 0 is none. O(1).
func (s *Store) LastSeq() uint64 { return s.log.LastSeq() }

// AppliedSeq returns the number of the last commit whose private keys Private and ScanPrivate see. O(1).
func (s *Store) AppliedSeq() uint64 { return s.log.AppliedSeq() }

// DurableSeq returns the number of the last commit that is known to be on the disk. O(1).
func (s *Store) DurableSeq() uint64 { return s.log.DurableSeq() }

// LogBytes returns the size of the log after the last snapshot, in bytes. After a snapshot the error is at most 64 KiB. The next
// Open has to replay that much, so callers use LogBytes to decide when to take a snapshot. O(1).
func (s *Store) LogBytes() int64 { return s.log.LogBytes() }

// DiskUsage returns the bytes that the store takes on the disk, including files that Pebble is about to delete. O(files).
func (s *Store) DiskUsage() (int64, error) { return s.log.DB.DiskUsage() }

// DiskWait returns the time since the last write or flush ended, if the committer or a snapshot waits for one; 0: neither waits. O(1).
func (s *Store) DiskWait() time.Duration { return s.log.DB.DiskWait() }

// Lag returns the age of the oldest commit that is not known to be on the disk; 0: there is none. O(1).
func (s *Store) Lag() time.Duration { return s.log.Lag() }

// Refused returns why Append would refuse a commit now, or could not make it durable: ErrDiskFull, ErrStalled, ErrPersistence or ErrClosed; nil: it would not. O(1).
func (s *Store) Refused() error { return s.log.Refused() }

// Waits returns how many times callers have waited in Wait since Open, and the total time. O(1).
func (s *Store) Waits() (n uint64, together time.Duration) { return s.log.Waits() }

// SnapshotTime returns when the last snapshot was published, by the wall clock, to the millisecond; zero: there is none. O(1).
func (s *Store) SnapshotTime() time.Time {
	p := s.log.Pointer()
	if p.Millis == 0 { // a write-out has a number too
		return time.Time{}
	}
	return time.UnixMilli(int64(p.Millis))
}

// Append gives the commit the next sequence number, 1, 2, ... without gaps, queues a copy of it and returns. It never
// waits for the disk: see Wait. Callers that hold the locks of what the batch changes get their order in the log. An empty
// batch is no commit: Append returns the last number. Errors: ErrTooLarge, ErrDiskFull, ErrStalled, ErrPersistence,
// ErrClosed; then nothing is queued. O(len).
func (s *Store) Append(b *Batch) (seq uint64, err error) { return s.log.Append(b) }

// Wait returns when the commit has what the level promises. At Sync it returns when the commit is durable. At Interval and None it
// returns at once, but blocks while more than 8 MiB are queued; at Interval also while a commit older than Options.MaxLag is not
// durable. Wait returns nil for a durable commit, even after a failure or Close. Errors: ErrPersistence, ErrClosed, and ErrStalled
// while the disk does not answer. A commit that fails may or may not be found later.
func (s *Store) Wait(ctx context.Context, seq uint64) error { return s.log.Wait(ctx, seq) }

// Bulk returns what waits for the commits of a caller that appends many, one after the other, such as those of a big set, and gives way to
// other commits in between. The caller calls its Wait after each Append, in place of the store's. O(1).
func (s *Store) Bulk() *Bulk { return s.log.NewBulk() }

// Flush is Barrier without a deadline.
func (s *Store) Flush() error { return s.log.Flush() }

// Barrier returns when everything appended so far is durable, at any level. If ctx ends first, Barrier returns the cause of ctx and
// the commits stay queued. Errors: ErrStalled, ErrPersistence, ErrClosed.
func (s *Store) Barrier(ctx context.Context) error { return s.log.Barrier(ctx) }

// Replay calls fn with each effect of the log after the last published snapshot, in order. It skips notes, and commits that wrote only private
// keys. It must be called between Open and the first Append; after an Append it returns an error. Member and Value are valid during
// the call only. Replay stops at fn's first error and returns it. Errors: ErrCorrupt, ErrClosed. O(log).
func (s *Store) Replay(fn func(seq uint64, e Effect) error) error { return s.log.Replay(fn) }

// Follow returns a reader of the commits from from+1 on. At any level it shows only durable commits, so that a number it has shown
// means the same commit for ever. From the first call on the store keeps the last Options.TailBytes of the log in memory. The
// follower reads older commits from Pebble, until a snapshot cuts the log: see Options.RetainBytes. Errors: ErrFutureSeq, ErrClosed. O(1).
func (s *Store) Follow(from uint64) (*Follower, error) { return s.log.Follow(from) }

// KeepTail makes the store keep the last commits in memory from now on, as Follow does. O(1).
func (s *Store) KeepTail() { s.log.KeepTail() }

// Followed reports whether commits are kept for followers: Follow or KeepTail was called, or Options.RetainBytes is above 0. O(1).
func (s *Store) Followed() bool { return s.log.Followed() }

// Snapshot starts a snapshot; its Publish cuts the log after commit upto, but for Options.RetainBytes. Before Publish the caller must pass to WriteSet or DropSet
// every set that a commit up to upto has changed since the last snapshot. Any other set keeps its record and pages. Errors:
// ErrSnapshotRunning, ErrPersistence, ErrClosed. O(1).
func (s *Store) Snapshot(upto uint64) (*Snapshot, error) { return snapshot.New(s.log, upto) }

// WriteOut starts a snapshot of any sets that the caller chooses, which needs no other sets. Publish makes the records and pages of these
// sets the current ones, with a base each, and leaves the log and the other sets as they are. It does not flush: a crash that takes the
// new records leaves those before, and the log after their bases. Writing gives way to commits by the pacer; nil: it does
// not. Errors: those of Snapshot. O(1).
func (s *Store) WriteOut(p *Pacer) (*Snapshot, error) { return snapshot.NewWriteOut(s.log, p) }

// Pacer returns what makes several write-outs, one after the other, give way to commits together, as one snapshot does. O(1).
func (s *Store) Pacer() *Pacer { return s.log.NewPacer() }

// Sets iterates over the sets of the last published snapshot, ordered by name. It reads one record a set and no page. A record is valid until
// the next step, its Key for ever. An error ends it: ErrCorrupt, ErrClosed. O(sets).
func (s *Store) Sets() iter.Seq2[SetRecord, error] { return snapshot.Sets(s.log.DB) }

// SetsOf is Sets for some sets, whose names come in order. It leaves out the names that the snapshot does not have. O(names log n), and
// O(1) for a name that follows the one before it.
func (s *Store) SetsOf(names []string) iter.Seq2[SetRecord, error] {
	return snapshot.SetsOf(s.log.DB, names)
}

// Set returns the record of one set in the last published snapshot; ok is false if the snapshot does not have the set. Errors:
// ErrCorrupt, ErrClosed. O(log n).
func (s *Store) Set(key string) (r SetRecord, ok bool, err error) {
	return snapshot.Set(s.log.DB, key)
}

// Pages iterates over the pages of a set, in order. It checks each page before it yields the page. If an error comes, the caller must
// discard what it has built from the pages. A page is valid until the next step. Errors: ErrCorrupt, with the set and the page,
// ErrStale, ErrClosed. O(bytes).
func (s *Store) Pages(r SetRecord) iter.Seq2[[]byte, error] {
	return snapshot.Pages(s.log.DB, r)
}

// PagesOf is Pages for the pages [from, to), counted from 0, so that several goroutines can share the work.
func (s *Store) PagesOf(r SetRecord, from, to int) iter.Seq2[[]byte, error] {
	return snapshot.PageRange(s.log.DB, r, from, to)
}

// SizeOf returns the approximate size in bytes of a set's pages in the files, after compression. It does not count pages that Pebble
// has only in memory. Errors: ErrClosed, those of the disk. O(runs of pages that one snapshot wrote).
func (s *Store) SizeOf(r SetRecord) (int64, error) { return snapshot.SizeOf(s.log.DB, r) }

// Sizes returns the size of each set's pages, as SizeOf, for many sets at a time. SizeOf counts a block for a page that shares the block with
// others; Sizes divides blocks among the sets of one page that a snapshot wrote one after the other. Errors: ErrClosed, those of the disk.
// O(n log n) for n runs of pages that one snapshot wrote.
func (s *Store) Sizes(records []SetRecord) ([]int64, error) { return snapshot.Sizes(s.log.DB, records) }

// Private returns a copy of a private key's value, as of AppliedSeq. ok is false if there is no such key. Errors: ErrClosed,
// ErrCorrupt. O(log n).
func (s *Store) Private(key []byte) (value []byte, ok bool, err error) { return s.log.DB.Private(key) }

// ScanPrivate iterates over the private keys that start with prefix, in order, as they were when the iteration started.
// Key and Value are valid until the next step. An error ends it: ErrClosed, ErrCorrupt. O(log n + visited).
func (s *Store) ScanPrivate(prefix []byte) iter.Seq2[KV, error] {
	return s.log.DB.ScanPrivate(prefix)
}
