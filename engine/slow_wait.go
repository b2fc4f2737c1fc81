package engine

import (
	"sync"
	"time"
)

// A call that waits for a lock for Options.SlowCall is told of while it waits: if a closure waits for it, it never ends, and nothing
// could be told afterwards. Looking for who has the lock costs nothing before that: a call that gets its lock at once does not come
// here, one that has to wait sets a timer, and what is told is found out when the timer fires.

// lockWait is a call that waits for a lock.
type lockWait struct {
	l       *locks
	lock    *sync.RWMutex
	op, key string   // the key that the lock is of; "": not known, or private
	private bool     // the lock is that of the private keys
	keys    []string // that a transaction has named
	own     holder   // the transaction, if it waits inside its closure
	// has returns the key of a lock that a transaction has locked already; nil: the call is none.
	has    func(*sync.RWMutex) (key string, ok bool)
	caller int64 // the goroutine
	began  time.Duration

	timer *time.Timer

	// Guarded by slowWaits.mu.
	over  bool
	pause time.Duration // until the next try, if others were told of just before
	again *time.Timer
}

// slowWaits are the calls that have waited for Options.SlowCall, and wait.
type slowWaits struct {
	mu   sync.Mutex
	all  map[*lockWait]struct{}
	last time.Duration // when the last one was told of, and 1 ns; 0: none was
}

// slowWaitPause is the longest time between two tries to tell of a call.
const slowWaitPause = 10 * time.Second

// wait waits for a lock, for a call that w describes.
func (l *locks) wait(m *sync.RWMutex, write bool, w *lockWait) {
	w.l, w.lock = l, m
	w.began, w.caller = w.l.slow.counters.now(), goroutineID()
	w.timer = time.AfterFunc(w.l.slow.limit, w.tell)
	if write {
		w.lock.Lock()
	} else {
		w.lock.RLock()
	}
	if w.timer.Stop() {
		return
	}
	x := &w.l.waits
	x.mu.Lock()
	defer x.mu.Unlock()
	w.over = true
	delete(x.all, w)
	if w.again != nil {
		w.again.Stop()
	}
}

// tell tells that the call waits, or tries again later if another one was told of within slowPause: each is told of once.
func (w *lockWait) tell() {
	x := &w.l.waits
	x.mu.Lock()
	defer x.mu.Unlock()
	if w.over {
		return
	}
	if x.all == nil {
		x.all = map[*lockWait]struct{}{}
	}
	x.all[w] = struct{}{}
	now := w.l.slow.counters.now() + 1
	if x.last > 0 && now-x.last < slowPause {
		w.pause = min(max(2*w.pause, slowPause), slowWaitPause)
		w.again = time.AfterFunc(w.pause, w.tell)
		return
	}
	x.last = now
	w.l.slow.events.tell(w.event())
}

// event is what is told of the call. The caller holds slowWaits.mu.
func (w *lockWait) event() Event {
	now := w.l.slow.counters.now()
	v := Event{Kind: EventSlowCall, Waiting: true, Op: w.op, Key: w.key, Private: w.private, Goroutine: w.caller, Duration: now - w.began}
	v.N, v.Keys = len(w.keys), firstKeys(len(w.keys), func(i int) string { return w.keys[i] })
	for _, tx := range w.l.running.all() {
		if tx == w.own {
			continue
		}
		if key, ok := tx.find(w.lock); ok {
			addHolder(&v, key, tx.describe(now))
		}
	}
	for other := range w.l.waits.all {
		if other == w || other.own != nil || other.has == nil {
			continue
		}
		if key, ok := other.has(w.lock); ok {
			addHolder(&v, key, Holder{Op: other.op, N: len(other.keys), Goroutine: other.caller, Duration: now - other.began, Waiting: true,
				Keys: firstKeys(len(other.keys), func(i int) string { return other.keys[i] })})
		}
	}
	return v
}
