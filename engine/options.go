package engine

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/zrankdb/zrank/engine/internal/observe"
	"github.com/zrankdb/zrank/persist"
	"github.com/zrankdb/zrank/zset"
)

// Durability says what Update waits for.
type Durability = persist.Level

const (
	// Sync: Update returns when the commit is on the disk.
	Sync = persist.Sync
	// Interval: Update returns at once; the log is flushed every Options.Interval.
	Interval = persist.Interval
	// None: Update returns at once; the log is flushed by Flush, Snapshot and Close.
	None = persist.None
)

// ParseDurability returns the level called "sync", "interval" or "none".
func ParseDurability(text string) (Durability, error) { return persist.ParseLevel(text) }

const (
	defaultSnapshotBytes = 64 << 20
	defaultSnapshotAge   = 10 * time.Minute
	defaultSlowCall      = 100 * time.Millisecond
	minSnapshotAge       = time.Millisecond
	defaultFeedBytes     = 4 << 20
)

// Options of an engine. The zero value is right for use.
type Options struct {
	// Durability of every commit; Sync unless said.
	Durability Durability
	// Interval between flushes at level Interval. 0 means 100 ms.
	Interval time.Duration
	// SnapshotBytes is the size of the log at which a snapshot is taken in the background and the log cut, and so bounds
	// the time Open takes; if the last one wrote more than twice as much, it is half of that. 0 means 64 MiB; a negative number
	// means that no snapshot is taken in the background, nor by Close.
	SnapshotBytes int64
	// SnapshotAge is how old what is in the log may get until a snapshot is taken in the background, however little it is. 0
	// means 10 minutes; a negative time means any age.
	SnapshotAge time.Duration
	// MaxLag is the age that the oldest commit that is not flushed may reach at level Interval, before Update blocks until it
	// is. 0 means twice Interval, but at least 1 s.
	MaxLag time.Duration
	// StallTimeout is how long the disk may take over one write or flush before Update answers ErrStalled. 0 means 10 s.
	StallTimeout time.Duration
	// SlowSync is how long the disk may take over one write or flush before OnEvent hears of it. 0 means 1 s.
	SlowSync time.Duration
	// DiskReserve is the free space below which Update answers ErrDiskFull, and below three quarters of which it does so to
	// transactions too that only remove, and no more than 1 MiB as encoded in the log. 0 means 64 MiB, or less on a disk smaller
	// than 512 MiB: 24 MiB, at most half of it; a negative number means none.
	DiskReserve int64
	// SlowCall is how long an Update, an Acknowledge, a View or the reading of a set may take before it counts as slow, and how long any
	// call may wait for a key before that is told: see Stats.SlowCalls and EventSlowCall. 0 means 100 ms; a negative time means that none is.
	SlowCall time.Duration
	// OnEvent hears of disks, snapshots, slow calls and the memory limit, one call after the other in a goroutine of its own. It
	// may block, and then events beyond 64 are lost: see Stats.EventsLost. It may call the engine, but must not panic. nil means
	// nobody.
	OnEvent func(Event)
	// MemoryLimit is how many bytes the sets in memory may take, by their own count: see Stats.Memory. Sets that have not been
	// touched for longest leave memory, and come back when they are touched. It should be well above what is in use at a time:
	// the sets of running transactions stay, even one that is bigger than the limit. In an engine made by New nothing can leave:
	// transactions that make sets take more get ErrMemoryLimit, as in Redis with maxmemory-policy noeviction; a set keeps the
	// room that it took for the attempt. 0 means no limit.
	MemoryLimit int64
	// FeedBytes is how much memory the last commits may take, in which feeds find them; see Engine.Feed. 0 means 4 MiB.
	FeedBytes int
	// MaxSets is how many sets there may be: a transaction that makes one more gets ErrTooManySets. Transactions that make sets
	// at the same moment may pass it together. 0 means any number.
	MaxSets int
	// MaxListpackEntries and MaxListpackMember are the thresholds above which a set moves from a listpack to a skiplist, as in
	// zset.Options: 0 means 128 and 64, a negative number that none or only the empty member fits. See Engine.SetListpack.
	MaxListpackEntries, MaxListpackMember int
	// Clock tells the time, for boards. It may be called with keys locked, and must not call the engine. nil means time.Now.
	Clock func() time.Time
	// Logger hears of what OnEvent hears of, never from a goroutine that calls the engine. Keys are quoted, and cut off after 64
	// bytes. nil means silence.
	Logger *slog.Logger
	// MustExist makes Open fail with ErrNotStore, and change nothing, where there is no engine yet.
	MustExist bool
	// FS is the file system to store on. nil means the operating system's.
	FS persist.FS

	lazy bool // tests only: sets whose time is up are dropped by transactions alone
}

func (o Options) withDefaults() Options {
	o.SnapshotBytes = cmp.Or(o.SnapshotBytes, defaultSnapshotBytes)
	o.SnapshotAge = cmp.Or(o.SnapshotAge, defaultSnapshotAge)
	o.FeedBytes = cmp.Or(o.FeedBytes, defaultFeedBytes)
	o.SlowCall = cmp.Or(o.SlowCall, defaultSlowCall)
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return o
}

// Validate returns one error that names every field with an impossible value, or nil.
func (o Options) Validate() error {
	err := errors.Join(o.store().Validate(), o.sets().Validate())
	if o.SnapshotAge > 0 && o.SnapshotAge < minSnapshotAge {
		err = errors.Join(err, fmt.Errorf("engine: Options.SnapshotAge is %v: want 0, less, or %v at least", o.SnapshotAge, minSnapshotAge))
	}
	if o.MemoryLimit < 0 {
		err = errors.Join(err, fmt.Errorf("engine: Options.MemoryLimit is %d: want 0 or more", o.MemoryLimit))
	}
	if o.FeedBytes < 0 {
		err = errors.Join(err, fmt.Errorf("engine: Options.FeedBytes is %d: want 0 or more", o.FeedBytes))
	}
	if o.MaxSets < 0 {
		err = errors.Join(err, fmt.Errorf("engine: Options.MaxSets is %d: want 0 or more", o.MaxSets))
	}
	return err
}

// events returns what passes on the engine's events.
func (o Options) events() *observe.Dispatcher {
	return &observe.Dispatcher{Call: o.OnEvent, Log: o.Logger}
}

// sets returns the options of sets that come of them.
func (o Options) sets() zset.Options {
	return zset.Options{MaxListpackEntries: o.MaxListpackEntries, MaxListpackMember: o.MaxListpackMember}
}

// store returns the store's share of the options, but for OnEvent.
func (o Options) store() persist.Options {
	return persist.Options{
		FS:           o.FS,
		Level:        o.Durability,
		Interval:     o.Interval,
		MaxLag:       o.MaxLag,
		StallTimeout: o.StallTimeout,
		SlowSync:     o.SlowSync,
		DiskReserve:  o.DiskReserve,
		Logger:       o.Logger,
		MustExist:    o.MustExist,
		TailBytes:    max(o.FeedBytes, 0),
	}
}

// Settings are those options of an engine that others ask for.
type Settings struct {
	Stored      bool       // it has a directory; otherwise it is in memory only
	Durability  Durability // of every commit, if it is stored
	MemoryLimit int64      // Options.MemoryLimit, in bytes; 0: there is none
	MaxSets     int        // Options.MaxSets; 0: any number
}
