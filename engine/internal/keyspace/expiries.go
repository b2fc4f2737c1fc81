package keyspace

import (
	"sync"

	"github.com/zrankdb/zrank/zset"
)

// Expiries is the index of the sets that expire.
type Expiries struct {
	Mu    sync.Mutex
	Due   *zset.IntSet // keys; the score is the expiry in milliseconds after 1970
	first int64        // the earliest that the collector knows of; 0: none
	Wake  chan struct{}
}

// NewExpiries returns an index of no sets.
func NewExpiries() *Expiries {
	due, _ := zset.NewInt(zset.Options{}) // the zero options are valid
	return &Expiries{Due: due, Wake: make(chan struct{}, 1)}
}

// Add sets the expiry of a key. It wakes the collector if no earlier expiry was known.
func (x *Expiries) Add(key string, at int64) {
	x.Mu.Lock()
	defer x.Mu.Unlock()
	_, _ = x.Due.Add([]byte(key), at) // cannot fail: a key is shorter than the longest member
	if x.first == 0 || at < x.first {
		select {
		case x.Wake <- struct{}{}:
		default:
		}
	}
}

// Remove removes a key. O(log n).
func (x *Expiries) Remove(key string) {
	x.Mu.Lock()
	defer x.Mu.Unlock()
	x.Due.Remove([]byte(key))
}

// Count returns how many sets expire.
func (x *Expiries) Count() int {
	x.Mu.Lock()
	defer x.Mu.Unlock()
	return x.Due.Len()
}

// Take returns up to expiryBatch keys that have expired at now. If there are fewer, first is the next expiry, or 0 if there is none.
func (x *Expiries) Take(now int64) (keys []string, first int64) {
	x.Mu.Lock()
	defer x.Mu.Unlock()
	for key, at := range x.Due.View().Range(0, expiryBatch) {
		if at > now {
			first = at
			break
		}
		keys = append(keys, string(key))
	}
	x.first = first
	return keys, first
}

// expiryBatch is the maximum number of keys that Take returns.
const expiryBatch = 64
