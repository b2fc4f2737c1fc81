package rwlock

import (
	"runtime"
	"slices"
)

// RLockGuest locks for reading as RLock does, or returns as soon as the writer that holds the lock admits guests. The caller then reads what
// that writer keeps for guests. Before RUnlock it must not wait for a lock whose holder may be in Admit. O(1), without the time that it waits.
func (l *Mutex) RLockGuest() (guest bool) {
	ok, guest := l.TryRLockGuest()
	if !ok {
		shared()
		guest = l.waitGuest()
	}
	return guest
}

// TryRLockGuest is RLockGuest if it need not wait, and reports whether it has locked.
func (l *Mutex) TryRLockGuest() (ok, guest bool) {
	if l.TryRLock() {
		return true, false
	}
	if !l.open.Load() {
		return false, false
	}
	c, _ := l.counter()
	c.Add(1) // before it looks again: a writer that closes after this look waits for the reader
	if guest = l.open.Load(); !guest {
		l.leave(c)
	}
	return guest, guest
}

// Wanted reports whether callers of RLockGuest wait. O(1).
func (l *Mutex) Wanted() bool { return l.wanted.Load() > 0 }

// Admit lets callers of RLockGuest in until all that wait have come and all that came have left. The writer calls it, and changes nothing
// meanwhile. Others who wait for the lock go on waiting.
func (l *Mutex) Admit() {
	l.open.Store(true)
	l.mu.Lock()
	for _, w := range l.guests {
		w.wake()
	}
	l.mu.Unlock()
	l.until(func() bool { return !l.Wanted() })
	l.open.Store(false)
	l.drain()
}

// waitGuest gets the lock in turn, as wait does, or as a guest.
func (l *Mutex) waitGuest() (guest bool) {
	w := newWaiter(false)
	l.waiting.Add(1)
	l.mu.Lock()
	l.guests = append(l.guests, w)
	l.wanted.Add(1)
	l.lineHeld(w)
	l.mu.Unlock()
	for turn, ok := 0, false; ; turn++ {
		if ok, guest = l.TryRLockGuest(); ok {
			break
		}
		if !w.heir.Load() {
			<-w.ready
			continue
		}
		if turn < spins {
			runtime.Gosched()
			continue
		}
		if l.sleeps(w); !l.free() {
			<-w.ready
		}
	}
	l.arrivedGuest(w)
	return guest
}

// free reports whether a guest may come in.
func (l *Mutex) free() bool { return !l.held.Load() || l.open.Load() }

// arrivedGuest is arrived for a guest, which may still be in the queue.
func (l *Mutex) arrivedGuest(w *waiter) {
	l.waiting.Add(-1)
	l.mu.Lock()
	i := slices.Index(l.guests, w)
	l.guests = slices.Delete(l.guests, i, i+1)
	if w.heir.Load() {
		l.succeed()
	} else {
		l.queue.remove(w)
	}
	l.mu.Unlock()
	if l.wanted.Add(-1) == 0 {
		l.wakeDrainer()
	}
}
