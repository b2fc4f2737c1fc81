package pebbledb

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/zrankdb/zrank/persist/internal/errs"
)

// callWatch times the committer's calls to the disk. Two words of the committer's are all that a call costs.
type callWatch struct {
	epoch   time.Time
	slow    time.Duration
	timeout time.Duration

	// began is the start of the running call, in nanoseconds after epoch plus 1; 0: no call runs. The watchdog makes
	// it negative, under mu, when it has reported the call: then the end of the call is reported too.
	began atomic.Int64

	// pacing is the same for a snapshot that waits for Pebble to take in its pages, which may wait for the disk. It runs on from
	// one page to the next until Pebble has caught up, or the snapshot is over.
	pacing atomic.Int64

	mu       sync.Mutex  // guards reported, and the changes of stuck
	reported bool        // an EventSlowSync was reported for the call
	stuck    atomic.Bool // the call has taken timeout
}

func (w *callWatch) start() { w.began.Store(w.now()) }

// now is never 0.
func (w *callWatch) now() int64 { return int64(time.Since(w.epoch)) + 1 }

// age returns how long a call that began then has run.
func (w *callWatch) age(began int64) time.Duration {
	if began == 0 {
		return 0
	}
	return time.Since(w.epoch) - time.Duration(max(began, -began)-1)
}

// DiskWait returns how long no write or flush has ended while the committer waits for one, or a snapshot for those in Pebble's
// background; 0: neither waits. O(1).
func (d *DB) DiskWait() time.Duration {
	waited := max(d.watch.age(d.watch.began.Load()), d.watch.age(d.watch.pacing.Load()))
	return min(waited, d.FS.Quiet())
}

// Timed runs one of the committer's calls to the disk under the eyes of the watchdog. Calls do not nest.
func (d *DB) Timed(call func() error) error {
	d.watch.start()
	defer d.callEnded()
	return call()
}

// callEnded ends the call that watch.start began.
func (d *DB) callEnded() {
	began := d.watch.began.Swap(0)
	if began >= 0 {
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

// ended forgets the call that has ended, and returns what was reported of it.
func (w *callWatch) ended() (slow, stuck bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	slow, stuck = w.reported, w.stuck.Load()
	w.reported = false
	w.stuck.Store(false)
	return slow, stuck
}

// look returns the age of the running call; slow: it has just become slow; stuck: it has just reached the timeout.
func (w *callWatch) look() (age time.Duration, slow, stuck bool) {
	began := w.began.Load()
	age = w.age(began)
	if age < min(w.slow, w.timeout) {
		return age, false, false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if began > 0 && !w.began.CompareAndSwap(began, -began) || began < 0 && w.began.Load() != began {
		return age, false, false // it has just ended
	}
	slow = age >= w.slow && !w.reported
	stuck = age >= w.timeout && !w.stuck.Load()
	w.reported = w.reported || slow
	if stuck {
		w.stuck.Store(true)
	}
	return age, slow, stuck
}

// Stalled returns ErrStalled while the disk does not answer.
func (d *DB) Stalled() error {
	if !d.watch.stuck.Load() {
		return nil
	}
	return fmt.Errorf("%w: one write or flush has taken %v", errs.ErrStalled, d.watch.age(d.watch.began.Load()).Round(time.Millisecond))
}

// Look returns the age of the running call to the disk; slow: it has just become slow; stuck: it has just reached the timeout. Each
// is reported once a call.
func (d *DB) Look() (age time.Duration, slow, stuck bool) { return d.watch.look() }

// LookEvery returns how often Look must be called to notice both in time.
func (d *DB) LookEvery() time.Duration { return min(d.watch.slow, d.watch.timeout) / 4 }

// PaceEnds notes that no snapshot waits for Pebble any more.
func (d *DB) PaceEnds() { d.watch.pacing.Store(0) }
