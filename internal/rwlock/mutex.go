package rwlock

import "sync/atomic"

// RLock locks for reading. O(1), without the time that it waits for writers.
func (l *Mutex) RLock() { l.RLockUntil(nil) }

// RLockUntil is RLock that gives up when done is closed, and reports whether it has locked. A nil done is never closed.
func (l *Mutex) RLockUntil(done <-chan struct{}) bool {
	if l.TryRLock() {
		return true
	}
	shared()
	return l.wait((*Mutex).TryRLock, false, done)
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
	if c.Add(-1); l.held.Load() {
		l.wakeDrainer()
	}
}

func (l *Mutex) wakeDrainer() {
	if w := l.drainer.Load(); w != nil {
		w.wake()
	}
}

// Lock locks for writing. It waits for the readers that hold the lock, and no further readers get it.
func (l *Mutex) Lock() { l.LockUntil(nil) }

// LockUntil is Lock that gives up when done is closed, and reports whether it has locked. A nil done is never closed.
func (l *Mutex) LockUntil(done <-chan struct{}) bool {
	if !l.claim() && !l.wait((*Mutex).seize, true, done) {
		return false
	}
	if l.count() != 0 && !l.drain(done) {
		l.Unlock()
		return false
	}
	return true
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
