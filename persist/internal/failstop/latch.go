package failstop

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/zrankdb/zrank/internal/memfs"
)

// FS is a file system above another. Its methods may be called from any goroutine.
type FS struct {
	vfs.FS
	root   string
	onFail func(error)
	err    atomic.Pointer[error] // the latch
	epoch  time.Time
	ended  atomic.Int64 // nanoseconds after epoch: when the real file system has carried out a mutation last

	mu      sync.Mutex // guards what follows, which stays empty until the latch closes
	overlay *memfs.FS
	over    map[string]bool // files in the overlay
	gone    map[string]bool // files of the real file system that are hidden
	used    int64           // bytes ever written to the overlay
	limit   int64           // of used: maxOverlay
}

// maxOverlay is what the overlay takes. A store that has failed takes no more commits, so that the most it needs is what
// Pebble had in its memtables.
const maxOverlay = 128 << 20

// New returns a file system above real, for what is in the directory root; other paths pass through to real. It calls onFail
// once, with the error of the first mutation that fails, in the goroutine of that mutation and before it returns.
func New(real vfs.FS, root string, onFail func(error)) *FS {
	return &FS{FS: real, root: root, onFail: onFail, epoch: time.Now(), overlay: memfs.New(), over: map[string]bool{}, gone: map[string]bool{}, limit: maxOverlay}
}

// Err returns the error that has closed the latch, or nil. O(1).
func (f *FS) Err() error {
	if err := f.err.Load(); err != nil {
		return *err
	}
	return nil
}

// Quiet returns how long the real file system has carried out no mutation: none has ended. O(1).
func (f *FS) Quiet() time.Duration { return time.Since(f.epoch) - time.Duration(f.ended.Load()) }

// Fail closes the latch with an error of the caller's. It does not call onFail.
func (f *FS) Fail(err error) { f.err.CompareAndSwap(nil, &err) }

// fail closes the latch with the error of a mutation.
func (f *FS) fail(err error) {
	if f.err.CompareAndSwap(nil, &err) {
		f.onFail(err)
	}
}

// do runs a mutation, unless the latch is closed. It returns false if it was not run or has failed, and the caller is to do
// the same in the overlay. benign is an error that is an answer.
func (f *FS) do(benign error, op func() error) (answer error, done bool) {
	if f.Err() != nil {
		return nil, false
	}
	err := op()
	if err == nil || benign != nil && errors.Is(err, benign) {
		f.ended.Store(int64(time.Since(f.epoch)))
		return err, true
	}
	f.fail(err)
	return nil, false
}

// mustDo runs a mutation that has no counterpart in the overlay.
func (f *FS) mustDo(benign error, op func() error) error {
	if answer, done := f.do(benign, op); done {
		return answer
	}
	return f.refuse()
}

// refuse is the answer of what fails after the latch.
func (f *FS) refuse() error {
	return fmt.Errorf("the files are frozen since a write failed: %w", f.Err())
}

// Unwrap implements vfs.FS.
func (f *FS) Unwrap() vfs.FS { return f.FS }

// outside reports whether a path is not in the directory root.
func (f *FS) outside(name string) bool {
	rest, ok := strings.CutPrefix(name, f.root)
	return !ok || rest != "" && !os.IsPathSeparator(rest[0])
}
