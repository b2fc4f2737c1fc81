package pebbledb

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/zrankdb/zrank/persist/internal/errs"
	"github.com/zrankdb/zrank/persist/internal/failstop"
	"github.com/zrankdb/zrank/persist/internal/format"
	"github.com/zrankdb/zrank/persist/internal/storedir"
)

// Config configures a DB. FS and Logger must be set.
type Config struct {
	FS           vfs.FS
	Logger       *slog.Logger
	SlowSync     time.Duration         // a write or flush that takes longer is an EventSlowSync
	StallTimeout time.Duration         // a write or flush that takes longer is an EventStalled
	DiskReserve  int64                 // free bytes below which the disk counts as full; 0: the default; negative: none
	OnEvent      func(Event)           // may be nil
	Tune         func(*pebble.Options) // changes Pebble's options; for tests; may be nil
}

// DB is the Pebble database of a store. All files are accessed through failstop, the first failure closes the latch, and the database
// stays open until the last reader is done. Its methods may be called from any goroutine, unless they say otherwise.
type DB struct {
	Dir      string
	FS       *failstop.FS
	logger   *slog.Logger
	tune     func(*pebble.Options) // tests only: smaller tables
	ID       format.StoreID
	Pebble   *pebble.DB
	Mark     *storedir.MarkFile
	memTable uint64 // the size of a memtable, from Open on
	Lock     io.Closer

	closing atomic.Bool           // Close was called
	running atomic.Bool           // Run was called: the store is open
	ending  atomic.Bool           // the files are about to be closed: compactions do not begin any more
	broken  atomic.Pointer[error] // the latch: the error of the first failure, see failureBy
	Failed  chan struct{}         // closed by the latch

	mu     sync.Mutex // guards refs and onFail
	refs   int        // users of db: the store itself, and each running read
	onFail func()     // called after the latch has closed; may be nil

	Compacting sync.Mutex // held by the compaction that runs
	Files      sync.Mutex // held while Pebble's files are copied, and while a compaction removes some
	logs       sync.Mutex // guards freshLogs; held while a log is created
	freshLogs  bool       // logs are not recycled

	watch   callWatch
	gaveWay atomic.Int64          // when GiveWay was last called, by the clock of watch; 0: never
	damage  atomic.Pointer[error] // the last damage that Pebble found in the background
	space   space
	events  notifier
	batches uint64 // number of the last batch; committer goroutine only
	unpaced int    // bytes of pages since Pace last looked at Pebble's backlog; of the one running snapshot

	Gone      chan struct{} // closed when the committer has ended
	Closed    chan struct{} // closed when the files are closed
	Abandoned chan struct{} // closed when Close has given up waiting
	Result    error         // error of closing the files; valid once Closed is closed
}

// Acquire keeps Pebble open until Release. After BeginClose it returns ErrClosed; the files are closed when the last user has called
// Release.
func (d *DB) Acquire() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closing.Load() {
		return errs.ErrClosed
	}
	d.refs++
	return nil
}

// Release ends what Acquire began. The last user to leave closes the files.
func (d *DB) Release() {
	d.mu.Lock()
	d.refs--
	last := d.refs == 0
	d.mu.Unlock()
	if last {
		go d.closeFiles()
	}
}

// BeginClose makes every later Acquire and Refused fail. again is true if BeginClose was called before.
func (d *DB) BeginClose() (again bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.closing.Swap(true)
}

// IsClosing reports whether Close was called; running reads must stop then.
func (d *DB) IsClosing() bool { return d.closing.Load() }

// Refused returns why the store takes no commit, or nil.
func (d *DB) Refused() error {
	if d.closing.Load() {
		return errs.ErrClosed
	}
	return d.Failure()
}

// Fail closes the latch with the first failure: every later commit gets that error, the files are frozen, and all waiters wake up.
// Later calls do nothing.
func (d *DB) Fail(cause error) {
	broken := d.failureBy(cause)
	if !d.broken.CompareAndSwap(nil, &broken) {
		return
	}
	close(d.Failed)
	d.FS.Fail(cause)
	d.mu.Lock()
	wake := d.onFail
	d.mu.Unlock()
	if wake != nil {
		wake()
	}
	if errors.Is(broken, errs.ErrPersistence) {
		d.Report(Event{Kind: EventFailed, Err: broken})
	}
}

