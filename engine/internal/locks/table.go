package locks

import (
	"sync"
	"time"

	"github.com/zrankdb/zrank/engine/internal/lifetime"
	"github.com/zrankdb/zrank/engine/internal/observe"
)

// Table takes the locks of sets. It refuses callers that would wait for themselves, and reports calls that wait for long.
type Table struct {
	life    *lifetime.Lifetime
	Slow    *observe.SlowCalls
	Running Running
	Waits   slowWaits
}

// Wait is a call that waits for a lock.
type Wait struct {
	l       *Table
	lock    *sync.RWMutex
	Op, Key string      // the key that the lock is of; "": not known, or private
	Private bool        // the lock is that of the private keys
	Keys    []string    // that a transaction has named
	Own     Transaction // the transaction, if it waits inside its closure
	// has returns the key of a lock that a transaction has locked already; nil: the call is none.
	Has    func(*sync.RWMutex) (key string, ok bool)
	caller int64 // the goroutine
	began  time.Duration

	timer *time.Timer

	// Guarded by slowWaits.mu.
	over  bool
	pause time.Duration // until the next try, if another call has just been reported
	again *time.Timer
}

// slowWaits are the calls that have waited for Options.SlowCall, and wait.
type slowWaits struct {
	mu   sync.Mutex
	All  map[*Wait]struct{}
	last time.Duration // time of the last report plus 1 ns; 0: there was none
}
