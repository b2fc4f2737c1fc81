package memfs

import (
	"io"
	"sync"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// FS is a file system in memory. Its methods may be called from any goroutine.
type FS struct {
	vfs.FS // mem
	mem    *vfs.MemFS
	clone  sync.RWMutex // held for reading by what takes MemFS's own lock twice, for writing by CrashClone
}

// New returns an empty file system that cannot be cloned: CrashClone panics. Flushing a file costs nothing.
func New() *FS { return wrap(vfs.NewMem()) }

// NewCrashable returns an empty file system that knows what is flushed. Flushing a file copies all of it.
func NewCrashable() *FS { return wrap(vfs.NewCrashableMem()) }

func wrap(mem *vfs.MemFS) *FS { return &FS{FS: mem, mem: mem} }

// CrashClone returns the file system as a power cut would leave it now: what is flushed, and of the rest what the configuration
// says. The copy is crashable too. O(bytes stored).
func (f *FS) CrashClone(c vfs.CrashCloneCfg) *FS {
	f.clone.Lock()
	defer f.clone.Unlock()
	return wrap(f.mem.CrashClone(c))
}

// Link implements vfs.FS.
func (f *FS) Link(old, name string) error {
	f.clone.RLock()
	defer f.clone.RUnlock()
	return f.mem.Link(old, name)
}

// ReuseForWrite implements vfs.FS.
func (f *FS) ReuseForWrite(old, name string, c vfs.DiskWriteCategory) (vfs.File, error) {
	f.clone.RLock()
	defer f.clone.RUnlock()
	return f.mem.ReuseForWrite(old, name, c)
}

// Lock implements vfs.FS.
func (f *FS) Lock(name string) (io.Closer, error) {
	f.clone.RLock()
	defer f.clone.RUnlock()
	return f.mem.Lock(name)
}

// Unwrap implements vfs.FS. It returns nil: nothing below is to be used in its place.
func (f *FS) Unwrap() vfs.FS { return nil }

// TestingSetDiskUsage sets what GetDiskUsage answers. Of the zero value, and at first, that is vfs.ErrUnsupported.
func (f *FS) TestingSetDiskUsage(u vfs.DiskUsage) { f.mem.TestingSetDiskUsage(u) }

// String lists the files, with their sizes.
func (f *FS) String() string { return f.mem.String() }
