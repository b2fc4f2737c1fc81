package engine

import (
	"sync"

	"github.com/zrankdb/zrank/zset"
)

// expiries has the sets that will be gone at some time.
type expiries struct {
	mu    sync.Mutex
	due   *zset.IntSet // keys, by milliseconds after 1970
	first int64        // the earliest that the collector knows of; 0: none
	wake  chan struct{}
}

func newExpiries() *expiries {
	due, err := zset.NewInt(zset.Options{})
	if err != nil {
		panic(err) // the options are our own
	}
	return &expiries{due: due, wake: make(chan struct{}, 1)}
}

// add notes when the set of a key is gone.
func (x *expiries) add(key string, at int64) {
	x.mu.Lock()
	defer x.mu.Unlock()
	_, _ = x.due.Add([]byte(key), at) // keys are shorter than members may be
	if x.first == 0 || at < x.first {
		select {
		case x.wake <- struct{}{}:
		default:
		}
	}
}

func (x *expiries) remove(key string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.due.Remove([]byte(key))
}

// count returns how many sets vanish at some time.
func (x *expiries) count() int {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.due.Len()
}

// take returns some keys whose time is up, and otherwise when the first one's will be, 0 if there is none.
func (x *expiries) take(now int64) (keys []string, first int64) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for key, at := range x.due.View().Range(0, expiryBatch) {
		if at > now {
			first = at
			break
		}
		keys = append(keys, string(key))
	}
	x.first = first
	return keys, first
}

// expiryBatch is how many keys take returns at most.
const expiryBatch = 64
