package waitqueue

import (
	"container/list"
	"hash/maphash"
	"sync"
	"sync/atomic"

	"github.com/zrankdb/zrank/zset"
)

// Queue has the calls that wait for a member to pop: for each key, in the order of their arrival.
//
// W1: While a set is not locked, it has no members or no call waits for its key. So a call that arrives and finds members overtakes
// none. A call enters the queues of its keys while it holds the locks of their sets. A transaction serves the queues of its keys, until
// there are no members or no waiters left, before it unlocks them.
//
// W2: A waiter is taken once: by the transaction that serves it, which must then send it an answer, or by its own call when that gives up.
type Queue struct {
	N       atomic.Int64  // calls that wait; rises under the locks of their sets, falls at any time
	tickets atomic.Uint64 // given out
	seed    maphash.Seed
	Shards  [waiterShards]waiterShard
}

const waiterShards = 256

// New returns an empty Queue.
func New() *Queue { return &Queue{seed: maphash.MakeSeed()} }

func (q *Queue) shardOf(key string) uint64 { return maphash.String(q.seed, key) % waiterShards }

type waiterShard struct {
	mu     sync.Mutex
	Queues map[string]*list.List // lists of *Waiter; none is empty
}

// Waiter is one call that waits.
type Waiter struct {
	Keys   []string
	N      int           // pops up to N members
	Max    bool          // pops those with the highest scores, otherwise those with the lowest
	Ticket uint64        // lower ones came first
	taken  atomic.Bool   // W2
	Answer chan Served   // capacity 1
	Places []placeInLine // its places in the queues; only the waiting call uses them
}

// Served is what a waiter gets.
type Served struct {
	Key     string
	Entries []zset.Entry
	Seq     uint64 // of the commit that has popped them
	Err     error
}

// placeInLine is the place of a waiter in the queue of one key.
type placeInLine struct {
	key string
	at  *list.Element
}

// Take takes the waiter, and reports whether the caller is the first to do so (W2).
func (w *Waiter) Take() bool { return w.taken.CompareAndSwap(false, true) }

// Enter puts a waiter at the end of its keys' queues. The caller holds the sets' locks. O(keys).
func (q *Queue) Enter(w *Waiter) {
	q.N.Add(1)
	w.Ticket = q.tickets.Add(1)
	for _, key := range w.Keys {
		sh := &q.Shards[q.shardOf(key)]
		sh.mu.Lock()
		if sh.Queues == nil {
			sh.Queues = map[string]*list.List{}
		}
		line := sh.Queues[key]
		if line == nil {
			line = list.New()
			sh.Queues[key] = line
		}
		w.Places = append(w.Places, placeInLine{key, line.PushBack(w)})
		sh.mu.Unlock()
	}
}

// Leave removes a waiter, which must be taken, from its queues. O(keys).
func (q *Queue) Leave(w *Waiter) {
	for _, p := range w.Places {
		sh := &q.Shards[q.shardOf(p.key)]
		sh.mu.Lock()
		if line := sh.Queues[p.key]; line != nil {
			line.Remove(p.at) // does nothing if First has removed it from this list, or if it was in an earlier list of the key
			if line.Len() == 0 {
				delete(sh.Queues, p.key)
			}
		}
		sh.mu.Unlock()
	}
	q.N.Add(-1)
}

// First returns the waiter that has waited for a key for longest, or nil. It removes waiters that are taken. O(1), amortised.
func (q *Queue) First(key string) *Waiter {
	sh := &q.Shards[q.shardOf(key)]
	sh.mu.Lock()
	defer sh.mu.Unlock()
	line := sh.Queues[key]
	if line == nil {
		return nil
	}
	for at := line.Front(); at != nil; at = line.Front() {
		if w := at.Value.(*Waiter); !w.taken.Load() {
			return w
		}
		line.Remove(at)
	}
	delete(sh.Queues, key)
	return nil
}

// GiveUp takes the waiter and returns err. If a transaction has taken it before, GiveUp returns that transaction's answer.
func (w *Waiter) GiveUp(err error) (a Served, _ error) {
	if w.Take() {
		return a, err
	}
	a = <-w.Answer // the transaction that has taken it is about to answer
	return a, a.Err
}
