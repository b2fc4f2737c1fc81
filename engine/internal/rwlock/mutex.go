package rwlock

import (
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/zrankdb/zrank/internal/invariants"
)

// Mutex is a reader/writer lock. The zero value is an unlocked one. A goroutine that holds it for reading must not take it for reading again: a
// writer may have come between.
type Mutex struct {
	gate    sync.RWMutex
	readers atomic.Int32 // the counter that every lock has
	writing atomic.Bool  // a writer is there. The holder of the gate writes it
	wide    atomic.Pointer[row]
}

// Shared is how often readers have written to memory that all readers of a lock write to, in builds that check invariants.
var Shared atomic.Uint64

func shared() {
	if invariants.Enabled {
		Shared.Add(1)
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

// RLock locks for reading. O(1), without the time that it waits for writers.
func (l *Mutex) RLock() {
	if !l.TryRLock() {
		l.rlockBehindWriter()
	}
}

// TryRLock locks for reading unless a writer is there, and reports whether it did. O(1).
func (l *Mutex) TryRLock() bool {
	c, isShared := l.counter()
	n := c.Add(1)
	if l.writing.Load() {
		l.leave(c)
		return false
	}
	if n > 1 && isShared {
		l.widen()
	}
	return true
}

// rlockBehindWriter waits for the writer that is there. Once the reader has passed the gate, no writer is there until it has counted itself.
func (l *Mutex) rlockBehindWriter() {
	shared()
	l.gate.RLock()
	c, _ := l.counter()
	c.Add(1)
	l.gate.RUnlock()
}

// RUnlock undoes RLock. Another goroutine may call it. O(1).
func (l *Mutex) RUnlock() {
	c, _ := l.counter()
	l.leave(c)
}

// leave lowers a counter, and wakes a writer that waits.
func (l *Mutex) leave(c *atomic.Int32) {
	c.Add(-1)
	if l.writing.Load() {
		if r := l.wide.Load(); r != nil {
			select {
			case r.drained <- struct{}{}:
			default: // the writer has not seen the last one yet
			}
		}
	}
}

// widen gives the lock a row.
func (l *Mutex) widen() {
	if l.wide.Load() == nil {
		l.wide.CompareAndSwap(nil, newRow())
	}
}

// Lock locks for writing. It waits for the readers that hold the lock, and no further readers get it.
func (l *Mutex) Lock() {
	l.gate.Lock()
	l.writing.Store(true)
	l.drain()
}

// spins is how often a writer looks again before it sleeps. A reader of a set mostly is done within a microsecond.
const spins = 4

// drain waits until no reader holds the lock. A reader that leaves later than the writer looks sees that it is there, and wakes it.
func (l *Mutex) drain() {
	for range spins {
		if l.held() == 0 {
			return
		}
		runtime.Gosched()
	}
	l.widen()
	for r := l.wide.Load(); l.held() != 0; {
		<-r.drained
	}
}

// held is the sum of the counters. While a writer is there it never falls below the number of readers that hold the lock: they have all counted
// themselves before, and who comes now counts up before it counts down, at the same counter.
func (l *Mutex) held() int32 {
	sum := l.readers.Load()
	if r := l.wide.Load(); r != nil {
		for i := range r.counters {
			sum += r.counters[i].n.Load()
		}
	}
	return sum
}

// TryLock locks for writing if nobody holds the lock, and reports whether it did.
func (l *Mutex) TryLock() bool {
	if !l.gate.TryLock() {
		return false
	}
	l.writing.Store(true)
	if l.held() == 0 {
		return true
	}
	l.Unlock()
	return false
}

// Unlock undoes Lock. Another goroutine may call it. O(1).
func (l *Mutex) Unlock() {
	l.writing.Store(false)
	l.gate.Unlock()
}
