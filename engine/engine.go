package engine

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/zrankdb/zrank/persist"
)

// Engine keeps sorted sets by key. Its methods may be called from any goroutine.
type Engine struct {
	life        *lifetime
	events      *events
	counters    *counters
	keys        *keyspace
	locks       *locks
	checkpoints *checkpoints
	residency   *residency
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

// newEngine puts the parts together; store is nil in memory only.
func newEngine(o Options, v *events, store *persist.Store) *Engine {
	e := &Engine{life: newLifetime(), events: v, counters: newCounters(), store: store}
	heard := o.SlowCall >= 0 && (o.OnEvent != nil || o.Logger.Enabled(context.Background(), slog.LevelWarn))
	slow := &slowCalls{limit: o.SlowCall, heard: heard, counters: e.counters, events: v}
	limit := o.MemoryLimit
	if store == nil {
		limit = 0 // nothing can leave
	}
	e.keys = newKeyspace(newAccounts(e.counters, limit))
	e.keys.limits.set(o.sets().Listpack())
	e.locks = newLocks(e.life, slow)
	e.checkpoints = newCheckpoints(e.keys, e.locks, v, e.life, store, o.SnapshotBytes, o.SnapshotAge)
	p := &pressure{accounts: e.keys.accounts, events: v, limit: o.MemoryLimit}
	e.residency = newResidency(e.keys, e.locks, v, e.life, e.checkpoints, p, store, o.SlowCall)
	e.m = &manager{life: e.life, clock: o.Clock, events: v, counters: e.counters, slow: slow, locks: e.locks, keys: e.keys, checkpoints: e.checkpoints,
		residency: e.residency, store: store, numbers: persist.NewMemLog(o.FeedBytes), waiters: newWaiters(), expiries: newExpiries(), pressure: p, maxSets: o.MaxSets}
	e.m.private.init(store)
	if o.lazy {
		e.m.collector.Do(func() {})
	}
	e.ops = newOperations(e.m)
	e.settings = Settings{Stored: store != nil, Durability: o.Durability, MemoryLimit: o.MemoryLimit, MaxSets: o.MaxSets}
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
	e := newEngine(o, told, store)
	r := &recoverer{keys: e.keys, residency: e.residency, checkpoints: e.checkpoints, store: store}
	if err := r.recover(); err != nil {
		return nil, errors.Join(fmt.Errorf("engine: open %s: %w", dir, err), store.Close())
	}
	e.recovery = r.found
	for _, s := range e.keys.all() {
		e.m.schedule(s)
	}
	e.life.stopped.Add(2)
	go e.checkpoints.snapshotWhenDue()
	go e.residency.evictWhenDue()
	e.residency.evictIfDue()
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
	if e.life.closed.Swap(true) {
		return nil
	}
	close(e.life.stop)
	e.m.collector.Do(func() {}) // it does not start any more
	if e.store == nil {
		e.life.stopped.Wait()
		return nil
	}
	err := e.checkpoints.lastSnapshot()
	return errors.Join(err, e.store.Close())
}

// Flush is Barrier with all the patience that StallTimeout allows.
func (e *Engine) Flush() error { return e.Barrier(context.Background()) }

// Barrier makes every commit durable that Update has returned for, at any level. If ctx ends before, it returns the reason;
// the commits stay as they are. Errors: ErrStalled, ErrPersistence, ErrClosed.
func (e *Engine) Barrier(ctx context.Context) error {
	if e.life.closed.Load() {
		return ErrClosed
	}
	if e.store == nil {
		return nil
	}
	return closedError(e.store.Barrier(ctx))
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
func (e *Engine) Done() <-chan struct{} { return e.life.stop }

// Now returns the time by the engine's clock.
func (e *Engine) Now() time.Time { return e.m.clock() }

// InTx reports whether the calling goroutine runs a closure of one of the engine's transactions. Then calls that could wait for it return
// ErrInTx. It is for functions that are called both inside and outside. O(1).
func (e *Engine) InTx() bool { return e.locks.inTx() }

// Recovery tells what Open found.
func (e *Engine) Recovery() Recovery { return e.recovery }
