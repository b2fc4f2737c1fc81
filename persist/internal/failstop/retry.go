package failstop

import (
	"fmt"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// Retry makes the file system try operations again whose error passes. Until it is called, such an error is one like another.
func (f *FS) Retry(r Retries) { f.waits.Store(&waits{Retries: r}) }

// Waiting returns the error that an operation waits for to pass; nil: none waits.
func (f *FS) Waiting() error {
	w := f.waits.Load()
	if w == nil {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.cause
}

// do runs a mutation of names as once does, and again while its error passes.
func (f *FS) do(benign error, op func() error) (answer error, done bool) {
	return f.once(benign, func() error { return f.retry(0, op) })
}

// mustDo runs a mutation that has no counterpart in the overlay.
func (f *FS) mustDo(benign error, op func() error) error {
	if answer, done := f.do(benign, op); done {
		return answer
	}
	return f.refuse()
}

// retry runs op until it returns nil or an error that does not pass, or the latch closes. A limit above 0 bounds the wait.
func (f *FS) retry(limit time.Duration, op func() error) error {
	err := op()
	if err == nil || !IsPassing(err) {
		return err
	}
	w := f.waits.Load()
	if w == nil {
		return err
	}
	w.begin(err)
	defer w.end()
	began := time.Now()
	for delay := firstDelay; f.Err() == nil; delay = min(2*delay, lastDelay) {
		if limit > 0 && time.Since(began) >= limit {
			return fmt.Errorf("%w: tried for %v: %w", w.Expired, limit, err)
		}
		<-time.After(delay)
		if f.Err() != nil { // F1
			break
		}
		if err = op(); err == nil || !IsPassing(err) {
			return err
		}
		w.look()
	}
	return err
}

// retryRead runs a read of the real file system. What is outside of the directory is read once.
func (f *FS) retryRead(name string, op func() error) error {
	w := f.waits.Load()
	if w == nil || f.outside(name) {
		return op()
	}
	return f.retry(w.ReadTimeout, op)
}

// readFile is a real file that is open for reading.
type readFile struct {
	vfs.File
	fs *FS
}

// Read implements vfs.File.
func (r *readFile) Read(p []byte) (n int, err error) {
	return r.read(func() (int, error) { return r.File.Read(p) })
}

// ReadAt implements vfs.File.
func (r *readFile) ReadAt(p []byte, off int64) (int, error) {
	return r.read(func() (int, error) { return r.File.ReadAt(p, off) })
}

// read tries a read again that has read nothing and whose error passes.
func (r *readFile) read(read func() (int, error)) (n int, err error) {
	if n, err = read(); n > 0 || !IsPassing(err) {
		return n, err
	}
	w := r.fs.waits.Load()
	if w == nil {
		return n, err
	}
	err = r.fs.retry(w.ReadTimeout, func() (err error) { n, err = read(); return err })
	return n, err
}
