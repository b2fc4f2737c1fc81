package persist

import (
	"fmt"
	"time"
)

// SnapshotTime returns when the last snapshot was published, by the wall clock, to the millisecond; zero: there is none. O(1).
func (l *Log) SnapshotTime() time.Time {
	p := l.pointer()
	if p.snapshot == 0 {
		return time.Time{}
	}
	return time.UnixMilli(int64(p.millis))
}

// SizeOf returns about how many bytes of files the pages of a set take, as they are compressed. Pages that Pebble still has
// in memory only count for nothing. Errors: ErrClosed, those of the disk. O(runs of pages that one snapshot wrote).
func (d *DB) SizeOf(r SetRecord) (int64, error) {
	if err := d.acquire(); err != nil {
		return 0, err
	}
	defer d.release()
	sum, page := uint64(0), uint32(0)
	at := r.places()
	for p, ok := at.next(); ok; {
		lo, run := page, p
		for ok && p.snapshot == run.snapshot && p.id == run.id {
			page++
			p, ok = at.next()
		}
		n, err := d.db.EstimateDiskUsage(keyPage(run.snapshot, run.id, lo), keyPage(run.snapshot, run.id, page))
		if err != nil {
			return 0, fmt.Errorf("persist: size of %q: %w", r.Key, err)
		}
		sum += n
	}
	return int64(sum), nil
}
