package pebbledb

import (
	"sync"
	"sync/atomic"
	"time"
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
