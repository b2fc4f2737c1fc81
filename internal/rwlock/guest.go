package rwlock

import (
	"runtime"
	"slices"
)

// RLockGuest locks for reading as RLock does, or returns as soon as the writer that holds the lock admits guests. The caller then reads what
// that writer keeps for guests. Before RUnlock it must not wait for a lock whose holder may be in Admit. It gives up when done is closed, and reports
// whether it has locked; a nil done is never closed. O(1), without the time that it waits.
func (l *Mutex) RLockGuest(done <-chan struct{}) (ok, guest bool) {
	if ok, guest = l.TryRLockGuest(); ok {
		return true, guest
	}
	shared()
	return l.waitGuest(done)
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
	l.until(func() bool { return !l.Wanted() }, nil)
	l.open.Store(false)
	l.drain(nil)
}

// waitGuest gets the lock in turn, as wait does, or as a guest.
func (l *Mutex) waitGuest(done <-chan struct{}) (ok, guest bool) {
	w := newWaiter(false)
	l.waiting.Add(1)
	l.mu.Lock()
	l.guests = append(l.guests, w)
	l.wanted.Add(1)
	l.lineHeld(w)
	l.mu.Unlock()
	for turn := 0; ; turn++ {
		if ok, guest = l.TryRLockGuest(); ok {
			break
		}
		sleeps := !w.heir.Load()
		if !sleeps && turn < spins {
			runtime.Gosched()
			continue
		}
		if !sleeps {
			l.sleeps(w)
			sleeps = !l.free()
		}
		if sleeps && !w.sleep(done) {
			break
		}
	}
	l.endGuest(w)
	return ok, guest
}

// free reports whether a guest may come in.
func (l *Mutex) free() bool { return !l.held.Load() || l.open.Load() }

// endGuest ends the wait of a guest, which may still be in the queue.
func (l *Mutex) endGuest(w *waiter) {
	l.waiting.Add(-1)
	l.mu.Lock()
	i := slices.Index(l.guests, w)
	l.guests = slices.Delete(l.guests, i, i+1)
	l.leaveQueue(w)
	l.mu.Unlock()
	if l.wanted.Add(-1) == 0 {
		l.wakeDrainer()
	}
}
