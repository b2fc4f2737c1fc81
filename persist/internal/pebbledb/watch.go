package pebbledb

import (
	"fmt"
	"time"

	"github.com/zrankdb/zrank/persist/internal/errs"
)

// DiskWait returns the time since the last write or flush ended, if the committer or a snapshot waits for one; 0: neither waits. O(1).
func (d *DB) DiskWait() time.Duration {
	waited := max(d.watch.age(d.watch.began.Load()), d.watch.age(d.watch.pacing.Load()))
	return min(waited, d.FS.Quiet())
}

// Timed runs one of the committer's calls to the disk; the watchdog watches its duration. Calls must not nest.
func (d *DB) Timed(call func() error) error {
	d.watch.start()
	defer d.callEnded()
	return call()
}

// callEnded ends the call that watch.start began. If the watchdog has reported the call as slow or stalled, it reports the end too.
func (d *DB) callEnded() {
	began := d.watch.began.Swap(0)
	if began >= 0 { // not reported: a report makes began negative
		return
	}
	age := d.watch.age(began)
	slow, stuck := d.watch.ended()
	if stuck {
		d.Report(Event{Kind: EventStalled, Ended: true, Duration: age})
	}
	if slow {
		d.Report(Event{Kind: EventSlowSync, Ended: true, Duration: age})
	}
}

// Stalled returns ErrStalled while the disk does not answer, or the operating system refuses a file.
func (d *DB) Stalled() error {
	if !d.watch.stuck.Load() {
		return nil
	}
	err := fmt.Errorf("%w: one write or flush has taken %v", errs.ErrStalled, d.watch.age(d.watch.began.Load()).Round(time.Millisecond))
	if cause := d.FS.Waiting(); cause != nil {
		err = fmt.Errorf("%w: the system refuses a file: %w", err, cause)
	}
	return err
}

// PollCall returns the age of the running call to the disk. slow is true if the call has just become slow, and stuck if it has just
// reached the timeout: each only once a call.
func (d *DB) PollCall() (age time.Duration, slow, stuck bool) { return d.watch.poll() }

// PollInterval returns how often PollCall must be called to notice slow and stuck calls in time.
func (d *DB) PollInterval() time.Duration { return min(d.watch.slow, d.watch.timeout) / 4 }

// PaceEnds notes that no snapshot waits for Pebble any more.
func (d *DB) PaceEnds() { d.watch.pacing.Store(0) }
