package catalog

import (
	"sync"
	"time"

	"github.com/zrankdb/zrank/engine"
)

// IdleAfter is how long a closed period stays in memory after it was read last.
const IdleAfter = time.Minute

// Evictor evicts closed periods and baselines that were read, once they are idle. Its methods may be called from any goroutine.
type Evictor struct {
	e *engine.Engine

	mu   sync.Mutex
	read map[string]time.Time // keys of sets, and when each was read last
}

func newEvictor(e *engine.Engine) *Evictor {
	return &Evictor{e: e, read: map[string]time.Time{}}
}

// NoteRead notes that sets that do not change any more were read at a time.
func (i *Evictor) NoteRead(now time.Time, keys ...string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, key := range keys {
		i.read[key] = now
	}
}

// Evict evicts the sets that are idle.
func (i *Evictor) Evict() error {
	now := i.e.Now()
	i.mu.Lock()
	var keys []string
	for key, at := range i.read {
		if now.Sub(at) >= IdleAfter || now.Before(at) {
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
