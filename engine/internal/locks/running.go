package locks

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/zrankdb/zrank/engine/internal/observe"
	"github.com/zrankdb/zrank/internal/goroutine"
	"github.com/zrankdb/zrank/internal/rwlock"
)

// Running lists the goroutines that run the closure of a transaction at the moment. With it the engine recognizes calls inside a closure:
// see "Calls inside a closure" in the doc of package engine. A goroutine runs one closure of an engine at a time, because the engine
// refuses another one inside it.
//
// Goroutines are spread over buckets by their numbers, so that those on different processors rarely write to the same cache line, and a
// lookup reads one line. If a bucket has no free place, the closure goes into the map crowd. The places hold numbers, because atomic
// operations on pointers cost twice as much. The closures are stored beside them, in noted, only if slow calls are reported.
//
//   - N1: The number of a goroutine is in its bucket or in crowd from before its closure is called until the closure has returned,
//     panicked or ended the goroutine, and at no other time.
//   - N2: Only the goroutine itself adds and removes its number. So it is inside a closure if and only if it finds its number, whatever
//     other goroutines do meanwhile.
type Running struct {
	Buckets [runningBuckets]runningBucket
	noted   *[runningBuckets * runningPlaces]atomic.Pointer[Closure] // the closure at each place; nil: slow calls are not reported
	Crowded atomic.Int64                                             // len(crowd), which a lookup reads without mu
	mu      sync.Mutex
	crowd   map[int64]*Closure
}

// Closure is a closure of a transaction that runs, or is about to.
type Closure struct {
	of        Transaction // the transaction
	Goroutine int64       // the goroutine that runs it; 0: not known yet
	place     int32       // its place in Running.Buckets, counted from 1; inCrowd: it is in crowd; 0: it does not run
}

// Transaction is a transaction as a holder of locks that other calls may wait for.
type Transaction interface {
	// Find returns the key of a lock that the transaction holds, "" for that of a stripe of private keys. It returns false if the
	// transaction does not hold the lock.
	Find(*rwlock.Mutex) (key string, ok bool)
	// Describe returns the transaction as an Event shows it.
	Describe(now time.Duration) observe.Holder
}

const (
	runningBits    = 9
	runningBuckets = 1 << runningBits
	runningPlaces  = 4 // half a cache line
)

// runningBucket has the numbers of goroutines; 0 is a free place.
type runningBucket [runningPlaces]atomic.Int64

// placeOf returns the bucket of a goroutine. Numbers that follow each other, or are the same distance apart, are in different ones.
func placeOf(goroutine int64) uint64 {
	return uint64(goroutine) * 0x9e3779b97f4a7c15 >> (64 - runningBits)
}

// inside reports whether a goroutine, which must be the calling one, runs a closure. O(1).
func (r *Running) inside(goroutine int64) bool {
	b := &r.Buckets[placeOf(goroutine)]
	if b[0].Load() == goroutine || b[1].Load() == goroutine || b[2].Load() == goroutine || b[3].Load() == goroutine {
		return true
	}
	return r.Crowded.Load() > 0 && r.inCrowd(goroutine)
}

func (r *Running) inCrowd(goroutine int64) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.crowd[goroutine] != nil
}

// Enter notes that the calling goroutine is about to run a closure of a transaction, whose keys are locked. O(1).
func (r *Running) Enter(c *Closure, of Transaction) {
	if c.Goroutine == 0 {
		c.Goroutine = goroutine.ID()
	}
	at := placeOf(c.Goroutine)
	b := &r.Buckets[at]
	for i := range b {
		if b[i].Load() == 0 && b[i].CompareAndSwap(0, c.Goroutine) {
			c.place = int32(at)*runningPlaces + int32(i) + 1
			if r.noted != nil {
				c.of = of
				r.noted[c.place-1].Store(c)
			}
			return
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.crowd == nil {
		r.crowd = map[int64]*Closure{}
	}
	c.of, c.place = of, inCrowd
	r.crowd[c.Goroutine] = c
	r.Crowded.Add(1)
}

// inCrowd is Closure.place of a closure in crowd.
const inCrowd = -1

// Leave undoes Enter. It does nothing if Enter has not been called. O(1).
func (r *Running) Leave(c *Closure) {
	if at := c.place - 1; at >= 0 {
		if r.noted != nil {
			r.noted[at].Store(nil)
		}
		r.Buckets[at/runningPlaces][at%runningPlaces].Store(0)
	} else if c.place == inCrowd {
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.crowd, c.Goroutine)
		r.Crowded.Add(-1)
	}
}

// all returns the transactions whose closures run at about this moment, or none if slow calls are not reported. O(buckets).
func (r *Running) all() (list []Transaction) {
	if r.noted == nil {
		return nil
	}
	for i := range r.noted {
		if c := r.noted[i].Load(); c != nil {
			list = append(list, c.of)
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range r.crowd {
		list = append(list, c.of)
	}
	return list
}
