package pebbledb

import (
	"strings"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// Pebble flushes and compacts what a snapshot writes, in goroutines of its own, for tens of milliseconds at a time. Go takes a processor from a
// goroutine after 10 ms only, and on two processors commits wait for one meanwhile. So while long work gives way to commits, and a little longer,
// a goroutine that writes a table sleeps for a moment after each tableStep.
const (
	tableStep  = 32 << 10
	tablePause = 50 * time.Microsecond
	givesWay   = int64(time.Second) // after the last GiveWay
)

// GiveWay waits for a time, or until the store fails. Pebble's own work gives way too, for a while.
func (d *DB) GiveWay(long time.Duration) {
	d.PebbleGivesWay()
	d.pause(long)
}

// PebbleGivesWay makes Pebble's own work give way for a while.
func (d *DB) PebbleGivesWay() { d.gaveWay.Store(d.watch.now()) }

func (d *DB) pause(long time.Duration) {
	select {
	case <-d.Failed:
	case <-time.After(long):
	}
}

// tableFS is a file system whose tables give way.
type tableFS struct {
	vfs.FS
	db *DB
}

// Create implements vfs.FS.
func (w tableFS) Create(name string, c vfs.DiskWriteCategory) (vfs.File, error) {
	f, err := w.FS.Create(name, c)
	if err != nil || !strings.HasSuffix(name, ".sst") {
		return f, err
	}
	return &tableFile{File: f, db: w.db}, nil
}

// Unwrap implements vfs.FS.
func (w tableFS) Unwrap() vfs.FS { return w.FS }

// tableFile is a table that one goroutine writes.
type tableFile struct {
	vfs.File
	db      *DB
	written int // since the last pause
}

// Write implements vfs.File.
func (f *tableFile) Write(p []byte) (int, error) {
	if f.written += len(p); f.written >= tableStep {
		f.written = 0
		if at := f.db.gaveWay.Load(); at != 0 && f.db.watch.now()-at < givesWay {
			f.db.pause(tablePause)
		}
	}
	return f.File.Write(p)
}
