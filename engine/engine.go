package engine

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/zrankdb/zrank/engine/internal/checkpoint"
	"github.com/zrankdb/zrank/engine/internal/keyspace"
	"github.com/zrankdb/zrank/engine/internal/lifetime"
	"github.com/zrankdb/zrank/engine/internal/locks"
	"github.com/zrankdb/zrank/engine/internal/observe"
	"github.com/zrankdb/zrank/engine/internal/recovery"
	"github.com/zrankdb/zrank/engine/internal/residency"
	"github.com/zrankdb/zrank/engine/internal/waitqueue"
	"github.com/zrankdb/zrank/persist"
)

// Engine keeps sorted sets by key. Its methods may be called from any goroutine.
type Engine struct {
	life        *lifetime.Lifetime
	events      *observe.Dispatcher
	counters    *observe.Counters
	keys        *keyspace.Keyspace
	locks       *locks.Table
	checkpoints *checkpoint.Manager
	residency   *residency.Manager
	m           *manager
	ops         *operations
	store       *persist.Store // nil: memory only
	settings    Settings
	recovery    Recovery
}

// New returns an engine that keeps everything in memory only. Its commits are never durable. Errors: those of
// Options.Validate.
func New(o Options) (*Engine, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	o = o.withDefaults()
	e := newEngine(o, o.events(), nil)
	e.m.maxMemory = o.MemoryLimit
	return e, nil
}

// newEngine builds an engine from its parts; store is nil in memory only.
func newEngine(o Options, v *observe.Dispatcher, store *persist.Store) *Engine {
	e := &Engine{life: lifetime.New(), events: v, counters: observe.NewCounters(), store: store}
	observed := o.SlowCall >= 0 && (o.OnEvent != nil || o.Logger.Enabled(context.Background(), slog.LevelWarn))
	slow := &observe.SlowCalls{Limit: o.SlowCall, Observed: observed, Counters: e.counters, Events: v}
	limit := o.MemoryLimit
	if store == nil {
		limit = 0 // no set can be evicted; the manager refuses transactions instead
	}
	e.keys = keyspace.New(keyspace.NewAccounts(e.counters, limit))
	e.keys.Limits.Set(o.sets().Listpack())
	e.locks = locks.New(e.life, slow)
	e.checkpoints = checkpoint.New(e.keys, e.locks, v, e.life, store, o.SnapshotBytes, o.SnapshotAge)
	p := &residency.Pressure{Accounts: e.keys.Accounts, Events: v, Limit: o.MemoryLimit}
	e.residency = residency.New(e.keys, e.locks, v, e.life, e.checkpoints, p, store, o.SlowCall, o.StallTimeout)
	e.checkpoints.Load = e.residency.LoadToWrite
	e.m = &manager{life: e.life, clock: o.Clock, events: v, counters: e.counters, slow: slow, locks: e.locks, keys: e.keys, checkpoints: e.checkpoints,
		residency: e.residency, store: store, numbers: persist.NewMemLog(o.FeedBytes), waiters: waitqueue.New(), expiries: keyspace.NewExpiries(), pressure: p, maxSets: o.MaxSets}
	e.m.private.Init(store)
	if o.lazy { // use up the Once, so that the collector never starts
		e.m.collector.Do(func() {})
	}
	e.ops = newOperations(e.m)
	e.settings = Settings{Stored: store != nil, Durability: o.Durability, MemoryLimit: o.MemoryLimit, MaxSets: o.MaxSets}
	return e
}

