package persist

import (
	"fmt"
	"time"
)

// Lag returns the age of the oldest commit that is not known to be on the disk; 0: there is none. O(1).
func (s *Store) Lag() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	first := s.lag.first()
	if s.durable.Load() >= s.last.Load() || first.IsZero() {
		return 0
	}
	return time.Since(first)
}

// Waits returns how many times callers have waited in Wait since Open, and how long together. O(1).
func (s *Store) Waits() (n uint64, together time.Duration) {
	return s.waits.Load(), time.Duration(s.waited.Load())
}

// SnapshotTime returns when the last snapshot was published, by the wall clock, to the millisecond; zero: there is none. O(1).
func (s *Store) SnapshotTime() time.Time {
	p := s.pointer()
	if p.snapshot == 0 {
		return time.Time{}
	}
	return time.UnixMilli(int64(p.millis))
}

// SizeOf returns about how many bytes of files the pages of a set take, as they are compressed. Pages that Pebble still has
// in memory only count for nothing. Errors: ErrClosed, those of the disk. O(runs of pages that one snapshot wrote).
func (s *Store) SizeOf(r SetRecord) (int64, error) {
	if err := s.acquire(); err != nil {
		return 0, err
	}
	defer s.release()
	sum, page := uint64(0), uint32(0)
	at := r.places()
	for p, ok := at.next(); ok; {
		lo, run := page, p
		for ok && p.snapshot == run.snapshot && p.id == run.id {
			page++
			p, ok = at.next()
		}
		n, err := s.db.EstimateDiskUsage(keyPage(run.snapshot, run.id, lo), keyPage(run.snapshot, run.id, page))
		if err != nil {
			return 0, fmt.Errorf("persist: size of %q: %w", r.Key, err)
		}
		sum += n
	}
	return int64(sum), nil
}
