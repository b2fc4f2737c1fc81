package rwlock

import "sync/atomic"

// waiter is a caller that waits for a lock. Whoever is woken looks whether it was for nothing: a wake may be late.
type waiter struct {
	write      bool
	heir       atomic.Bool
	ready      chan struct{} // capacity 1
	prev, next *waiter       // in the queue
}

func newWaiter(write bool) *waiter { return &waiter{write: write, ready: make(chan struct{}, 1)} }

// wake wakes the caller if it sleeps or is about to.
func (w *waiter) wake() {
	select {
	case w.ready <- struct{}{}:
	default: // it has not looked yet
	}
}

// sleep waits until the caller is woken. It returns false if done was closed before.
func (w *waiter) sleep(done <-chan struct{}) bool {
	if done == nil {
		<-w.ready
		return true
	}
	select {
	case <-w.ready:
		return true
	case <-done:
		return false
	}
}

// queue is the callers that wait, in the order in which they came.
type queue struct{ first, last *waiter }

func (q *queue) push(w *waiter) {
	if w.prev = q.last; q.last == nil {
		q.first = w
	} else {
		q.last.next = w
	}
	q.last = w
}

// remove takes out a caller that is in the queue. O(1).
func (q *queue) remove(w *waiter) {
	if w.prev == nil {
		q.first = w.next
	} else {
		w.prev.next = w.next
	}
	if w.next == nil {
		q.last = w.prev
	} else {
		w.next.prev = w.prev
	}
}

// pop takes out the first caller, and the readers right behind it if it is a reader. It returns them, linked, and their number.
func (q *queue) pop() (list *waiter, n int) {
	if q.first == nil {
		return nil, 0
	}
	list, n = q.first, 1
	end := list
	for !list.write && end.next != nil && !end.next.write {
		end, n = end.next, n+1
	}
	if q.first = end.next; q.first == nil {
		q.last = nil
	} else {
		q.first.prev = nil
	}
	end.next = nil
	return list, n
}