// Open opens the engine that is stored in a directory, or makes a new one there. It reads the tail of the log and the sets named in it;
// other sets are read when they are first used. Errors: ErrLocked, ErrNotStore, ErrCorrupt, those of Options.Validate and of the file system.
func Open(dir string, o Options) (*Engine, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	o = o.withDefaults()
	v, so := o.events(), o.store()
	if o.OnEvent != nil {
		so.OnEvent = v.Disk
	}
	store, err := persist.Open(dir, so)
	if err != nil {
		return nil, err
	}
	e := newEngine(o, v, store)
	r := &recovery.Recoverer{Keys: e.keys, Residency: e.residency, Checkpoints: e.checkpoints, Store: store}
	if err := r.Recover(); err != nil {
		return nil, errors.Join(fmt.Errorf("engine: open %s: %w", dir, err), store.Close())
	}
	e.recovery = Recovery(r.Found)
	for _, s := range r.Expiring {
		if !s.Gone {
			e.m.schedule(s)
		}
	}
	e.life.Stopped.Add(2)
	go e.checkpoints.SnapshotWhenDue()
	go e.residency.EvictWhenDue()
	e.residency.EvictIfDue()
	return e, nil
}

// Close makes every commit durable, at any level, and ends the engine. It takes a snapshot first if the next Open would otherwise read much:
// more than 4 MiB of log, or sets with more than 100,000 members in all, where each set counts as 100 members more. It takes none if
// Options.SnapshotBytes is negative. Calls that are under way end with their result or with ErrClosed. If the disk does not answer for 8 s,
// Close returns an error. The second call returns nil.
func (e *Engine) Close() error {
	if e.InTx() {
		return ErrInTx
	}
	if e.life.Closed.Swap(true) {
		return nil
	}
	close(e.life.Stop)
	e.m.collector.Do(func() {}) // use up the Once, so that the collector does not start any more
	if e.store == nil {
		e.life.Stopped.Wait()
		return nil
	}
	err := e.checkpoints.LastSnapshot()
	return errors.Join(err, e.store.Close())
}

// Flush is Barrier with no deadline other than Options.StallTimeout.
func (e *Engine) Flush() error { return e.Barrier(context.Background()) }

// Barrier makes every commit durable that Update has returned for, at any level. If ctx ends before, it returns the cause; the commits
// become durable later. Errors: ErrStalled, ErrPersistence, ErrClosed.
func (e *Engine) Barrier(ctx context.Context) error {
	if e.life.Closed.Load() {
		return ErrClosed
	}
	if e.store == nil {
		return nil
	}
	return locks.ClosedError(e.store.Barrier(ctx))
}

// LastSeq returns the number of the last commit, counted across restarts; 0 in memory only. O(1).
func (e *Engine) LastSeq() uint64 {
	if e.store == nil {
		return 0
	}
	return e.store.LastSeq()
}

// DurableSeq returns the number of the last commit that is known to be on the disk, counted across restarts; 0 in memory only. O(1).
func (e *Engine) DurableSeq() uint64 {
	if e.store == nil {
		return 0
	}
	return e.store.DurableSeq()
}

// Done returns a channel that is closed when Close begins, for goroutines that should end with the engine. O(1).
func (e *Engine) Done() <-chan struct{} { return e.life.Stop }

// Now returns the time by the engine's clock.
func (e *Engine) Now() time.Time { return e.m.clock() }

// InTx reports whether the calling goroutine runs a closure of one of the engine's transactions. Then calls that could wait for a transaction
// return ErrInTx. It is for functions that are called both inside and outside of closures. O(1).
func (e *Engine) InTx() bool { return e.locks.InTx() }

// Recovery tells what Open did.
func (e *Engine) Recovery() Recovery { return e.recovery }

// Recovery tells what Open did.
//
// Open loads the sets that commits after the last snapshot have changed. Each Open loads them again until a snapshot has them. There are
// such commits for one of these reasons:
//
//   - The engine was not closed: Store.Clean is false.
//   - Close took no snapshot, because little was left to read (see Close), or because Options.SnapshotBytes is negative.
//   - The snapshot of Close failed. Then Close returned persist.ErrDiskFull, ErrStalled or ErrPersistence, or emitted EventSnapshot with
//     the error.
type Recovery struct {
	Sets     int              // in the last snapshot
	Loaded   int              // of those, read because the log's tail names them
	Commits  int              // replayed from the log
	LastSeq  uint64           // the last commit
	Duration time.Duration    // of Open
	Store    persist.Recovery // what the store did before that
}
