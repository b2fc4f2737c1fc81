package locks

import (
	"sync"
	"time"

	"github.com/zrankdb/zrank/engine/internal/lifetime"
	"github.com/zrankdb/zrank/engine/internal/observe"
	"github.com/zrankdb/zrank/internal/rwlock"
)

// Table takes the locks of sets. It refuses calls that would wait for their own transaction, and reports calls that wait for long.
type Table struct {
	life    *lifetime.Lifetime
	Slow    *observe.SlowCalls
	Running Running
	Waits   slowWaits
}

// Wait is a call that waits for a lock.
type Wait struct {
	l       *Table
	lock    *rwlock.Mutex
	Op, Key string      // Key is the key of the lock; "": not known, or private
	Private bool        // the lock is that of a stripe of private keys
	Guest   bool        // the caller may lock as a guest; when it has locked, whether it is one
	Keys    []string    // the keys that a transaction has named
	Own     Transaction // the transaction, if it waits inside its closure
	// Has looks a lock up among those that the transaction has taken before its closure, and returns its key. It is nil if the call is
	// not a transaction.
	Has    func(*rwlock.Mutex) (key string, ok bool)
	caller int64 // the goroutine that waits
	began  time.Duration

	timer *time.Timer

	// Guarded by slowWaits.mu.
	over  bool
	pause time.Duration // until the next try, if another call has just been reported
	again *time.Timer
}

// slowWaits are the calls that have waited for Options.SlowCall and still wait.
type slowWaits struct {
	mu   sync.Mutex
	All  map[*Wait]struct{}
	last time.Duration // time of the last report plus 1 ns; 0: there was none
}
