package pebbledb

import (
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/zrankdb/zrank/persist/internal/errs"
	"github.com/zrankdb/zrank/persist/internal/failstop"
	"github.com/zrankdb/zrank/persist/internal/storedir"
	"github.com/zrankdb/zrank/persist/wal"
)

// Open opens Pebble.
func (d *DB) Open(mode Mode) error {
	db, err := pebble.Open(d.FS.PathJoin(d.Dir, storedir.DBName), d.PebbleOptions(mode))
	switch {
	case errors.Is(err, pebble.ErrDBDoesNotExist):
		return &wal.CorruptError{Key: storedir.DBName, Reason: "the database is missing"}
	case pebble.IsCorruptionError(err), err != nil && mode == ReadOnly:
		return errs.Damaged(err, storedir.DBName)
	case err != nil:
		return fmt.Errorf("persist: open %s: %w", d.Dir, err)
	}
	d.Pebble = db
	return nil
}

// ClosePebble closes Pebble alone.
func (d *DB) ClosePebble() error {
	err := d.Pebble.Close()
	d.Pebble = nil
	return err
}

// Run starts the goroutines that keep the high-water mark and watch the free space. They end when the files are closed. From Run on an error
// that is not the disk's makes the operation wait.
func (d *DB) Run() {
	d.running.Store(true)
	d.FS.Retry(failstop.Retries{ReadTimeout: d.watch.timeout, Expired: errs.ErrStalled, Report: func(cause error, waited time.Duration, ended bool) {
		d.Report(Event{Kind: EventWaiting, Ended: ended, Duration: waited, Err: cause})
	}})
	d.CheckSpace()
	go func() {
		if err := d.Mark.Keep(d.Failed); err != nil {
			d.Fail(err)
		}
	}()
	go d.watchSpace()
}

// New returns the database in a directory, not opened yet.
func New(dir string, c Config) *DB {
	if vfs.Root(c.FS) == vfs.Default {
		if abs, err := filepath.Abs(dir); err == nil { // the process may change its directory later
			dir = abs
		}
	} else {
		dir = c.FS.PathJoin(dir) // clean: failstop compares paths by their spelling
	}
	d := &DB{
		Dir:       dir,
		logger:    c.Logger,
		tune:      c.Tune,
		refs:      1,
		Failed:    make(chan struct{}),
		Gone:      make(chan struct{}),
		Closed:    make(chan struct{}),
		Abandoned: make(chan struct{}),
		watch:     callWatch{epoch: time.Now(), slow: c.SlowSync, timeout: c.StallTimeout},
		space:     space{reserve: c.DiskReserve},
		events:    notifier{call: c.OnEvent},
	}
	d.FS = failstop.New(c.FS, d.Dir, d.Fail)
	d.Mark = storedir.NewMarkFile(d.FS, d.Dir)
	return d
}
