package engine

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/zrankdb/zrank/persist"
)

// Engine keeps sorted sets by key. Its methods may be called from any goroutine.
type Engine struct {
	keys    keyspace
	private private
	store   *persist.Store // nil: memory only
	clock   func() time.Time
	numbers *persist.MemLog // numbers the commits in memory only
	waiters waiters
	running running
	closed  atomic.Bool
	limits  listpackLimits
	emptied atomic.Uint64 // the last commit that left a set without members

	settings  Settings
	recovery  Recovery
	memory    memory
	counters  counters
	layers    layers
	unloading unloading
	events    *events
	snapshots snapshots
	slowCall  time.Duration // below 0: no call is slow
	heard     bool          // somebody hears of slow calls
	slowWaits slowWaits
	lastSlow  atomic.Int64 // when the last event about a slow call was told, by counters.now, and 1; 0: none was
	maxSets   int          // 0: any number
	maxMemory int64        // that sets may take in memory only; 0: any. With a store it is memory.limit
	pressure  atomic.Bool  // EventMemory has been told, and not that it is over
	foreign   foreign
	expiries  expiries
	collector sync.Once // starts the goroutine that drops sets whose time is up

	pageWork int    // bytes of work that a set operation does at a time with sets locked; less in tests
	copied   func() // tests only: is called before each page of a capture

	// snapshots are taken one at a time, by Snapshot or by the goroutine that due wakes.
	snapshotBytes int64
	snapshotAge   time.Duration
	lastWritten   atomic.Int64             // bytes of pages that the last snapshot has written
	stageBytes    int                      // stageBytes, but in tests
	paged         func(page []byte) []byte // tests only: is called after each page of a snapshot, and may give it another
	snapshotting  sync.Mutex
	due           chan struct{}
	stop          chan struct{}
	stopped       sync.WaitGroup
	droppedMu     sync.Mutex
	dropped       map[string]uint64 // sets the store still has, and the commit that dropped them
}

// New returns an engine that keeps everything in memory only. Its commits are never durable. Errors: those of
// Options.Validate.
func New(o Options) (*Engine, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	o = o.withDefaults()
	e := newEngine(o, o.events())
	e.maxMemory = o.MemoryLimit
	return e, nil
}

func newEngine(o Options, told *events) *Engine {
	e := &Engine{clock: o.Clock, events: told, slowCall: o.SlowCall, maxSets: o.MaxSets, snapshotBytes: o.SnapshotBytes, snapshotAge: o.SnapshotAge, dropped: map[string]uint64{},
		pageWork: pageWork, stageBytes: stageBytes, due: make(chan struct{}, 1), stop: make(chan struct{})}
	e.heard = o.SlowCall >= 0 && (o.OnEvent != nil || o.Logger.Enabled(context.Background(), slog.LevelWarn))
	if e.heard {
		e.running.noted = new([runningBuckets * runningPlaces]atomic.Pointer[Tx])
	}
	if o.lazy {
		e.collector.Do(func() {})
	}
	e.limits.set(o.sets().Listpack())
	e.settings = Settings{Durability: o.Durability, MemoryLimit: o.MemoryLimit, MaxSets: o.MaxSets}
	e.keys.init()
	e.private.init()
	e.expiries.init()
	e.numbers = persist.NewMemLog(o.FeedBytes)
	e.counters.init()
	e.layers.sets = map[*set]layer{}
	e.memory.now.Store(leaving + 1)
	e.memory.due, e.memory.resident = make(chan struct{}, 1), map[*set]struct{}{}
	return e
}

// Open opens the engine that is stored in a directory, or makes a new one there. It reads the tail of the log and the sets
// named in it; other sets are read when they are first touched. Errors: ErrLocked, ErrNotStore, ErrCorrupt, those of
// Options.Validate and of the file system.
func Open(dir string, o Options) (*Engine, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	o = o.withDefaults()
	told, so := o.events(), o.store()
	if o.OnEvent != nil {
		so.OnEvent = told.disk
	}
	store, err := persist.Open(dir, so)
	if err != nil {
		return nil, err
	}
	e := newEngine(o, told)
	e.store, e.settings.Stored = store, true
	e.private.store = store
	e.memory.limit = o.MemoryLimit
	if err := e.recover(); err != nil {
		return nil, errors.Join(fmt.Errorf("engine: open %s: %w", dir, err), store.Close())
	}
	e.stopped.Add(2)
	go e.snapshotWhenDue()
	go e.evictWhenDue()
	e.evictIfDue()
	return e, nil
}

// Close makes every commit durable, at any level, and ends the engine. It takes a snapshot first if the next Open would otherwise
// read more than 4 MiB of log or sets of more than 100,000 members together, a set counting for 100 besides, unless
// Options.SnapshotBytes is negative. Calls that are under way end with their result or with ErrClosed. A disk that does not answer
// holds it up for 8 s, and then it returns an error. The second call returns nil.
func (e *Engine) Close() error {
	if e.InTx() {
		return ErrInTx
	}
	if e.closed.Swap(true) {
		return nil
	}
	close(e.stop)
	e.collector.Do(func() {}) // it does not start any more
	if e.store == nil {
		e.stopped.Wait()
		return nil
	}
	err := e.lastSnapshot()
	return errors.Join(err, e.store.Close())
}

// Flush is Barrier with all the patience that StallTimeout allows.
func (e *Engine) Flush() error { return e.Barrier(context.Background()) }

// Barrier makes every commit durable that Update has returned for, at any level. If ctx ends before, it returns the reason;
// the commits stay as they are. Errors: ErrStalled, ErrPersistence, ErrClosed.
func (e *Engine) Barrier(ctx context.Context) error {
	if e.closed.Load() {
		return ErrClosed
	}
	if e.store == nil {
		return nil
	}
	return e.closedError(e.store.Barrier(ctx))
}

// LastSeq returns the number of the last commit, in the engine's whole life; 0 in memory only. O(1).
func (e *Engine) LastSeq() uint64 {
	if e.store == nil {
		return 0
	}
	return e.store.LastSeq()
}

// DurableSeq returns how many commits are known to be on the disk, in the engine's whole life; 0 in memory only. O(1).
func (e *Engine) DurableSeq() uint64 {
	if e.store == nil {
		return 0
	}
	return e.store.DurableSeq()
}

// Done returns a channel that is closed when Close begins, for goroutines that should end with the engine. O(1).
func (e *Engine) Done() <-chan struct{} { return e.stop }

// Now returns the time by the engine's clock.
func (e *Engine) Now() time.Time { return e.clock() }

// Recovery tells what Open found.
func (e *Engine) Recovery() Recovery { return e.recovery }
