package persist

import (
	"cmp"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/sstable"
	"github.com/cockroachdb/pebble/v2/sstable/block"

	"github.com/zrankdb/zrank/internal/seeded"
	"github.com/zrankdb/zrank/persist/internal/failstop"
)

// Pebble is read when a set is loaded and otherwise only written to: what it caches, we have too.
const (
	pebbleCache    = 1 << 20
	pebbleMemTable = 4 << 20
	pebbleStopAt   = 4 // full memtables: writes wait
	pebbleFiles    = 64
)

// pebbleMode is what Pebble is opened for.
type pebbleMode int

const (
	pebbleWrite    pebbleMode = iota // an existing database
	pebbleReadOnly                   // the same, and no file is changed
	pebbleCreate                     // one that must not exist yet
)

// pebbleOptions returns Pebble's options. WALMinSyncInterval stays unset: it makes group commit slower.
func (d *DB) pebbleOptions(mode pebbleMode) *pebble.Options {
	o := &pebble.Options{
		FS:                          watchFS{disk{d.fs}, d.mark, d.fail},
		FormatMajorVersion:          pebbleFormat,
		Logger:                      pebbleLogger{d},
		EventListener:               d.pebbleEvents(),
		CacheSize:                   pebbleCache,
		MemTableSize:                pebbleMemTable,
		MemTableStopWritesThreshold: pebbleStopAt,
		MaxOpenFiles:                pebbleFiles,
		FlushDelayDeleteRange:       time.Second,          // so that truncated log gives its space back
		ErrorIfNotExists:            mode != pebbleCreate, // never an empty database in the place of a lost one
		ErrorIfExists:               mode == pebbleCreate,
		ReadOnly:                    mode == pebbleReadOnly,
	}
	if d.tune != nil {
		d.tune(o)
	}
	o.Experimental.FileCacheShards = 1
	o.Experimental.CompactionScheduler = compactions{pebble.NewConcurrencyLimitSchedulerWithNoPeriodicGrantingForTest(), d.fs}
	for i := range o.Levels {
		o.Levels[i].Compression = func() *sstable.CompressionProfile { return block.FastestCompression }
	}
	return o
}

