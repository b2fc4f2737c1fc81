package engine

import (
	"sync"
	"sync/atomic"
)

// running has the transactions whose closures run at the moment, by the goroutines that run them. It is what tells a call inside a
// closure from one beside it: see "Calls inside a closure" in the package's doc. A goroutine runs one closure of an engine at a time,
// since another one inside is refused.
//
// Goroutines are spread over buckets by their numbers, so that those on different processors hardly ever write to the same cache line,
// and a look is at one line. Where more closures run at a time than a bucket has places for, the others are in a map.
//
//   - N1: from before its closure is called until that has returned, panicked or ended its goroutine, a transaction is in its bucket or
//     in crowd, and at no other time.
//   - N2: only the goroutine whose number it has puts a transaction there and takes it away. So a goroutine that finds its own number is
//     inside, and one that does not is not, whatever others do meanwhile.
type running struct {
	buckets [runningBuckets]runningBucket
	crowded atomic.Int64 // how many are in crowd
	mu      sync.Mutex
	crowd   map[int64]*Tx
}

const (
	runningBits    = 9
	runningBuckets = 1 << runningBits
	runningPlaces  = 4 // half a cache line
)

type runningBucket [runningPlaces]atomic.Pointer[Tx]

// bucket returns the bucket of a goroutine. Numbers that follow each other, or are the same distance apart, are in different ones.
func (r *running) bucket(goroutine int64) *runningBucket {
	return &r.buckets[uint64(goroutine)*0x9e3779b97f4a7c15>>(64-runningBits)]
}

// inside reports whether a goroutine, which must be the calling one, runs a closure. O(1).
func (r *running) inside(goroutine int64) bool {
	b := r.bucket(goroutine)
	for i := range b {
		if tx := b[i].Load(); tx != nil && tx.goroutine == goroutine {
			return true
		}
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
	b := r.bucket(tx.goroutine)
	for i := range b {
		if b[i].Load() == nil && b[i].CompareAndSwap(nil, tx) {
			tx.place = &b[i]
			return
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.crowd == nil {
		r.crowd = map[int64]*Tx{}
	}
	r.crowd[tx.goroutine], tx.crowded = tx, true
	r.crowded.Add(1)
}

// leave undoes enter. It does nothing if that has not been called. O(1).
func (r *running) leave(tx *Tx) {
	switch {
	case tx.place != nil:
		tx.place.Store(nil)
	case tx.crowded:
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.crowd, tx.goroutine)
		r.crowded.Add(-1)
	}
}

// all returns the transactions whose closures run at about this moment. O(buckets).
func (r *running) all() (list []*Tx) {
	for i := range r.buckets {
		for j := range r.buckets[i] {
			if tx := r.buckets[i][j].Load(); tx != nil {
				list = append(list, tx)
			}
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
