package residency

import (
	"sync"
	"time"
)

// Sets that have changed are written out by a goroutine of its own: while the disk does not answer, sets that have not changed leave, and
// transactions that change nothing get room. One write-out runs at a time.

// ReliefPause is the time between two tries to get below the limit if sets cannot leave. A disk that takes longer for a batch of sets does not
// take them.
const ReliefPause = time.Second

// writing is the write-out that runs, and how the last one ended.
type writing struct {
	mu     sync.Mutex
	runs   bool
	bytes  int64         // of its sets that have not left yet
	at     time.Time     // of its last progress; if none runs, of the end of the last one
	failed bool          // the last one
	ended  chan struct{} // is closed when it ends; nil if none runs
}

// soon returns the bytes of sets that leave soon; they count for nothing if the disk does not answer. more says that further sets may be written:
// no write-out runs, and the last one has not just failed.
func (w *writing) soon() (bytes int64, more bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	recent := time.Since(w.at) < ReliefPause
	if w.runs && recent {
		bytes = w.bytes
	}
	return bytes, !w.runs && !(w.failed && recent)
}

// running reports whether a write-out runs.
func (w *writing) running() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.runs
}

// fails reports whether the disk takes no write-outs.
func (w *writing) fails() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.failed || w.runs && time.Since(w.at) >= ReliefPause
}

func (w *writing) begin(bytes int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.runs, w.bytes, w.at, w.ended = true, bytes, time.Now(), make(chan struct{})
}

// left notes that a batch of its sets, of so many bytes, has been written.
func (w *writing) left(bytes int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.bytes -= bytes
	w.at = time.Now()
}

func (w *writing) end(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.runs, w.bytes, w.at, w.failed = false, 0, time.Now(), err != nil
	close(w.ended)
	w.ended = nil
}

// wait waits for the end of the write-out that runs, if one does.
func (w *writing) wait() {
	w.mu.Lock()
	ended := w.ended
	w.mu.Unlock()
	if ended != nil {
		<-ended
	}
}
