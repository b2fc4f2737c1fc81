package pebbledb

import (
	"errors"
	"os"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// Pebble recycles its logs: it gives a log that it needs no more a new name, and writes over it from the beginning. The old bytes stay in the
// file behind the new ones. That is quicker to flush than a new file, but what was deleted stays readable. So a compaction asks for fresh logs
// while it runs, and removes the logs from before: see RemoveBefore.

// logFS is a file system that reuses a file only if it is there and FreshLogs has not been called.
type logFS struct {
	vfs.FS
	db *DB
}

// ReuseForWrite implements vfs.FS.
func (w logFS) ReuseForWrite(old, name string, c vfs.DiskWriteCategory) (vfs.File, error) {
	w.db.logs.Lock()
	defer w.db.logs.Unlock()
	_, err := w.FS.Stat(old)
	switch {
	case errors.Is(err, os.ErrNotExist): // RemoveBefore has removed it
		return w.FS.Create(name, c)
	case err == nil && w.db.freshLogs:
		if err := w.FS.Remove(old); err != nil {
			return nil, err
		}
		return w.FS.Create(name, c)
	}
	return w.FS.ReuseForWrite(old, name, c)
}

// Unwrap implements vfs.FS.
func (w logFS) Unwrap() vfs.FS { return w.FS }

// FreshLogs makes Pebble begin each log in a new file until the function that it returns is called.
func (d *DB) FreshLogs() (end func()) {
	d.setFreshLogs(true)
	return func() { d.setFreshLogs(false) }
}

func (d *DB) setFreshLogs(on bool) {
	d.logs.Lock()
	defer d.logs.Unlock()
	d.freshLogs = on
}
