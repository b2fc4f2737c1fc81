package locks

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/zrankdb/zrank/engine/internal/lifetime"
	"github.com/zrankdb/zrank/engine/internal/observe"
	"github.com/zrankdb/zrank/internal/goroutine"
	"github.com/zrankdb/zrank/internal/rwlock"
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
func (l *Table) InTx() bool { return l.Running.inside(goroutine.ID()) }

// MayWait returns an error if the calling goroutine must not wait for a transaction: ErrClosed or ErrInTx.
func (l *Table) MayWait() error { return l.mayWaitOn(goroutine.ID()) }

func (l *Table) mayWaitOn(goroutine int64) error {
	if l.life.Closed.Load() {
		return ErrClosed
	}
	if l.Running.inside(goroutine) {
		return ErrInTx
	}
	return nil
}

// MayBegin is MayWait for a closure that is about to run in the calling goroutine. It stores the goroutine's number in c. Errors: those of MayWait,
// the cause of a context that has ended.
func (l *Table) MayBegin(ctx context.Context, c *Closure) error {
	c.Goroutine = goroutine.ID()
	if err := l.mayWaitOn(c.Goroutine); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

// LockSoon locks m for writing or for reading. If ctx ends before, or if m is not free and long waits are reported, it returns false; the caller then
// calls Wait.
func (l *Table) LockSoon(ctx context.Context, m *rwlock.Mutex, write bool) bool {
	switch {
	case l.Slow.Observed:
		return l.TryLock(m, write)
	case write:
		return m.LockUntil(ctx.Done())
	}
	return m.RLockUntil(ctx.Done())
}

// TryLock locks m for writing or for reading if it is free, and reports whether it did.
func (l *Table) TryLock(m *rwlock.Mutex, write bool) bool {
	if write {
		return m.TryLock()
	}
	return m.TryRLock()
}

// Lock locks a set for writing, even if it gets another key and lock meanwhile. op is the name of the call in an Event.
func (l *Table) Lock(set *KeyLock, op, key string) { l.lockAnyKey(set, true, op, key) }

// Rlock is Lock for reading.
func (l *Table) Rlock(set *KeyLock, op, key string) { l.lockAnyKey(set, false, op, key) }

// LockGuestSoon is LockSoon for a guest: see rwlock.Mutex.RLockGuest.
func (l *Table) LockGuestSoon(ctx context.Context, m *rwlock.Mutex) (ok, guest bool) {
	if l.Slow.Observed {
		return m.TryRLockGuest()
	}
	return m.RLockGuest(ctx.Done())
}

func (l *Table) lockAnyKey(set *KeyLock, write bool, op, key string) {
	for {
		m := set.Get()
		if ctx := context.Background(); !l.LockSoon(ctx, &m.Mutex, write) {
			_ = l.Wait(ctx, &m.Mutex, write, &Wait{Op: op, Key: key}) // ctx does not end
		}
		if set.Has(m) {
			return
		}
		if write {
			m.Release()
		} else {
			m.RRelease()
		}
	}
}

// ClosedError turns persist.ErrClosed into ErrClosed, and returns other errors unchanged.
func ClosedError(err error) error {
	if errors.Is(err, persist.ErrClosed) {
		return ErrClosed
	}
	return err
}
