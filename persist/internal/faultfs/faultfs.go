package faultfs

import (
	"os"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// Kind is a kind of mutation.
type Kind string

// The kinds. Sync is any sync of a file or a directory; Open is OpenReadWrite.
const (
	Create    Kind = "create"
	Reuse     Kind = "reuse"
	Open      Kind = "open"
	OpenDir   Kind = "opendir"
	Remove    Kind = "remove"
	RemoveAll Kind = "removeall"
	Rename    Kind = "rename"
	Link      Kind = "link"
	Mkdir     Kind = "mkdir"
	Write     Kind = "write"
	Sync      Kind = "sync"
	Close     Kind = "close"
)

// The kinds of reads, which only ReadHook sees.
const (
	OpenRead Kind = "open to read"
	List     Kind = "list"
	Read     Kind = "read"
)

// Op is a mutation that is about to happen. Size is the number of bytes of a write.
type Op struct {
	Kind Kind
	Path string
	Size int
}

// Fault replaces a mutation; the zero value lets it happen. If Short is set, a write writes half of its bytes and returns Err, which
// may be nil.
type Fault struct {
	Err   error
	Short bool
}

// FS asks Hook before each mutation, and ReadHook, unless it is nil, before each read: a read returns its error.
type FS struct {
	vfs.FS
	Hook     func(Op) Fault
	ReadHook func(Op) error
}

// readErr calls ReadHook.
func (f *FS) readErr(k Kind, path string) error {
	if f.ReadHook == nil {
		return nil
	}
	return f.ReadHook(Op{Kind: k, Path: path})
}

// hookErr calls Hook for a mutation that is not a write, and returns the error that the mutation must fail with, or nil.
func (f *FS) hookErr(k Kind, path string) error { return f.Hook(Op{Kind: k, Path: path}).Err }

// Unwrap implements vfs.FS.
func (f *FS) Unwrap() vfs.FS { return f.FS }

// Open implements vfs.FS.
func (f *FS) Open(name string, o ...vfs.OpenOption) (vfs.File, error) {
	if err := f.readErr(OpenRead, name); err != nil {
		return nil, err
	}
	inner, err := f.FS.Open(name, o...)
	if err != nil || f.ReadHook == nil {
		return inner, err
	}
	return &file{inner, f, name}, nil
}

// List implements vfs.FS.
func (f *FS) List(dir string) ([]string, error) {
	if err := f.readErr(List, dir); err != nil {
		return nil, err
	}
	return f.FS.List(dir)
}

func (f *FS) file(k Kind, name string, open func() (vfs.File, error)) (vfs.File, error) {
	if err := f.hookErr(k, name); err != nil {
		return nil, err
	}
	inner, err := open()
	if err != nil {
		return nil, err
	}
	return &file{inner, f, name}, nil
}

// Create implements vfs.FS.
func (f *FS) Create(name string, c vfs.DiskWriteCategory) (vfs.File, error) {
	return f.file(Create, name, func() (vfs.File, error) { return f.FS.Create(name, c) })
}

// ReuseForWrite implements vfs.FS.
func (f *FS) ReuseForWrite(old, name string, c vfs.DiskWriteCategory) (vfs.File, error) {
	return f.file(Reuse, name, func() (vfs.File, error) { return f.FS.ReuseForWrite(old, name, c) })
}

// OpenReadWrite implements vfs.FS.
func (f *FS) OpenReadWrite(name string, c vfs.DiskWriteCategory, o ...vfs.OpenOption) (vfs.File, error) {
	return f.file(Open, name, func() (vfs.File, error) { return f.FS.OpenReadWrite(name, c, o...) })
}

// OpenDir implements vfs.FS.
func (f *FS) OpenDir(name string) (vfs.File, error) {
	return f.file(OpenDir, name, func() (vfs.File, error) { return f.FS.OpenDir(name) })
}

func (f *FS) do(k Kind, path string, op func() error) error {
	if err := f.hookErr(k, path); err != nil {
		return err
	}
	return op()
}

// Remove implements vfs.FS.
func (f *FS) Remove(name string) error {
	return f.do(Remove, name, func() error { return f.FS.Remove(name) })
}

// RemoveAll implements vfs.FS.
func (f *FS) RemoveAll(name string) error {
	return f.do(RemoveAll, name, func() error { return f.FS.RemoveAll(name) })
}

// Rename implements vfs.FS.
func (f *FS) Rename(old, name string) error {
	return f.do(Rename, name, func() error { return f.FS.Rename(old, name) })
}

// Link implements vfs.FS.
func (f *FS) Link(old, name string) error {
	return f.do(Link, name, func() error { return f.FS.Link(old, name) })
}

// MkdirAll implements vfs.FS.
func (f *FS) MkdirAll(dir string, perm os.FileMode) error {
	return f.do(Mkdir, dir, func() error { return f.FS.MkdirAll(dir, perm) })
}

type file struct {
	vfs.File
	fs   *FS
	name string
}

func (w *file) write(p []byte, write func(p []byte) (int, error)) (int, error) {
	fault := w.fs.Hook(Op{Kind: Write, Path: w.name, Size: len(p)})
	if !fault.Short {
		if fault.Err != nil {
			return 0, fault.Err
		}
		return write(p)
	}
	n, err := write(p[:len(p)/2])
	if err == nil {
		err = fault.Err
	}
	return n, err
}

// Read implements vfs.File.
func (w *file) Read(p []byte) (int, error) {
	if err := w.fs.readErr(Read, w.name); err != nil {
		return 0, err
	}
	return w.File.Read(p)
}

// ReadAt implements vfs.File.
func (w *file) ReadAt(p []byte, off int64) (int, error) {
	if err := w.fs.readErr(Read, w.name); err != nil {
		return 0, err
	}
	return w.File.ReadAt(p, off)
}

// Write implements vfs.File.
func (w *file) Write(p []byte) (int, error) { return w.write(p, w.File.Write) }

// WriteAt implements vfs.File.
func (w *file) WriteAt(p []byte, off int64) (int, error) {
	return w.write(p, func(p []byte) (int, error) { return w.File.WriteAt(p, off) })
}

// Sync implements vfs.File.
func (w *file) Sync() error { return w.fs.do(Sync, w.name, w.File.Sync) }

// SyncData implements vfs.File.
func (w *file) SyncData() error { return w.fs.do(Sync, w.name, w.File.SyncData) }

// SyncTo implements vfs.File.
func (w *file) SyncTo(length int64) (bool, error) {
	if err := w.fs.hookErr(Sync, w.name); err != nil {
		return false, err
	}
	return w.File.SyncTo(length)
}

// Close implements vfs.File. It closes the file even if the hook makes it return an error.
func (w *file) Close() error {
	fault := w.fs.hookErr(Close, w.name)
	if err := w.File.Close(); err != nil {
		return err
	}
	return fault
}
