package rwlock

import (
	"sync"
	"sync/atomic"

	"github.com/zrankdb/zrank/internal/invariants"
)

// Mutex is a reader/writer lock. The zero value is an unlocked one. A goroutine that holds it for reading must not take it for reading again: a
// writer may have come between.
type Mutex struct {
	readers atomic.Int32 // the counter that every lock has
	held    atomic.Bool  // a writer has the lock, or waits for the readers that have it: no reader begins
	asleep  atomic.Bool  // an heir has gone to sleep
	waiting atomic.Int32 // callers in the queue, and heirs
	wide    atomic.Pointer[row]
	drainer atomic.Pointer[waiter] // the writer that waits for readers; nil: there is none

	mu       sync.Mutex // guards the fields below. It is held for a few instructions only
	heirs    int        // callers that are next, and have not got the lock yet
	sleepers []*waiter  // of them, those that sleep, and perhaps some that have slept
	queue    queue
}

// Shared is how often readers have written to memory that all readers of a lock write to, in builds that check invariants.
var Shared atomic.Uint64

func shared() {
	if invariants.Enabled {
		Shared.Add(1)
	}
}

// RLock locks for reading. O(1), without the time that it waits for writers.
func (l *Mutex) RLock() {
	if !l.TryRLock() {
		shared()
		l.wait((*Mutex).TryRLock, false)
	}
}

// TryRLock locks for reading unless a writer is there, and reports whether it did. O(1).
func (l *Mutex) TryRLock() bool {
	c, isShared := l.counter()
	n := c.Add(1)
	if l.held.Load() {
		l.leave(c)
		return false
	}
	if n > 1 && isShared {
		l.widen()
	}
	return true
}

// RUnlock undoes RLock. Another goroutine may call it. O(1).
func (l *Mutex) RUnlock() {
	c, _ := l.counter()
	l.leave(c)
}

// leave lowers a counter, and wakes a writer that waits for readers.
func (l *Mutex) leave(c *atomic.Int32) {
	c.Add(-1)
	if l.held.Load() {
		if w := l.drainer.Load(); w != nil {
			w.wake()
		}
	}
}

// Lock locks for writing. It waits for the readers that hold the lock, and no further readers get it.
func (l *Mutex) Lock() {
	if !l.claim() {
		l.wait((*Mutex).seize, true)
	}
	if l.count() != 0 {
		l.drain()
	}
}

// claim makes the calling goroutine the writer, unless there is one or others wait.
func (l *Mutex) claim() bool { return l.waiting.Load() == 0 && l.seize() }

// seize makes the calling goroutine the writer, unless there is one.
func (l *Mutex) seize() bool { return !l.held.Load() && l.held.CompareAndSwap(false, true) }

// TryLock locks for writing if nobody holds the lock or waits for it, and reports whether it did.
func (l *Mutex) TryLock() bool {
	if !l.claim() {
		return false
	}
	if l.count() == 0 {
		return true
	}
	l.Unlock()
	return false
}

// Unlock undoes Lock. Another goroutine may call it. O(1).
func (l *Mutex) Unlock() {
	if l.held.Store(false); l.asleep.Load() {
		l.wakeHeirs()
	}
}

// counter returns the counter for a reader, and reports whether all readers have the same one.
func (l *Mutex) counter() (c *atomic.Int32, isShared bool) {
	if r := l.wide.Load(); r != nil {
		return r.mine(), false
	}
	shared()
	return &l.readers, true
}

// count is the sum of the counters. While a writer is there it never falls below the number of readers that hold the lock: they have all
// counted themselves before, and who comes now counts up before it counts down, at the same counter.
func (l *Mutex) count() int32 {
	sum := l.readers.Load()
	if r := l.wide.Load(); r != nil {
		for i := range r.counters {
			sum += r.counters[i].n.Load()
		}
	}
	return sum
}

// widen gives the lock a row.
func (l *Mutex) widen() {
	if l.wide.Load() == nil {
		l.wide.CompareAndSwap(nil, newRow())
	}
}
