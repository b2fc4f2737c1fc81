package pebbledb

import (
	"cmp"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/sstable"
	"github.com/cockroachdb/pebble/v2/sstable/block"

	"github.com/zrankdb/zrank/persist/internal/errs"
	"github.com/zrankdb/zrank/persist/internal/format"
	"github.com/zrankdb/zrank/persist/internal/storedir"
)

// Mode says how Pebble is opened.
type Mode int

const (
	ReadWrite Mode = iota // an existing database
	ReadOnly              // an existing database; no file is changed
	CreateNew             // a new database, which must not exist yet
)

// PebbleOptions returns Pebble's options. WALMinSyncInterval stays unset: it makes group commit slower.
func (d *DB) PebbleOptions(mode Mode) *pebble.Options {
	o := &pebble.Options{
		FS:                          storedir.ManifestFS{FS: storedir.MarkerFS{FS: tableFS{logFS{d.FS, d}, d}}, Mark: d.Mark, Fail: d.Fail},
		FormatMajorVersion:          storedir.PebbleFormat,
		Logger:                      Logger{d},
		EventListener:               d.pebbleEvents(),
		CacheSize:                   pebbleCache,
		MemTableSize:                pebbleMemTable,
		MemTableStopWritesThreshold: pebbleStopAt,
		MaxOpenFiles:                pebbleFiles,
		MaxManifestFileSize:         pebbleManifest,
		FlushDelayDeleteRange:       time.Second,       // frees the space of a truncated log soon
		ErrorIfNotExists:            mode != CreateNew, // never replaces a lost database by an empty one
		ErrorIfExists:               mode == CreateNew,
		ReadOnly:                    mode == ReadOnly,
	}
	for i := range o.Levels {
		o.Levels[i].Compression = func() *sstable.CompressionProfile { return block.FastestCompression }
	}
	if d.tune != nil {
		d.tune(o)
	}
	d.memTable = o.MemTableSize
	o.Experimental.FileCacheShards = 1
	o.Experimental.CompactionScheduler = compactions{pebble.NewConcurrencyLimitSchedulerWithNoPeriodicGrantingForTest(), d}
	return o
}

// pebbleEvents returns the listener for Pebble's events: it logs damage and write stalls, latches background failures, and updates the
// high-water mark for a new MANIFEST.
func (d *DB) pebbleEvents() *pebble.EventListener {
	return &pebble.EventListener{
		BackgroundError: d.backgroundError,
		ManifestCreated: func(i pebble.ManifestCreateInfo) {
			if i.Err != nil {
				return
			}
			if err := d.Mark.ManifestCreated(uint64(i.FileNum)); err != nil {
				d.Fail(err)
			}
		},
		DataCorruption: func(i pebble.DataCorruptionInfo) {
			d.logger.Error("persist: damaged file", "path", i.Path, "details", i.Details)
		},
		WriteStallBegin: func(i pebble.WriteStallBeginInfo) {
			d.logger.Warn("persist: the disk is behind, writes wait", "reason", i.Reason)
		},
	}
}

// backgroundError latches the failure of a flush or a compaction, with three exceptions. A compaction that reads damaged bytes writes
// nothing, so the disk has not failed; the next reader of those bytes gets ErrCorrupt, and blocked stops writes if the compaction is
// needed. One that could not open a table for want of descriptors begins again. After the committer has ended, Close reports the error that
// Pebble's own Close returns.
func (d *DB) backgroundError(err error) {
	if errors.Is(err, errs.ErrStalled) {
		return // it has been reported, and Pebble tries again
	}
	if pebble.IsCorruptionError(err) {
		d.damage.Store(&err)
		d.logger.Error("persist: damaged data, found in the background", "dir", d.Dir, "cause", err)
		return
	}
	select {
	case <-d.Gone:
		d.logger.Warn("persist: in the background, while closing", "cause", err)
	default:
		d.Fail(fmt.Errorf("in the background: %w", err))
	}
}

// Logger keeps Pebble from printing and from ending the process.
type Logger struct{ D *DB }

// Infof drops the message.
func (l Logger) Infof(string, ...any) {}

// Errorf passes the message on.
func (l Logger) Errorf(format string, args ...any) {
	l.D.logger.Error("persist: " + fmt.Sprintf(format, args...))
}

