package persist

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/persist/internal/commitlog"
	"github.com/zrankdb/zrank/persist/internal/pebbledb"
	"github.com/zrankdb/zrank/persist/internal/storedir"
)

// Level says what is guaranteed when Wait returns nil.
type Level uint8

const (
	// Sync: the commit is on the disk, and flushed. Survives power loss.
	Sync Level = iota
	// Interval: the commit is queued; a flush follows within Options.Interval and one sync.
	Interval
	// None: the commit is queued; it is flushed by Flush, by publishing a snapshot and by Close.
	None
)

var levelNames = [...]string{Sync: "sync", Interval: "interval", None: "none"}

// String returns "sync", "interval" or "none".
func (l Level) String() string {
	if int(l) < len(levelNames) {
		return levelNames[l]
	}
	return fmt.Sprintf("Level(%d)", uint8(l))
}

// ParseLevel is the inverse of Level.String.
func ParseLevel(text string) (Level, error) {
	for l, name := range levelNames {
		if name == text {
			return Level(l), nil
		}
	}
	return 0, fmt.Errorf("persist: unknown level %q: want sync, interval or none", text)
}

// FS is the file system a store lives on.
type FS = vfs.FS

// MemFS returns an empty file system in memory, for tests.
func MemFS() FS { return memfs.New() }

// Options configures Open. The zero value is ready to use.
type Options struct {
	// FS is the file system; nil is the operating system's, where new directories have mode 0700 and new files 0600. A file system
	// that wraps another returns it from Unwrap.
	FS FS
	// Level says what Wait waits for; the zero value is Sync.
	Level Level
	// Interval is the time between two flushes at Level Interval, from 1 ms to 1 h; 0 is 100 ms. Other levels ignore it.
	Interval time.Duration
	// Logger gets a line for a slow or failing disk; nil logs nothing.
	Logger *slog.Logger
	// MaxLag bounds the age of the oldest commit that is not durable, at Level Interval. If that commit is older, Wait blocks
	// until it is durable. 0 is twice Interval, but at least 1 s. Other levels ignore it.
	MaxLag time.Duration
	// StallTimeout is how long one write or flush may take. After that, commits that would wait for it get ErrStalled. 0 is
	// 10 s.
	StallTimeout time.Duration
	// SlowSync is how long one write or flush may take before OnEvent and Logger report it. 0 is 1 s.
	SlowSync time.Duration
	// DiskReserve is the free space, in bytes, below which commits get ErrDiskFull. The store needs it to finish running work
	// and to free space. The free space is measured four times a second, and after each 16 MiB that are written, or a quarter of the reserve if that is less:
	// commits in between go by the last measurement, so the reserve must be more than what other programs write to the disk meanwhile. After
	// ErrDiskFull commits succeed again when a quarter more than the reserve is free. 0 is 64 MiB on a disk of at least 512 MiB. On a smaller disk 0 is an eighth of the disk, but at least
	// 24 MiB, and never more than half of the disk. A negative number means no reserve. DiskReserve has no effect on an FS that does
	// not know its free space.
	DiskReserve int64
	// OnEvent is called when a disk is slow, stalled, full or failed. One goroutine makes the calls, one after the other.
	// OnEvent may block and may call the store, but must not panic. It may be nil.
	OnEvent func(Event)
	// TailBytes is how much of the end of the log is kept in memory from the first Follow on; see Store.Follow. 0 is 4 MiB.
	TailBytes int
	// RetainBytes is how much of the end of the log a snapshot leaves for followers, although it covers it: a follower that was away finds its commits,
	// after a restart too. Open reads that much more, and Compact removes it. Up to 64 KiB and a group more may stay. 0: a snapshot cuts all that it covers.
	RetainBytes int64
	// MustExist makes Open fail with ErrNotStore if there is no store yet. Open then changes nothing.
	MustExist bool
}

const (
	defaultInterval = 100 * time.Millisecond
	minInterval     = time.Millisecond
	maxInterval     = time.Hour

	minMaxLag           = time.Second // lower bound of the default of MaxLag
	defaultStallTimeout = 10 * time.Second
	defaultSlowSync     = time.Second
	defaultTailBytes    = 4 << 20
)

// Validate reports every problem of o, each with its value, in one error.
func (o Options) Validate() error {
	var problems []error
	if o.Level > None {
		problems = append(problems, fmt.Errorf("persist: Options.Level is %d: want Sync, Interval or None", uint8(o.Level)))
	}
	if o.Interval != 0 && (o.Interval < minInterval || o.Interval > maxInterval) {
		problems = append(problems, fmt.Errorf("persist: Options.Interval is %v: want 0 or %v to %v", o.Interval, minInterval, maxInterval))
	}
	if o.MaxLag < 0 || o.MaxLag != 0 && o.MaxLag < o.withDefaults().Interval {
		problems = append(problems, fmt.Errorf("persist: Options.MaxLag is %v: want 0 or at least Options.Interval", o.MaxLag))
	}
	if o.StallTimeout < 0 {
		problems = append(problems, fmt.Errorf("persist: Options.StallTimeout is %v: want 0 or more", o.StallTimeout))
	}
	if o.SlowSync < 0 {
		problems = append(problems, fmt.Errorf("persist: Options.SlowSync is %v: want 0 or more", o.SlowSync))
	}
	if o.TailBytes < 0 {
		problems = append(problems, fmt.Errorf("persist: Options.TailBytes is %d: want 0 or more", o.TailBytes))
	}
	if o.RetainBytes < 0 {
		problems = append(problems, fmt.Errorf("persist: Options.RetainBytes is %d: want 0 or more", o.RetainBytes))
	}
	return errors.Join(problems...)
}

// withDefaults returns o with its zero fields filled in.
func (o Options) withDefaults() Options {
	if o.FS == nil {
		o.FS = storedir.OwnerOnly()
	}
	o.Interval = cmp.Or(o.Interval, defaultInterval)
	o.MaxLag = cmp.Or(o.MaxLag, max(2*o.Interval, minMaxLag))
	o.StallTimeout = cmp.Or(o.StallTimeout, defaultStallTimeout)
	o.SlowSync = cmp.Or(o.SlowSync, defaultSlowSync)
	o.TailBytes = cmp.Or(o.TailBytes, defaultTailBytes)
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return o
}

// database returns the options of the Pebble database.
func (o Options) database() pebbledb.Config {
	return pebbledb.Config{
		FS:           o.FS,
		Logger:       o.Logger,
		SlowSync:     o.SlowSync,
		StallTimeout: o.StallTimeout,
		DiskReserve:  o.DiskReserve,
		OnEvent:      eventsTo(o.OnEvent),
	}
}

// log returns the options of the commit log.
func (o Options) log() commitlog.Config {
	c := commitlog.Config{Sync: o.Level == Sync, MaxLag: o.MaxLag, TailBytes: o.TailBytes, Retain: o.RetainBytes}
	if o.Level == Interval {
		c.Interval = o.Interval
	}
	return c
}
