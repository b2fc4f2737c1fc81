package locks

import (
	"errors"
	"sync"
	"sync/atomic"

	"github.com/zrankdb/zrank/engine/internal/lifetime"
	"github.com/zrankdb/zrank/engine/internal/observe"
	"github.com/zrankdb/zrank/persist"
)

// The errors of calls that may not wait; package engine says of each when it is returned.
var (
	ErrClosed = errors.New("engine: closed")
	ErrInTx   = errors.New("engine: call inside the closure of a transaction")
)

// New returns a Table for the keys of one engine.
func New(life *lifetime.Lifetime, slow *observe.SlowCalls) *Table {
	l := &Table{life: life, Slow: slow}
	if slow.Observed {
		l.Running.noted = new([runningBuckets * runningPlaces]atomic.Pointer[Closure])
	}
	return l
}

// InTx reports whether the calling goroutine runs a closure. O(1).
func (l *Table) InTx() bool { return l.Running.inside(GoroutineID()) }

// MayWait returns why a call that may wait for a transaction must not go on, or nil. Errors: ErrClosed, ErrInTx.
func (l *Table) MayWait() error { return l.mayWaitOn(GoroutineID()) }

func (l *Table) mayWaitOn(goroutine int64) error {
	if l.life.Closed.Load() {
		return ErrClosed
	}
	if l.Running.inside(goroutine) {
		return ErrInTx
	}
	return nil
}

// MayBegin is mayWait for a closure that is about to run in the calling goroutine.
func (l *Table) MayBegin(c *Closure) error {
	c.Goroutine = GoroutineID()
	return l.mayWaitOn(c.Goroutine)
}

// LockSoon locks a lock for writing or for reading. It returns false if it would have to wait and a long wait is to be reported.
func (l *Table) LockSoon(m *sync.RWMutex, write bool) bool {
	switch {
	case l.Slow.Observed && write:
		return m.TryLock()
	case l.Slow.Observed:
		return m.TryRLock()
	case write:
		m.Lock()
	default:
		m.RLock()
	}
	return true
}

// Lock locks a set, whatever its key, for a call that is called op in an Event.
func (l *Table) Lock(set *KeyLock, op, key string) { l.lockAnyKey(set, true, op, key) }

// Rlock is lock for reading.
func (l *Table) Rlock(set *KeyLock, op, key string) { l.lockAnyKey(set, false, op, key) }

func (l *Table) lockAnyKey(set *KeyLock, write bool, op, key string) {
	for {
		m := set.Of.Load()
		if !l.LockSoon(m, write) {
			l.Wait(m, write, &Wait{Op: op, Key: key})
		}
		if set.Of.Load() == m {
			return
		}
		if write {
			m.Unlock()
		} else {
			m.RUnlock()
		}
	}
}

// ClosedError turns the store's word for being closed into the engine's.
func ClosedError(err error) error {
	if errors.Is(err, persist.ErrClosed) {
		return ErrClosed
	}
	return err
}
