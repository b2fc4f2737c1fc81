package engine

import (
	"sync"
	"sync/atomic"
)

// running has the goroutines that run the closure of a transaction at the moment. It is what tells a call inside a
// closure from one beside it: see "Calls inside a closure" in the package's doc. A goroutine runs one closure of an engine at a time,
// since another one inside is refused.
//
// Goroutines are spread over buckets by their numbers, so that those on different processors hardly ever write to the same cache line,
// and a look is at one line. Where more closures run at a time than a bucket has places for, the others are in a map. The places have
// numbers, not pointers, since atomic operations on pointers cost twice as much; which transactions they are is noted beside them, and
// only if somebody hears of slow calls.
//
//   - N1: from before a closure is called until it has returned, panicked or ended its goroutine, the number of its goroutine is in its
//     bucket or in crowd, and at no other time.
//   - N2: only the goroutine itself puts its number there and takes it away. So a goroutine that finds its own number is inside, and one
//     that does not is not, whatever others do meanwhile.
type running struct {
	buckets [runningBuckets]runningBucket
	noted   *[runningBuckets * runningPlaces]atomic.Pointer[Tx] // the transaction at each place; nil: nobody asks
	crowded atomic.Int64                                        // how many are in crowd
	mu      sync.Mutex
	crowd   map[int64]*Tx
}

const (
	runningBits    = 9
	runningBuckets = 1 << runningBits
	runningPlaces  = 4 // half a cache line
)

// runningBucket has numbers of goroutines; 0: the place is free.
type runningBucket [runningPlaces]atomic.Int64

// placeOf returns the bucket of a goroutine. Numbers that follow each other, or are the same distance apart, are in different ones.
func placeOf(goroutine int64) uint64 {
	return uint64(goroutine) * 0x9e3779b97f4a7c15 >> (64 - runningBits)
}

// inside reports whether a goroutine, which must be the calling one, runs a closure. O(1).
func (r *running) inside(goroutine int64) bool {
	b := &r.buckets[placeOf(goroutine)]
	if b[0].Load() == goroutine || b[1].Load() == goroutine || b[2].Load() == goroutine || b[3].Load() == goroutine {
		return true
	}
	return r.crowded.Load() > 0 && r.inCrowd(goroutine)
}

func (r *running) inCrowd(goroutine int64) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.crowd[goroutine] != nil
}

// enter notes that the calling goroutine is about to run the closure of a transaction, whose keys are locked. O(1).
func (r *running) enter(tx *Tx) {
	if tx.goroutine == 0 {
		tx.goroutine = goroutineID()
	}
	at := placeOf(tx.goroutine)
	b := &r.buckets[at]
	for i := range b {
		if b[i].Load() == 0 && b[i].CompareAndSwap(0, tx.goroutine) {
			tx.place = int32(at)*runningPlaces + int32(i) + 1
			if r.noted != nil {
				r.noted[tx.place-1].Store(tx)
			}
			return
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.crowd == nil {
		r.crowd = map[int64]*Tx{}
	}
	r.crowd[tx.goroutine], tx.place = tx, inCrowd
	r.crowded.Add(1)
}

// inCrowd is Tx.place of a transaction that is in the crowd.
const inCrowd = -1

// leave undoes enter. It does nothing if that has not been called. O(1).
func (r *running) leave(tx *Tx) {
	if at := tx.place - 1; at >= 0 {
		if r.noted != nil {
			r.noted[at].Store(nil)
		}
		r.buckets[at/runningPlaces][at%runningPlaces].Store(0)
	} else if tx.place == inCrowd {
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.crowd, tx.goroutine)
		r.crowded.Add(-1)
	}
}

// all returns the transactions whose closures run at about this moment, none unless they are noted. O(buckets).
func (r *running) all() (list []*Tx) {
	if r.noted == nil {
		return nil
	}
	for i := range r.noted {
		if tx := r.noted[i].Load(); tx != nil {
			list = append(list, tx)
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, tx := range r.crowd {
		list = append(list, tx)
	}
	return list
}

// InTx reports whether the calling goroutine runs a closure of one of the engine's transactions. Then calls that could wait for it return
// ErrInTx. It is for functions that are called both inside and outside. O(1).
func (e *Engine) InTx() bool { return e.running.inside(goroutineID()) }

// mayWait returns why a call that may wait for a transaction must not go on, or nil. Errors: ErrClosed, ErrInTx.
func (e *Engine) mayWait() error { return e.mayWaitOn(goroutineID()) }

func (e *Engine) mayWaitOn(goroutine int64) error {
	if e.closed.Load() {
		return ErrClosed
	}
	if e.running.inside(goroutine) {
		return ErrInTx
	}
	return nil
}

// mayBegin is mayWait for a transaction.
func (tx *Tx) mayBegin() error {
	tx.goroutine = goroutineID()
	return tx.e.mayWaitOn(tx.goroutine)
}
