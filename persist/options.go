package persist

import (
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// Level says what a nil from Wait means.
type Level uint8

const (
	// Sync: the commit is on the disk, and the disk has been told to flush. Survives power loss.
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
func MemFS() FS { return vfs.NewMem() }

// Options configures Open. The zero value is ready to use.
type Options struct {
	// FS is the file system; nil is the operating system's. One that wraps another says so with Unwrap.
	FS FS
	// Level says what Wait waits for; the zero value is Sync.
	Level Level
	// Interval is the time between two flushes at Level Interval, from 1 ms to 1 h; 0 is 100 ms. Other levels ignore it.
	Interval time.Duration
	// Logger hears of slow or failing disks; nil is silent.
	Logger *slog.Logger
	// MustExist makes Open fail with ErrNotStore, and change nothing, where there is no store yet.
	MustExist bool
}

const (
	defaultInterval = 100 * time.Millisecond
	minInterval     = time.Millisecond
	maxInterval     = time.Hour
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
	return errors.Join(problems...)
}

// withDefaults returns o with its zero fields filled in.
func (o Options) withDefaults() Options {
	if o.FS == nil {
		o.FS = vfs.Default
	}
	if o.Interval == 0 {
		o.Interval = defaultInterval
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return o
}
