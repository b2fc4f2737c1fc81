package engine

import (
	"errors"
	"sync"
	"sync/atomic"

	"github.com/zrankdb/zrank/persist"
)

var (
	// ErrClosed is returned by every call after Close.
	ErrClosed = errors.New("engine: closed")
	// ErrInTx is returned by calls of the engine that lock keys, or wait for those who do, on a goroutine that runs the closure of one of
	// its transactions: they could wait for themselves. Use the Tx instead. See "Calls inside a closure" in the package's doc.
	ErrInTx = errors.New("engine: call inside the closure of a transaction")
)

// locks takes the locks of sets. It refuses callers that would wait for themselves, and tells of calls that wait for long.
type locks struct {
	life    *lifetime
	slow    *slowCalls
	running running
	waits   slowWaits
}

func newLocks(life *lifetime, slow *slowCalls) *locks {
	l := &locks{life: life, slow: slow}
	if slow.heard {
		l.running.noted = new([runningBuckets * runningPlaces]atomic.Pointer[closure])
	}
	return l
}

// inTx reports whether the calling goroutine runs a closure. O(1).
func (l *locks) inTx() bool { return l.running.inside(goroutineID()) }

// mayWait returns why a call that may wait for a transaction must not go on, or nil. Errors: ErrClosed, ErrInTx.
func (l *locks) mayWait() error { return l.mayWaitOn(goroutineID()) }

func (l *locks) mayWaitOn(goroutine int64) error {
	if l.life.closed.Load() {
		return ErrClosed
	}
	if l.running.inside(goroutine) {
		return ErrInTx
	}
	return nil
}

// mayBegin is mayWait for a closure that is about to run in the calling goroutine.
func (l *locks) mayBegin(c *closure) error {
	c.goroutine = goroutineID()
	return l.mayWaitOn(c.goroutine)
}

// lockSoon locks a lock for writing or for reading. It returns false if it would have to wait, and somebody would hear of that.
func (l *locks) lockSoon(m *sync.RWMutex, write bool) bool {
	switch {
	case l.slow.heard && write:
		return m.TryLock()
	case l.slow.heard:
		return m.TryRLock()
	case write:
		m.Lock()
	default:
		m.RLock()
	}
	return true
}

// lock locks a set, whatever its key, for a call that is called op in an Event.
func (l *locks) lock(set *lock, op, key string) {
	for {
		m := set.of.Load()
		if !l.lockSoon(m, true) {
			l.wait(m, true, &lockWait{op: op, key: key})
		}
		if set.of.Load() == m {
			return
		}
		m.Unlock()
	}
}

// rlock is lock for reading.
func (l *locks) rlock(set *lock, op, key string) {
	for {
		m := set.of.Load()
		if !l.lockSoon(m, false) {
			l.wait(m, false, &lockWait{op: op, key: key})
		}
		if set.of.Load() == m {
			return
		}
		m.RUnlock()
	}
}

// closedError turns the store's word for being closed into the engine's.
func closedError(err error) error {
	if errors.Is(err, persist.ErrClosed) {
		return ErrClosed
	}
	return err
}
