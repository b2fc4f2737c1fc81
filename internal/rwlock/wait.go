package rwlock

import "runtime"

// spins is how often an heir tries, and lets other goroutines run in between, before it sleeps: for about 20 us if there are no others. Most
// transactions are over by then, and to sleep and to be woken takes as long.
const spins = 100

// wait gets the lock by try, in turn: the callers that wait are a queue, and the first one is the heir, which tries. Once it has the lock it
// makes the next one the heir, so that this one is awake by the time that the lock is free. It returns false if done was closed before.
func (l *Mutex) wait(try func(*Mutex) bool, write bool, done <-chan struct{}) bool {
	w := newWaiter(write)
	l.waiting.Add(1)
	l.line(w)
	for !w.heir.Load() {
		if !w.sleep(done) {
			return l.giveUp(w)
		}
	}
	for turn := 0; !try(l); turn++ {
		if turn < spins {
			runtime.Gosched()
			continue
		}
		if l.sleeps(w); try(l) {
			break
		}
		if !w.sleep(done) {
			return l.giveUp(w)
		}
	}
	l.arrived(w)
	return true
}

// giveUp takes a caller that has no lock out of the queue, or passes on that it is the heir. It returns false.
func (l *Mutex) giveUp(w *waiter) bool {
	l.waiting.Add(-1)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.leaveQueue(w)
	return false
}

// leaveQueue takes a caller out of the queue; an heir makes the next one the heir. The caller holds mu.
func (l *Mutex) leaveQueue(w *waiter) {
	if w.heir.Load() {
		l.succeed()
	} else {
		l.queue.remove(w)
	}
}

// line puts a caller into the queue, or makes it the heir if there is none.
func (l *Mutex) line(w *waiter) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lineHeld(w)
}

// lineHeld is line for a caller that holds mu.
func (l *Mutex) lineHeld(w *waiter) {
	if l.heirs > 0 {
		l.queue.push(w)
		return
	}
	l.heirs = 1
	w.heir.Store(true)
}

// sleeps notes that an heir is about to sleep. It tries once more after that: who unlocks before has not seen the note.
func (l *Mutex) sleeps(w *waiter) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sleepers = append(l.sleepers, w)
	l.asleep.Store(true)
}

// wakeHeirs wakes the heirs that sleep.
func (l *Mutex) wakeHeirs() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, w := range l.sleepers {
		w.wake()
	}
	l.sleepers = nil
	l.asleep.Store(false)
}

// arrived notes that an heir has got the lock, and makes the next caller the heir, or several readers.
func (l *Mutex) arrived(w *waiter) {
	l.waiting.Add(-1)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.succeed()
}

// succeed makes the next caller the heir, or several readers, if no other heir is left. The caller holds mu.
func (l *Mutex) succeed() {
	if l.heirs--; l.heirs > 0 {
		return
	}
	next, n := l.queue.pop()
	for l.heirs = n; next != nil; next = next.next {
		next.heir.Store(true)
		next.wake()
	}
}

// drain waits until no reader holds the lock. A reader that leaves later than the writer looks sees the writer, and wakes it. It returns false if
// done was closed before.
func (l *Mutex) drain(done <-chan struct{}) bool {
	return l.until(func() bool { return l.count() == 0 }, done)
}

// until is where the writer waits for readers: it returns once they have left. Who makes left true wakes the drainer. It returns false if done was
// closed before.
func (l *Mutex) until(left func() bool, done <-chan struct{}) bool {
	for range spins {
		if left() {
			return true
		}
		runtime.Gosched()
	}
	w := newWaiter(true)
	l.drainer.Store(w)
	defer l.drainer.Store(nil)
	for !left() {
		if !w.sleep(done) {
			return false
		}
	}
	return true
}
