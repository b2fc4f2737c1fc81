package failstop

import (
	"io"
	"strings"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// file is a real file, or directory, that is open for writing.
type file struct {
	vfs.File
	fs   *FS
	loud bool // after the latch closes, mutations of the file fail instead of doing nothing
}

func (f *FS) wrap(real vfs.File, name string) *file {
	return &file{File: real, fs: f, loud: table(name)}
}

// do runs a mutation. If the mutation fails, or the latch is closed, do returns an error for a loud file, and nil for another.
func (w *file) do(op func() error) error {
	if _, done := w.fs.once(nil, op); done {
		return nil
	}
	if w.loud {
		return w.fs.refuse()
	}
	return nil
}

// write is do for a write of len(p) bytes; write writes those from at on. A short write is a failure, with an error or without. If the
// error passes, the next try goes on behind what was written.
func (w *file) write(p []byte, write func(at int) (int, error)) (n int, err error) {
	at := 0
	err = w.do(func() error {
		return w.fs.retry(0, func() error {
			n, err := write(at)
			if at += n; err == nil && at < len(p) {
				err = io.ErrShortWrite
			}
			return err
		})
	})
	if err != nil {
		return 0, err
	}
	return len(p), nil
}

// Write implements vfs.File.
func (w *file) Write(p []byte) (int, error) {
	return w.write(p, func(at int) (int, error) { return w.File.Write(p[at:]) })
}

// WriteAt implements vfs.File.
func (w *file) WriteAt(p []byte, off int64) (int, error) {
	return w.write(p, func(at int) (int, error) { return w.File.WriteAt(p[at:], off+int64(at)) })
}

// Sync implements vfs.File. A sync that has failed is not repeated, whatever the error: the kernel forgets the pages that it could not write.
func (w *file) Sync() error { return w.do(w.File.Sync) }

// SyncData implements vfs.File.
func (w *file) SyncData() error { return w.do(w.File.SyncData) }

// SyncTo implements vfs.File.
func (w *file) SyncTo(length int64) (full bool, err error) {
	err = w.do(func() (err error) { full, err = w.File.SyncTo(length); return err })
	return full && w.fs.Err() == nil, err
}

// Preallocate implements vfs.File.
func (w *file) Preallocate(offset, length int64) error {
	if w.fs.Err() != nil {
		return nil
	}
	return w.File.Preallocate(offset, length)
}

// Close implements vfs.File. An error of Close counts as a failed mutation: the kernel may report a failed write then.
func (w *file) Close() error {
	if w.fs.Err() != nil {
		_ = w.File.Close() // gives the descriptor back
		return nil
	}
	return w.do(w.File.Close)
}

// overlayFile is a file in memory.
type overlayFile struct {
	vfs.File
	fs *FS
}

// Write implements vfs.File.
func (w *overlayFile) Write(p []byte) (int, error) {
	w.fs.mu.Lock()
	defer w.fs.mu.Unlock()
	if w.fs.used+int64(len(p)) > w.fs.limit {
		return 0, w.fs.refuse()
	}
	w.fs.used += int64(len(p))
	return w.File.Write(p)
}

// table reports whether Pebble reads the file while the store is open.
func table(name string) bool {
	return strings.HasSuffix(name, ".sst") || strings.HasSuffix(name, ".blob")
}
