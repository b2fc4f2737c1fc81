package failstop

import (
	"errors"
	"io/fs"
	"sync"
	"syscall"
	"time"
)

// IsPassing reports whether the operating system has refused a call for a reason that is not the disk's, and that can pass while the
// process runs: no descriptors or memory are left, a signal came, or the permissions of a file were changed.
func IsPassing(err error) bool {
	for _, passing := range [...]error{syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM, syscall.EAGAIN, syscall.EINTR, fs.ErrPermission} {
		if errors.Is(err, passing) {
			return true
		}
	}
	return false
}

// The delays between two tries. They double from the first to the last.
const (
	firstDelay  = time.Millisecond
	lastDelay   = 250 * time.Millisecond
	reportAfter = 100 * time.Millisecond // shorter waits are not reported
)

// Retries says how the file system waits for errors that pass.
type Retries struct {
	// ReadTimeout is how long a read is tried again, and Expired the error that it then gets, around the cause: whoever reads may hold a
	// connection, and so the very descriptor that is missing. A mutation is tried again until it succeeds, or the latch closes.
	ReadTimeout time.Duration
	Expired     error
	// Report is called when an operation has waited for reportAfter, unless another one has, and with ended when none waits any more.
	Report func(cause error, waited time.Duration, ended bool)
}

// waits is the operations that wait for an error to pass.
type waits struct {
	Retries
	mu       sync.Mutex // guards what follows
	n        int
	since    time.Time // the first of them began
	cause    error     // of the one that began last
	reported bool
}

// begin counts an operation in.
func (w *waits) begin(cause error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.n++; w.n == 1 {
		w.since = time.Now()
	}
	w.cause = cause
}

// look reports the operations that wait, if they have done so for long enough.
func (w *waits) look() {
	w.mu.Lock()
	waited, cause := time.Since(w.since), w.cause
	due := !w.reported && waited >= reportAfter
	w.reported = w.reported || due
	w.mu.Unlock()
	if due {
		w.Report(cause, waited, false)
	}
}

// end counts an operation out. The last one reports that none waits, if it was reported that one does.
func (w *waits) end() {
	w.mu.Lock()
	w.n--
	waited, cause := time.Since(w.since), w.cause
	due := w.n == 0 && w.reported
	if w.n == 0 {
		w.cause, w.reported = nil, false
	}
	w.mu.Unlock()
	if due {
		w.Report(cause, waited, true)
	}
}
