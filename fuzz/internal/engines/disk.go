package engines

import (
	"cmp"
	"sync"

	"github.com/cockroachdb/pebble/v2/vfs/errorfs"

	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/internal/powercut"
	"github.com/zrankdb/zrank/persist"
)

// disk is a file system in memory whose power can fail, or a directory.
type disk struct {
	dir  string // of the operating system; "": in memory
	mem  *memfs.FS
	cuts uint64 // cuts so far; it seeds the choice of the unflushed data that a cut leaves

	mu      sync.Mutex
	left    int       // writes and flushes before the planted cut; 0: none is planted
	percent int       // the share of unflushed data that the planted cut leaves
	image   *memfs.FS // the file system that the planted cut has left; nil: it has not happened
}

// newDisk returns an empty disk in memory.
func newDisk() *disk { return &disk{mem: memfs.NewCrashable()} }

// fs returns the disk as a file system that counts writes. For a directory of the operating system it returns nil.
func (d *disk) fs() persist.FS {
	if d.dir != "" {
		return nil
	}
	return errorfs.Wrap(d.mem, d)
}

// path returns the directory of the engine.
func (d *disk) path() string { return cmp.Or(d.dir, "data") }

// cut returns the file system that a power cut would leave now, with a share of the unflushed data. It cancels a planted cut.
func (d *disk) cut(percent int) *memfs.FS {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.left, d.image = 0, nil
	return d.clone(percent)
}

// clone returns a copy of the file system with a share of the unflushed data.
func (d *disk) clone(percent int) *memfs.FS {
	d.cuts++
	percent = min(max(percent, 0), 100)
	return powercut.Clone(d.mem, percent, d.cuts)
}

// plant plants a cut at the n-th write or flush from now.
func (d *disk) plant(percent, n int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.percent, d.left = percent, max(n, 1)
}

// crashed returns the file system that the planted cut has left, or nil.
func (d *disk) crashed() *memfs.FS {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.image
}

// replace continues with another file system.
func (d *disk) replace(left *memfs.FS) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.mem, d.image = left, nil
}

// MaybeError is the hook before each operation on a file. It counts writes and never fails one.
func (d *disk) MaybeError(op errorfs.Op) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.left == 0 || !powercut.Changes(op) {
		return nil
	}
	if d.left--; d.left == 0 {
		d.image = d.clone(d.percent)
	}
	return nil
}

// String is the name of the injector.
func (d *disk) String() string { return "power" }
