package persist

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/zrankdb/zrank/persist/internal/failstop"
)

// Config configures a DB. FS and Logger are set.
type Config struct {
	FS           vfs.FS
	Logger       *slog.Logger
	SlowSync     time.Duration // a write or flush that takes longer is an EventSlowSync
	StallTimeout time.Duration // a write or flush that takes longer is an EventStalled
	DiskReserve  int64         // free bytes below which the disk counts as full; 0: the default; negative: none
	OnEvent      func(Event)   // nil: nobody listens
	Tune         func(*pebble.Options)
}

// DB is the Pebble database of a store, with what must hold for every access: the files are behind failstop, the first failure
// closes the latch, and the database stays open as long as somebody reads it. Its methods may be called from any goroutine,
// unless they say otherwise.
type DB struct {
	dir    string
	fs     *failstop.FS
	logger *slog.Logger
	tune   func(*pebble.Options) // tests only: smaller tables
	id     storeID
	db     *pebble.DB
	mark   *highWater
	lock   io.Closer

	closing atomic.Bool           // Close was called
	broken  atomic.Pointer[error] // the latch: the ErrPersistence of the first failure
	failed  chan struct{}         // closed by the latch

	mu     sync.Mutex // guards refs and onFail
	refs   int        // users of db: the store itself, and each running read
	onFail func()     // called after the latch has closed; nil: nobody waits yet

	watch   callWatch
	damage  atomic.Pointer[error] // that Pebble has found in the background, last
	space   space
	events  notifier
	batches uint64 // number of the last batch; the committer's

	gone      chan struct{} // closed when the committer has ended
	closed    chan struct{} // closed when the files are closed
	abandoned chan struct{} // closed when Close has given up waiting
	result    error         // of closing the files; read after closed
}

// NewDB returns the database in a directory, not opened yet.
func NewDB(dir string, c Config) *DB {
	if vfs.Root(c.FS) == vfs.Default {
		if abs, err := filepath.Abs(dir); err == nil { // the process may change its directory later
			dir = abs
		}
	} else {
		dir = c.FS.PathJoin(dir) // failstop knows what is in it by the spelling
	}
	d := &DB{
		dir:       dir,
		logger:    c.Logger,
		tune:      c.Tune,
		refs:      1,
		failed:    make(chan struct{}),
		gone:      make(chan struct{}),
		closed:    make(chan struct{}),
		abandoned: make(chan struct{}),
		watch:     callWatch{epoch: time.Now(), slow: c.SlowSync, timeout: c.StallTimeout},
		space:     space{reserve: c.DiskReserve},
		events:    notifier{call: c.OnEvent},
	}
	d.fs = failstop.New(c.FS, d.dir, d.fail)
	d.mark = newHighWater(d.fs, d.dir)
	return d
}

// Run starts the goroutines that keep the high-water mark and watch the free space. They end when the files are closed.
func (d *DB) Run() {
	d.checkSpace()
	go func() {
		if err := d.mark.keep(d.failed); err != nil {
			d.fail(err)
		}
	}()
	go d.watchSpace()
}

// acquire keeps Pebble open until release. A Close in the meantime takes effect at once for every new call, and closes the
// files when the last user has left.
func (d *DB) acquire() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closing.Load() {
		return ErrClosed
	}
	d.refs++
	return nil
}

func (d *DB) release() {
	d.mu.Lock()
	d.refs--
	last := d.refs == 0
	d.mu.Unlock()
	if last {
		go d.closeFiles()
	}
}

// beginClose makes every later acquire and refused fail. again: it was called before.
func (d *DB) beginClose() (again bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.closing.Swap(true)
}

// isClosing tells a running read to stop.
func (d *DB) isClosing() bool { return d.closing.Load() }

// refused returns why the store takes no commit, or nil.
func (d *DB) refused() error {
	if d.closing.Load() {
		return ErrClosed
	}
	return d.failure()
}

// fail is the latch: the first failure decides what every commit from now on is answered, freezes the files, and wakes those
// that wait.
func (d *DB) fail(cause error) {
	broken := fmt.Errorf("%w: %w", ErrPersistence, cause)
	if !d.broken.CompareAndSwap(nil, &broken) {
		return
	}
	close(d.failed)
	d.fs.Fail(cause)
	d.mu.Lock()
	wake := d.onFail
	d.mu.Unlock()
	if wake != nil {
		wake()
	}
	d.report(Event{Kind: EventFailed, Err: broken})
}

// whenFailed has f called once the latch has closed; it may be called twice.
func (d *DB) whenFailed(f func()) {
	d.mu.Lock()
	d.onFail = f
	d.mu.Unlock()
	if d.failure() != nil {
		f()
	}
}

// failure returns what the latch holds; nil: all is well.
func (d *DB) failure() error {
	if broken := d.broken.Load(); broken != nil {
		return *broken
	}
	return nil
}

// open opens Pebble.
func (d *DB) open(mode pebbleMode) error {
	db, err := pebble.Open(d.fs.PathJoin(d.dir, dbName), d.pebbleOptions(mode))
	switch {
	case errors.Is(err, pebble.ErrDBDoesNotExist):
		return &CorruptError{Key: dbName, Reason: "the database is missing"}
	case pebble.IsCorruptionError(err), err != nil && mode == pebbleReadOnly:
		return damaged(err, dbName)
	case err != nil:
		return fmt.Errorf("persist: open %s: %w", d.dir, err)
	}
	d.db = db
	return nil
}

// closePebble closes Pebble alone.
func (d *DB) closePebble() error {
	err := d.db.Close()
	d.db = nil
	return err
}

// closeFiles closes Pebble and gives the directory back, even when Pebble ends the goroutine on the way.
func (d *DB) closeFiles() {
	defer close(d.closed)
	defer func() { d.result = errors.Join(d.result, d.lock.Close()) }()
	defer d.catch()
	d.mark.stop()
	if err := d.db.Close(); err != nil && d.failure() == nil {
		d.result = fmt.Errorf("persist: close %s: %w", d.dir, err)
	}
	d.result = errors.Join(d.result, d.mark.close(d.failure() == nil && d.result == nil))
}

// DiskUsage returns the bytes that the database takes on the disk. O(files).
func (d *DB) DiskUsage() (int64, error) {
	if err := d.acquire(); err != nil {
		return 0, err
	}
	defer d.release()
	return int64(d.db.Metrics().DiskSpaceUsage()), nil
}
