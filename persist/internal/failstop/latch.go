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
	ended  atomic.Int64 // when the last mutation of the real file system succeeded, in nanoseconds after epoch
	waits  atomic.Pointer[waits]

	mu      sync.Mutex // guards what follows, which stays empty until the latch closes
	overlay *memfs.FS
	over    map[string]bool // files in the overlay
	gone    map[string]bool // files of the real file system that are hidden
	used    int64           // bytes ever written to the overlay
	limit   int64           // of used: maxOverlay
}

// maxOverlay bounds the overlay, in bytes. A failed store takes no more commits, so the overlay needs at most the size of Pebble's
// memtables.
const maxOverlay = 128 << 20

// New returns a file system above real for the directory root. Other paths pass through to real. It calls onFail once, with the error
// of the first failed mutation, in the goroutine of that mutation and before the mutation returns.
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

// Quiet returns the time since the last mutation of the real file system succeeded, or since New. O(1).
func (f *FS) Quiet() time.Duration { return time.Since(f.epoch) - time.Duration(f.ended.Load()) }

// Fail closes the latch with an error of the caller's. It does not call onFail.
func (f *FS) Fail(err error) { f.err.CompareAndSwap(nil, &err) }

// fail closes the latch with the error of a mutation.
func (f *FS) fail(err error) {
	if f.err.CompareAndSwap(nil, &err) {
		f.onFail(err)
	}
}

// once runs a mutation, unless the latch is closed. done is false if the mutation did not run or has failed: the caller then does the
// same in the overlay. benign is an error that counts as success; once returns it as answer.
func (f *FS) once(benign error, op func() error) (answer error, done bool) {
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

// refuse returns the error of operations that fail after the latch has closed.
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
