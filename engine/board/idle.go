package board

import (
	"sync"
	"time"

	"github.com/zrankdb/zrank/engine"
)

// idleAfter is how long a closed period stays in memory after it was read last.
const idleAfter = time.Minute

// idleEvictor evicts closed periods and baselines that were read, once they are idle. Its methods may be called from any goroutine.
type idleEvictor struct {
	e *engine.Engine

	mu   sync.Mutex
	read map[string]time.Time // keys of sets, and when each was read last
}

func newIdleEvictor(e *engine.Engine) *idleEvictor {
	return &idleEvictor{e: e, read: map[string]time.Time{}}
}

// noteRead notes that a set that does not change any more was read at a time.
func (i *idleEvictor) noteRead(key string, now time.Time) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.read[key] = now
}

// evict evicts the sets that are idle.
func (i *idleEvictor) evict() error {
	now := i.e.Now()
	i.mu.Lock()
	var keys []string
	for key, at := range i.read {
		if now.Sub(at) >= idleAfter || now.Before(at) {
			keys = append(keys, key)
			delete(i.read, key)
		}
	}
	i.mu.Unlock()
	if len(keys) == 0 {
		return nil
	}
	return i.e.Unload(keys...)
}