// pebbleEvents passes on what an operator must know.
func (d *DB) pebbleEvents() *pebble.EventListener {
	return &pebble.EventListener{
		BackgroundError: d.backgroundError,
		ManifestCreated: func(i pebble.ManifestCreateInfo) {
			if i.Err != nil {
				return
			}
			if err := d.mark.manifestCreated(uint64(i.FileNum)); err != nil {
				d.fail(err)
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

// backgroundError latches the failure of a flush or a compaction. One that has read damaged bytes has written nothing: it
// is no failure of the disk, and whoever reads those bytes is told; see blocked for what follows from it. Once the committer has ended there is nothing left to
// fail: Close then reports what Pebble's own Close says.
func (d *DB) backgroundError(err error) {
	if pebble.IsCorruptionError(err) {
		d.damage.Store(&err)
		d.logger.Error("persist: damaged data, found in the background", "dir", d.dir, "cause", err)
		return
	}
	select {
	case <-d.gone:
		d.logger.Warn("persist: in the background, while closing", "cause", err)
	default:
		d.fail(fmt.Errorf("in the background: %w", err))
	}
}

// pebbleLogger keeps Pebble from printing and from ending the process.
type pebbleLogger struct{ d *DB }

func (l pebbleLogger) Infof(string, ...any) {}

func (l pebbleLogger) Errorf(format string, args ...any) {
	l.d.logger.Error("persist: " + fmt.Sprintf(format, args...))
}

// Fatalf is for what failstop does not keep from Pebble, such as files that cannot be read. It must not return: Pebble would
// go on as if nothing had happened. It latches the failure and ends the goroutine, which is one of Pebble's own, the committer,
// or one that guard started.
func (l pebbleLogger) Fatalf(format string, args ...any) {
	l.d.fail(fmt.Errorf("%w: %s", errFatal, fmt.Sprintf(format, args...)))
	runtime.Goexit()
}

var errFatal = errors.New("pebble gave up")

// guard runs f, which calls Pebble, in a goroutine that Pebble may end, panic in, or not come back from when the disk fails,
// and returns f's error or the failure.
func (d *DB) guard(f func() error) error {
	done := make(chan error, 1)
	go func() {
		err := errFatal
		defer func() { done <- err }()
		defer d.catch()
		err = f()
	}()
	var err error
	select {
	case err = <-done:
	case <-d.failed:
		select {
		case <-done:
		case <-time.After(guardTimeout):
		}
	}
	return cmp.Or(d.failure(), err)
}

// guardTimeout is how long guard waits for Pebble to come back after a failure.
const guardTimeout = time.Second

// catch latches a panic of Pebble's, which is how it answers some failed writes. It is to be deferred.
func (d *DB) catch() {
	if r := recover(); r != nil {
		err, ok := r.(error)
		if !ok {
			err = fmt.Errorf("%v", r)
		}
		d.fail(fmt.Errorf("panic: %w\n%s", err, debug.Stack()))
	}
}

// apply writes one batch. With flush it returns when the batch, and so everything applied before it, is on the disk. Pebble
// may believe so when it is not: the latch decides. The two steps, apply and wait, are the only way in which Pebble returns the error of a failed flush instead of ending the
// process. Committer goroutine only.
func (d *DB) apply(b *pebble.Batch, flush bool) (err error) {
	if err = errors.Join(d.failure(), d.number(b)); err != nil {
		return err
	}
	if err = d.blocked(); err != nil {
		d.fail(err)
		return d.failure()
	}
	if err = d.timed(func() error { return d.hand(b, flush) }); err == nil {
		err = d.fs.Err() // it may have dropped this flush, and not have told the store yet
	}
	if err != nil {
		d.fail(err)
	}
	if err = d.failure(); err != nil && !seeded.Bug("acknowledge after the latch") {
		return err
	}
	return b.Close()
}

// blocked returns the damage that keeps Pebble from sorting in its newest tables, when the next one would make it hold up every
// write, for good: it cannot be told to give up one that waits. O(1) while no damage is known.
func (d *DB) blocked() error {
	damage := d.damage.Load()
	if damage == nil || int(d.db.Metrics().Levels[0].Sublevels) < pebbleL0StopAt-1 {
		return nil
	}
	return fmt.Errorf("no room for new tables: %w", readError(*damage, nameOf([]byte(dbName))))
}

// hand is apply without the latch.
func (d *DB) hand(b *pebble.Batch, flush bool) error {
	d.writes(b.Len()) // asks the disk too
	if !flush {
		return d.db.Apply(b, pebble.NoSync)
	}
	if err := d.db.ApplyNoSyncWait(b, pebble.Sync); err != nil {
		return err
	}
	return b.SyncWait()
}

// compactions keeps Pebble from compacting once the files are frozen: a compaction that fails is tried again at once, for
// ever.
type compactions struct {
	pebble.CompactionScheduler
	fs *failstop.FS
}

// Register implements pebble.CompactionScheduler.
func (c compactions) Register(n int, db pebble.DBForCompaction) {
	c.CompactionScheduler.Register(n, frozen{db, c.fs})
}

// TrySchedule implements pebble.CompactionScheduler.
func (c compactions) TrySchedule() (bool, pebble.CompactionGrantHandle) {
	if c.fs.Err() != nil {
		return false, nil
	}
	return c.CompactionScheduler.TrySchedule()
}

// frozen is a database that has nothing to compact once its files are frozen.
type frozen struct {
	pebble.DBForCompaction
	fs *failstop.FS
}

// GetWaitingCompaction implements pebble.DBForCompaction.
func (f frozen) GetWaitingCompaction() (bool, pebble.WaitingCompaction) {
	if f.fs.Err() != nil {
		return false, pebble.WaitingCompaction{}
	}
	return f.DBForCompaction.GetWaitingCompaction()
}
