package pebbledb

import (
	"sync"
	"sync/atomic"
	"time"
)

// callWatch times the committer's calls to the disk. A call costs the committer only two atomic writes.
type callWatch struct {
	epoch   time.Time
	slow    time.Duration
	timeout time.Duration

	// began is the start of the running call, in nanoseconds after epoch plus 1; 0: no call runs. The watchdog makes
	// it negative, under mu, when it has reported the call: then the end of the call is reported too.
	began atomic.Int64

	// pacing is the time, in the form of began, since which a snapshot waits for Pebble to catch up, and so perhaps for the disk; 0:
	// none waits. It stays set until Pebble has caught up, or the snapshot is over.
	pacing atomic.Int64

	mu       sync.Mutex  // guards reported, and the changes of stuck
	reported bool        // an EventSlowSync was reported for the call
	stuck    atomic.Bool // the call has taken timeout
}

func (w *callWatch) start() { w.began.Store(w.now()) }

// now is never 0.
func (w *callWatch) now() int64 { return int64(time.Since(w.epoch)) + 1 }

// age returns how long a call has run; began is the value of w.began.
func (w *callWatch) age(began int64) time.Duration {
	if began == 0 {
		return 0
	}
	return time.Since(w.epoch) - time.Duration(max(began, -began)-1)
}

// ended resets the state after a call, and returns which reports were made about the call.
func (w *callWatch) ended() (slow, stuck bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	slow, stuck = w.reported, w.stuck.Load()
	w.reported = false
	w.stuck.Store(false)
	return slow, stuck
}

// poll returns the age of the running call. slow and stuck are true in the first poll after the call has become slow, or has reached
// the timeout.
func (w *callWatch) poll() (age time.Duration, slow, stuck bool) {
	began := w.began.Load()
	age = w.age(began)
	if age < min(w.slow, w.timeout) {
		return age, false, false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if began > 0 && !w.began.CompareAndSwap(began, -began) || began < 0 && w.began.Load() != began {
		return age, false, false // the call has just ended
	}
	slow = age >= w.slow && !w.reported
	stuck = age >= w.timeout && !w.stuck.Load()
	w.reported = w.reported || slow
	if stuck {
		w.stuck.Store(true)
	}
	return age, slow, stuck
}
