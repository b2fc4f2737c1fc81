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
	defaultStallTimeout  = 10 * time.Second
	minSnapshotAge       = time.Millisecond
	defaultFeedBytes     = 4 << 20
)

// Options of an engine. The zero value is ready for use.
type Options struct {
	// Durability of every commit. The default is Sync.
	Durability Durability
	// Interval between flushes at level Interval. 0 means 100 ms.
	Interval time.Duration
	// SnapshotBytes is the size of the log at which a snapshot is taken in the background and the log is cut, which bounds the time of
	// Open. If the last snapshot wrote more than twice SnapshotBytes, the size is half of what it wrote. 0 means 64 MiB; a negative number
	// means that no snapshot is taken in the background, nor by Close.
	SnapshotBytes int64
	// SnapshotAge is the age that the log may reach before a snapshot is taken in the background, however short the log is. 0 means 10
	// minutes; a negative time means any age.
	SnapshotAge time.Duration
	// MaxLag is the age that the oldest commit that is not flushed may reach at level Interval. Beyond that Update blocks until the commit
	// is flushed. 0 means twice Interval, but at least 1 s.
	MaxLag time.Duration
	// StallTimeout is how long one write or flush of the disk may take before Update returns ErrStalled, and how long a transaction waits for
	// room under MemoryLimit. 0 means 10 s.
	StallTimeout time.Duration
	// SlowSync is how long one write or flush of the disk may take before OnEvent gets an EventSlowSync. 0 means 1 s.
	SlowSync time.Duration
	// DiskReserve is the free space in bytes below which Update returns ErrDiskFull. The free space is measured four times a second, and after each 16 MiB
	// that are written, or a quarter of the reserve if that is less: in between, the last measurement counts, so the reserve must be more than what other
	// programs write to the disk meanwhile. After ErrDiskFull it takes a quarter more than DiskReserve to go on. Transactions that only remove, and that take at most
	// 1 MiB in the log, succeed until the free space falls below three quarters of DiskReserve. 0 means 64 MiB; on a disk smaller than
	// 512 MiB it means 24 MiB, but at most half of the disk. A negative number means no reserve.
	DiskReserve int64
	// SlowCall is how long an Update, an Acknowledge, a View or the loading of a set may take before it counts as slow, and how long a call
	// may wait for a key before it is reported: see Stats.SlowCalls and EventSlowCall. 0 means 100 ms; a negative time means that no call is
	// slow.
	SlowCall time.Duration
	// OnEvent gets the events of disks, snapshots, slow calls and the memory limit, one call after the other in a separate goroutine. It
	// may block; then events beyond 64 are lost: see Stats.EventsLost. It may call the engine, but must not panic. nil means no listener.
	OnEvent func(Event)
	// MemoryLimit is how many bytes the sets in memory may take, as they count them themselves: see Stats.Memory. Near it the least recently
	// used sets leave memory; those that have changed since the last snapshot are written first. They are loaded again, as a whole, when they
	// are used. So the limit should be well above the memory of the sets that are in use at a time: below it, every call may load a set, and a
	// board of 40,000 members takes about 15 ms. Transactions wait until there is room for the sets that they load, and writers until all
	// sets take no more than the limit; after StallTimeout they get ErrMemoryLimit. If nothing more can leave, one transaction at a time goes
	// above the limit, such as one on a set bigger than that. What running transactions add, and sets that a set operation copies or a
	// transaction uses for longer than a second, come on top. Stats.RoomWaits counts those that wait. In an engine made by New no set can leave:
	// transactions that make sets bigger get ErrMemoryLimit, as in Redis with maxmemory-policy noeviction. A set keeps the memory that it
	// took for such an attempt. 0 means no limit.
	MemoryLimit int64
	// FeedBytes is how many bytes of memory the last commits may take, which are kept for feeds: see Engine.Feed. 0 means 4 MiB.
	FeedBytes int
	// FeedLogBytes is how many bytes of the log a snapshot leaves for feeds, although the sets are stored: a reader that was away finds the commits that it has
	// missed, after a restart too. Open reads that much more; Compact removes it. 0: a snapshot cuts the log, and the reader may get ErrFellBehind.
	FeedLogBytes int64
	// MaxSets is how many sets there may be: a transaction that makes one more gets ErrTooManySets. Transactions that make sets at the same
	// moment may exceed it together. 0 means any number.
	MaxSets int
	// MaxListpackEntries and MaxListpackMember are the thresholds above which a set moves from a listpack to a skiplist, as in
	// zset.Options. 0 means 128 entries and 64 bytes. With a negative number no entry fits, or only the empty member. See
	// Engine.SetListpack.
	MaxListpackEntries, MaxListpackMember int
	// Clock returns the time, for expiries and boards. It may be called with keys locked, and must not call the engine. nil means time.Now.
	Clock func() time.Time
	// Logger logs the events that OnEvent gets, never in a goroutine that calls the engine. Keys are quoted, and cut off after 64 bytes. nil
	// means no log.
	Logger *slog.Logger
	// MustExist makes Open fail with ErrNotStore, and change nothing, where there is no engine yet.
	MustExist bool
	// FS is the file system of the directory. nil means the operating system's, where only the owner can read what the engine creates.
	FS persist.FS

	lazy bool // tests only: the collector does not run, so only transactions drop expired sets
}

func (o Options) withDefaults() Options {
	o.SnapshotBytes = cmp.Or(o.SnapshotBytes, defaultSnapshotBytes)
	o.SnapshotAge = cmp.Or(o.SnapshotAge, defaultSnapshotAge)
	o.FeedBytes = cmp.Or(o.FeedBytes, defaultFeedBytes)
	o.SlowCall = cmp.Or(o.SlowCall, defaultSlowCall)
	o.StallTimeout = cmp.Or(o.StallTimeout, defaultStallTimeout)
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
	if o.FeedLogBytes < 0 {
		err = errors.Join(err, fmt.Errorf("engine: Options.FeedLogBytes is %d: want 0 or more", o.FeedLogBytes))
	}
	if o.MaxSets < 0 {
		err = errors.Join(err, fmt.Errorf("engine: Options.MaxSets is %d: want 0 or more", o.MaxSets))
	}
	return err
}

// events returns a dispatcher to OnEvent and Logger.
func (o Options) events() *observe.Dispatcher {
	v := &observe.Dispatcher{Log: o.Logger}
	if o.OnEvent != nil {
		v.Call = func(e observe.Event) { o.OnEvent(eventOf(e)) }
	}
	return v
}

// sets returns the options of sets that follow from o.
func (o Options) sets() zset.Options {
	return zset.Options{MaxListpackEntries: o.MaxListpackEntries, MaxListpackMember: o.MaxListpackMember}
}

// store returns the options of the store, except OnEvent.
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
		RetainBytes:  max(o.FeedLogBytes, 0),
	}
}

// Settings are the options of an engine that Engine.Settings returns.
type Settings struct {
	Stored      bool       // it has a directory; otherwise it is in memory only
	Durability  Durability // of every commit, if it is stored
	MemoryLimit int64      // Options.MemoryLimit, in bytes; 0: there is none
	MaxSets     int        // Options.MaxSets; 0: any number
}