// failureBy returns what the store answers after a failure: ErrPersistence, except while it is opened. Then a full disk is ErrDiskFull, and an error
// that is not the disk's stays what it is: the next Open may succeed.
func (d *DB) failureBy(cause error) error {
	switch running := d.running.Load(); {
	case !running && isNoSpace(cause):
		return fmt.Errorf("%w: open %s: %w", errs.ErrDiskFull, d.Dir, cause)
	case !running && failstop.IsPassing(cause):
		return fmt.Errorf("persist: open %s: %w", d.Dir, cause)
	}
	return fmt.Errorf("%w: %w", errs.ErrPersistence, cause)
}

// isNoSpace reports whether the disk is full, or the quota of its user is used up.
func isNoSpace(err error) bool { return vfs.IsNoSpaceError(err) || errors.Is(err, syscall.EDQUOT) }

// OpenError returns what Open answers for an error: the failure that has closed the latch, if one has; ErrDiskFull if the disk is full.
func (d *DB) OpenError(err error) error {
	failure := d.Failure()
	switch {
	case failure != nil:
		return failure
	case isNoSpace(err) && !errors.Is(err, errs.ErrDiskFull):
		return d.failureBy(err)
	}
	return err
}

// WhenFailed registers f to be called when the latch closes, or calls it at once if the latch is closed. f may be called twice.
func (d *DB) WhenFailed(f func()) {
	d.mu.Lock()
	d.onFail = f
	d.mu.Unlock()
	if d.Failure() != nil {
		f()
	}
}

// Failure returns the error of the first failure, as failureBy makes it; nil: the latch is open.
func (d *DB) Failure() error {
	if broken := d.broken.Load(); broken != nil {
		return *broken
	}
	return nil
}

// DiskUsage returns the bytes that the database takes on the disk. O(files).
func (d *DB) DiskUsage() (int64, error) {
	if err := d.Acquire(); err != nil {
		return 0, err
	}
	defer d.Release()
	return int64(d.Pebble.Metrics().DiskSpaceUsage()), nil
}

// Report passes an event to the logger and to the callback. It must not be called under a mutex.
func (d *DB) Report(e Event) {
	level := slog.LevelWarn
	args := []any{"dir", d.Dir}
	switch e.Kind {
	case EventSlowSync, EventStalled:
		args = append(args, "duration", e.Duration)
	case EventDiskFull:
		args = append(args, "free", e.Free)
	case EventFailed:
		level = slog.LevelError
		args = append(args, "cause", e.Err)
	case EventWaiting:
		args = append(args, "duration", e.Duration, "cause", e.Err)
	}
	text := "persist: the disk: " + e.Kind.String()
	if e.Ended {
		level, text = slog.LevelInfo, text+" is over"
	}
	d.logger.Log(context.Background(), level, text, args...)
	d.events.add(e)
}

// closeFiles closes Pebble and the high-water mark, and unlocks the directory. The deferred calls run even if Pebble ends the goroutine.
func (d *DB) closeFiles() {
	defer close(d.Closed)
	defer func() { d.Result = errors.Join(d.Result, d.Lock.Close()) }()
	defer d.Catch()
	d.Mark.Stop()
	d.flushForOpen()
	if err := d.Pebble.Close(); err != nil && d.Failure() == nil {
		d.Result = fmt.Errorf("persist: close %s: %w", d.Dir, err)
	}
	d.Result = errors.Join(d.Result, d.Mark.Close(d.Failure() == nil && d.Result == nil))
}

// flushShare is the share of a memtable's size that the logs must have, at least, for Close to write the memtables into tables. Reading a shorter
// log takes Open about a millisecond, and each table is one more to be compacted.
const flushShare = 16

// flushForOpen writes the memtables into tables, if much is in them: Pebble's Close leaves it to the logs, and Pebble's Open would write the
// tables before it returns. All that is in memtables is in the logs, so a failure loses nothing. Compactions do not begin any more, since
// Pebble's Close would wait for them. It returns when the tables are written, or the store has failed.
func (d *DB) flushForOpen() {
	if d.Failure() != nil || d.Pebble.Metrics().WAL.Size < d.memTable/flushShare {
		return
	}
	done, err := d.Pebble.AsyncFlush() // waits for compactions if it has to
	if err != nil {
		d.Fail(err)
		return
	}
	d.ending.Store(true)
	select {
	case <-done:
	case <-d.Failed:
	}
}

// Catch recovers a panic and closes the latch with it: Pebble panics at some failed writes. It must be deferred.
func (d *DB) Catch() {
	if r := recover(); r != nil {
		err, ok := r.(error)
		if !ok {
			err = fmt.Errorf("%v", r)
		}
		d.Fail(fmt.Errorf("panic: %w\n%s", err, debug.Stack()))
	}
}
