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
	open    atomic.Bool            // the writer admits guests
	wanted  atomic.Int32           // callers of RLockGuest that wait

	mu       sync.Mutex // guards the fields below. It is held for a few instructions only
	heirs    int        // callers that are next, and have not got the lock yet
	sleepers []*waiter  // of them, those that sleep, and perhaps some that have slept
	queue    queue
	guests   []*waiter // callers of RLockGuest that wait; in the queue, or heirs
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
