package disk

import (
	"strings"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// Meter is the operating system's file system with a count of the bytes written through it.
type Meter struct {
	vfs.FS
	log, other atomic.Int64
}

// NewMeter returns a meter at zero.
func NewMeter() *Meter { return &Meter{FS: vfs.Default} }

// Written is the number of bytes written to Pebble's write-ahead logs, and to all files.
type Written struct{ Log, All int64 }

// Written returns what was written so far.
func (m *Meter) Written() Written {
	log := m.log.Load()
	return Written{Log: log, All: log + m.other.Load()}
}

// Since returns what was written after another reading.
func (w Written) Since(before Written) Written {
	return Written{w.Log - before.Log, w.All - before.All}
}

// metered is a file whose writes are counted.
type metered struct {
	vfs.File
	count *atomic.Int64
}

func (m *Meter) metered(name string, f vfs.File, err error) (vfs.File, error) {
	if err != nil {
		return nil, err
	}
	if strings.HasSuffix(name, ".log") {
		return metered{f, &m.log}, nil
	}
	return metered{f, &m.other}, nil
}

// Write implements vfs.File.
func (f metered) Write(p []byte) (int, error) {
	n, err := f.File.Write(p)
	f.count.Add(int64(n))
	return n, err
}

// WriteAt implements vfs.File.
func (f metered) WriteAt(p []byte, at int64) (int, error) {
	n, err := f.File.WriteAt(p, at)
	f.count.Add(int64(n))
	return n, err
}

// Create implements vfs.FS.
func (m *Meter) Create(name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	f, err := m.FS.Create(name, category)
	return m.metered(name, f, err)
}

// OpenReadWrite implements vfs.FS.
func (m *Meter) OpenReadWrite(name string, category vfs.DiskWriteCategory, opts ...vfs.OpenOption) (vfs.File, error) {
	f, err := m.FS.OpenReadWrite(name, category, opts...)
	return m.metered(name, f, err)
}

// ReuseForWrite implements vfs.FS.
func (m *Meter) ReuseForWrite(oldname, newname string, category vfs.DiskWriteCategory) (vfs.File, error) {
	f, err := m.FS.ReuseForWrite(oldname, newname, category)
	return m.metered(newname, f, err)
}

// Unwrap implements vfs.FS.
func (m *Meter) Unwrap() vfs.FS { return m.FS }
