package engine

import (
	"container/list"
	"hash/maphash"
	"sync"
	"sync/atomic"

	"github.com/zrankdb/zrank/zset"
)

// waiters are the calls that wait for an element to pop: for each key, in the order of their arrival.
//
// W1: while a set is not locked, it has no members or nobody waits for its key. So whoever arrives and finds members overtakes
// nobody. A call enters the queues of its keys while it holds their sets' locks; a transaction serves the queues of its keys,
// until there are no members or no waiters left, before it lets go of them.
//
// W2: a call is taken out of the game once: by the transaction that serves it, which then owes it an answer, or by itself when it
// gives up.
type waiters struct {
	n       atomic.Int64  // calls that wait; changes under the locks of the sets they wait for, or later
	tickets atomic.Uint64 // given out
	seed    maphash.Seed
	shards  [waiterShards]waiterShard
}

const waiterShards = 256

func newWaiters() *waiters { return &waiters{seed: maphash.MakeSeed()} }

func (q *waiters) shardOf(key string) uint64 { return maphash.String(q.seed, key) % waiterShards }

type waiterShard struct {
	mu     sync.Mutex
	queues map[string]*list.List // of *waiter; none is empty
}

// waiter is one call that waits.
type waiter struct {
	keys   []string
	n      int
	max    bool
	ticket uint64        // lower ones came first
	taken  atomic.Bool   // W2
	answer chan served   // capacity 1
	places []placeInLine // its own to use
}

// served is what a waiter gets.
type served struct {
	key     string
	entries []zset.Entry
	seq     uint64 // of the commit that has popped them
	err     error
}

// placeInLine is where a waiter stands.
type placeInLine struct {
	key string
	at  *list.Element
}

// take says whether the caller is the one to take the waiter out of the game.
func (w *waiter) take() bool { return w.taken.CompareAndSwap(false, true) }

// enter puts a waiter at the end of its keys' queues. The caller holds the sets' locks. O(keys).
func (q *waiters) enter(w *waiter) {
	q.n.Add(1)
	w.ticket = q.tickets.Add(1)
	for _, key := range w.keys {
		sh := &q.shards[q.shardOf(key)]
		sh.mu.Lock()
		if sh.queues == nil {
			sh.queues = map[string]*list.List{}
		}
		line := sh.queues[key]
		if line == nil {
			line = list.New()
			sh.queues[key] = line
		}
		w.places = append(w.places, placeInLine{key, line.PushBack(w)})
		sh.mu.Unlock()
	}
}

// leave takes a waiter out of its queues. Others see it as taken already. O(keys).
func (q *waiters) leave(w *waiter) {
	for _, p := range w.places {
		sh := &q.shards[q.shardOf(p.key)]
		sh.mu.Lock()
		if line := sh.queues[p.key]; line != nil {
			line.Remove(p.at) // unless it is in no line, or in one that has been forgotten
			if line.Len() == 0 {
				delete(sh.queues, p.key)
			}
		}
		sh.mu.Unlock()
	}
	q.n.Add(-1)
}

// first returns the waiter that has waited for a key for longest, or nil. Those taken leave the queue. O(1), amortised.
func (q *waiters) first(key string) *waiter {
	sh := &q.shards[q.shardOf(key)]
	sh.mu.Lock()
	defer sh.mu.Unlock()
	line := sh.queues[key]
	if line == nil {
		return nil
	}
	for at := line.Front(); at != nil; at = line.Front() {
		if w := at.Value.(*waiter); !w.taken.Load() {
			return w
		}
		line.Remove(at)
	}
	delete(sh.queues, key)
	return nil
}

// giveUp returns the error, unless the waiter has been served.
func (w *waiter) giveUp(err error) (a served, _ error) {
	if w.take() {
		return a, err
	}
	a = <-w.answer // whoever has taken it is about to answer
	return a, a.err
}
