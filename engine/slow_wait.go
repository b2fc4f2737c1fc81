package engine

import (
	"slices"
	"sync"
	"time"
)

// A call that waits for a lock for Options.SlowCall is told of while it waits: if a closure waits for it, it never ends, and nothing
// could be told afterwards. Looking for who has the lock costs nothing before that: a call that gets its lock at once does not come
// here, one that has to wait sets a timer, and what is told is found out when the timer fires.

// lockWait is a call that waits for a lock.
type lockWait struct {
	e       *Engine
	lock    *sync.RWMutex
	op, key string    // the key that the lock is of; "": not known, or private
	private bool      // the lock is that of the private keys
	keys    []string  // that a transaction has named
	has     []*handle // what a transaction has locked already
	own     *Tx       // if it waits inside its closure
	caller  int64     // the goroutine
	began   time.Duration

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

// lockSoon locks a lock for writing or for reading; false: it would have to wait, and somebody would hear of that.
func (e *Engine) lockSoon(m *sync.RWMutex, write bool) bool {
	switch {
	case e.heard && write:
		return m.TryLock()
	case e.heard:
		return m.TryRLock()
	case write:
		m.Lock()
	default:
		m.RLock()
	}
	return true
}

// wait waits for the lock.
func (w *lockWait) wait(write bool) {
	w.began, w.caller = w.e.counters.now(), goroutineID()
	w.timer = time.AfterFunc(w.e.slowCall, w.tell)
	if write {
		w.lock.Lock()
	} else {
		w.lock.RLock()
	}
	if w.timer.Stop() {
		return
	}
	x := &w.e.slowWaits
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
	x := &w.e.slowWaits
	x.mu.Lock()
	defer x.mu.Unlock()
	if w.over {
		return
	}
	if x.all == nil {
		x.all = map[*lockWait]struct{}{}
	}
	x.all[w] = struct{}{}
	now := w.e.counters.now() + 1
	if x.last > 0 && now-x.last < slowPause {
		w.pause = min(max(2*w.pause, slowPause), slowWaitPause)
		w.again = time.AfterFunc(w.pause, w.tell)
		return
	}
	x.last = now
	w.e.events.tell(w.event())
}

// event is what is told of the call. The caller holds slowWaits.mu.
func (w *lockWait) event() Event {
	now := w.e.counters.now()
	v := Event{Kind: EventSlowCall, Waiting: true, Op: w.op, Key: w.key, Private: w.private, Goroutine: w.caller, Duration: now - w.began}
	if v.N, v.Keys = len(w.keys), firstKeys(len(w.keys), func(i int) string { return w.keys[i] }); w.own != nil {
		v.N, v.Keys = len(w.has), firstKeys(len(w.has), func(i int) string { return w.has[i].key })
	}
	for _, tx := range w.e.running.all() {
		if h := holding(tx.sets, w.lock); tx != w.own && (h != nil || w.private && tx.holds.Load()) {
			v.heldBy(h, tx.holder(now))
		}
	}
	for other := range w.e.slowWaits.all {
		if h := holding(other.has, w.lock); other != w && other.own == nil && h != nil {
			v.heldBy(h, Holder{Op: other.op, N: len(other.keys), Goroutine: other.caller, Duration: now - other.began, Waiting: true,
				Keys: firstKeys(len(other.keys), func(i int) string { return other.keys[i] })})
		}
	}
	return v
}

// heldBy adds who has the lock that a call waits for, by a handle of the key unless it is that of the private keys.
func (v *Event) heldBy(h *handle, by Holder) {
	if h != nil && v.Key == "" {
		v.Key = h.key
	}
	if len(v.Holders) < maxHolders {
		v.Holders = append(v.Holders, by)
	}
}

// holder describes a transaction whose closure runs.
func (tx *Tx) holder(now time.Duration) Holder {
	h := Holder{Op: tx.op(), N: len(tx.sets), Goroutine: tx.goroutine, Keys: firstKeys(len(tx.sets), func(i int) string { return tx.sets[i].key })}
	if tx.began != 0 {
		h.Duration = now - tx.began
	}
	return h
}

// op is what a transaction is called in an Event.
func (tx *Tx) op() string {
	if tx.write {
		return "update"
	}
	return "view"
}

// holding returns the handle whose key's lock it is, or nil.
func holding(handles []*handle, lock *sync.RWMutex) *handle {
	if i := slices.IndexFunc(handles, func(h *handle) bool { return h.lock == lock }); i >= 0 {
		return handles[i]
	}
	return nil
}

// firstKeys returns the first of n keys, cut to what an Event may have.
func firstKeys(n int, key func(i int) string) []string {
	keys := make([]string, min(n, maxEventKeys))
	for i := range keys {
		keys[i] = cutKey(key(i))
	}
	return keys
}

// lockSet locks a set, whatever its key, for a call that is called op in an Event.
func (e *Engine) lockSet(s *set, op, key string) {
	for {
		m := s.mu.of.Load()
		if !e.lockSoon(m, true) {
			(&lockWait{e: e, lock: m, op: op, key: key}).wait(true)
		}
		if s.mu.of.Load() == m {
			return
		}
		m.Unlock()
	}
}

// rlockSet is lockSet for reading.
func (e *Engine) rlockSet(s *set, op, key string) {
	for {
		m := s.mu.of.Load()
		if !e.lockSoon(m, false) {
			(&lockWait{e: e, lock: m, op: op, key: key}).wait(false)
		}
		if s.mu.of.Load() == m {
			return
		}
		m.RUnlock()
	}
}