// Fatalf latches the failure and ends the goroutine. Pebble calls it for failures that failstop does not hide, such as unreadable
// files. It must not return, as Pebble would go on as if nothing had happened. The goroutine is one of Pebble's, the committer, or one
// that Guard started.
func (l Logger) Fatalf(format string, args ...any) {
	l.D.Fail(fmt.Errorf("%w: %s", ErrFatal, fmt.Sprintf(format, args...)))
	runtime.Goexit()
}

// ErrFatal is the cause of a failure when Pebble has called Fatalf.
var ErrFatal = errors.New("pebble gave up")

// Guard runs f in a new goroutine and returns f's error or the failure of the store. f calls Pebble: when the disk fails, Pebble may
// end the goroutine, panic in it, or never return.
func (d *DB) Guard(f func() error) error {
	done := make(chan error, 1)
	go func() {
		err := ErrFatal
		defer func() { done <- err }()
		defer d.Catch()
		err = f()
	}()
	var err error
	select {
	case err = <-done:
	case <-d.Failed:
		select {
		case <-done:
		case <-time.After(guardTimeout):
		}
	}
	return cmp.Or(d.Failure(), err)
}

// guardTimeout is how long Guard waits for Pebble to return after a failure.
const guardTimeout = time.Second

// Apply writes one batch. With flush it returns when the batch, and everything applied before it, is on the disk. Pebble may report
// success for a flush that failstop has dropped, so Apply checks the latch afterwards. Committer goroutine only.
func (d *DB) Apply(b *pebble.Batch, flush bool) (err error) {
	if err = errors.Join(d.Failure(), d.number(b)); err != nil {
		return err
	}
	if err = d.blocked(); err != nil {
		d.Fail(err)
		return d.Failure()
	}
	if err = d.Timed(func() error { return d.applyToPebble(b, flush) }); err == nil {
		err = d.FS.Err() // failstop may have dropped this flush before onFail was called
	}
	if err != nil {
		d.Fail(err)
	}
	if err = d.Failure(); err != nil {
		return err
	}
	return b.Close()
}

// blocked returns an error if damage keeps Pebble from compacting L0 and the next table would make Pebble block every write for ever.
// Apply then fails instead, because a blocked write cannot be cancelled. O(1) while no damage is known.
func (d *DB) blocked() error {
	damage := d.damage.Load()
	if damage == nil || int(d.Pebble.Metrics().Levels[0].Sublevels) < pebbleL0StopAt-1 {
		return nil
	}
	return fmt.Errorf("no room for new tables: %w", errs.ReadError(*damage, format.NameOf([]byte(storedir.DBName))))
}

// applyToPebble is Apply without the latch. ApplyNoSyncWait followed by SyncWait is the only call that returns the error of a failed
// flush; other calls end the process.
func (d *DB) applyToPebble(b *pebble.Batch, flush bool) error {
	d.countWrite(b.Len()) // may query the disk, so it is part of the timed call
	if !flush {
		return d.Pebble.Apply(b, pebble.NoSync)
	}
	if err := d.Pebble.ApplyNoSyncWait(b, pebble.Sync); err != nil {
		return err
	}
	return b.SyncWait()
}

// compactions stops Pebble's compactions once the files are frozen, because Pebble retries a failed compaction at once, for ever; and once they
// are about to be closed.
type compactions struct {
	pebble.CompactionScheduler
	db *DB
}

// stopped reports whether no compaction may begin.
func (d *DB) stopped() bool { return d.FS.Err() != nil || d.ending.Load() }

// Register implements pebble.CompactionScheduler.
func (c compactions) Register(n int, db pebble.DBForCompaction) {
	c.CompactionScheduler.Register(n, frozen{db, c.db})
}

// TrySchedule implements pebble.CompactionScheduler.
func (c compactions) TrySchedule() (bool, pebble.CompactionGrantHandle) {
	if c.db.stopped() {
		return false, nil
	}
	return c.CompactionScheduler.TrySchedule()
}

// frozen reports to the scheduler that there is nothing to compact once compactions are stopped.
type frozen struct {
	pebble.DBForCompaction
	db *DB
}

// GetWaitingCompaction implements pebble.DBForCompaction.
func (f frozen) GetWaitingCompaction() (bool, pebble.WaitingCompaction) {
	if f.db.stopped() {
		return false, pebble.WaitingCompaction{}
	}
	return f.DBForCompaction.GetWaitingCompaction()
}
