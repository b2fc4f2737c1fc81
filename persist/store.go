package persist

import (
	"context"
	"encoding/binary"
	"time"

	"github.com/zrankdb/zrank/persist/internal/commitlog"
	"github.com/zrankdb/zrank/persist/wal"
)

// Store is an open store. All its methods may be called from any goroutine.
type Store struct {
	log      *commitlog.Log
	recovery Recovery
}

// Recovery tells what Open found.
type Recovery struct {
	Snapshot    uint64        // number of the last published snapshot; 0: none yet
	Upto        uint64        // the commit up to which it covers every set
	Sets        int           // in the last published snapshot
	Groups      int           // in the log
	Commits     uint64        // in the log and after Upto: what Replay goes through
	DroppedTail int           // bytes at the end of the log that a power cut left unfinished; no commit in them was acknowledged as durable
	Clean       bool          // the store had been closed
	Duration    time.Duration // of Open
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
func (s *Store) Append(b *Batch) (seq uint64, err error) { return s.log.Append(&b.b) }

// Wait returns when the commit has what the level promises. At Sync it returns when the commit is durable. At Interval and None it
// returns at once, but blocks while more than 8 MiB are queued; at Interval also while a commit older than Options.MaxLag is not
// durable. Wait returns nil for a durable commit, even after a failure or Close. Errors: ErrPersistence, ErrClosed, and ErrStalled
// while the disk does not answer. A commit that fails may or may not be found later.
func (s *Store) Wait(ctx context.Context, seq uint64) error { return s.log.Wait(ctx, seq) }

// Flush is Barrier without a deadline.
func (s *Store) Flush() error { return s.log.Flush() }

// Barrier returns when everything appended so far is durable, at any level. If ctx ends first, Barrier returns the cause of ctx and
// the commits stay queued. Errors: ErrStalled, ErrPersistence, ErrClosed.
func (s *Store) Barrier(ctx context.Context) error { return s.log.Barrier(ctx) }

// Replay calls fn with each effect of the log after the last published snapshot, in order. It skips notes, and commits that wrote only private
// keys. It must be called between Open and the first Append; after an Append it returns an error. Member and Value are valid during
// the call only. Replay stops at fn's first error and returns it. Errors: ErrCorrupt, ErrClosed. O(log).
func (s *Store) Replay(fn func(seq uint64, e wal.Effect) error) error { return s.log.Replay(fn) }
