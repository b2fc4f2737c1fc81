package engine

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/zrankdb/zrank/engine/internal/keyspace"
	"github.com/zrankdb/zrank/engine/internal/residency"
)

// Preload reads the sets whose keys begin with prefix into memory, several at a time, so that their first touch need not
// wait, and returns how many it has read. It stops with ErrMemoryLimit when the next one would not fit: nothing has left
// memory for it. Other errors: ErrClosed, ErrCorrupt, that of the context. O(bytes).
func (e *Engine) Preload(ctx context.Context, prefix string) (loaded int, err error) {
	keys, err := e.Keys(prefix)
	if err != nil {
		return 0, err
	}
	var n atomic.Int64
	var booking sync.Mutex
	err = residency.InParallel(len(keys), func(i int) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if e.life.Closed.Load() {
			return ErrClosed
		}
		s := e.keys.Find(keys[i])
		if s == nil {
			return nil
		}
		e.keys.Accounts.Touch(s)
		cold, fits, err := e.residency.Book(s, &booking)
		if err != nil || !cold {
			return err
		}
		if !fits {
			return ErrMemoryLimit
		}
		if err := e.residency.Load(s); err != nil {
			return err
		}
		n.Add(1)
		return nil
	})
	return int(n.Load()), err
}

// Unload makes the sets of the keys leave memory, as a closed period may that hardly anybody asks for: with Options.MemoryLimit or
// without. Those that the disk has as they are leave at once; those that have changed since the last snapshot, or are in use, after
// the next. No snapshot is taken for it. A transaction on such a set brings it back as it does any other, or lets it stay if it has
// not left yet; in either case it stays until the next Unload. Usage says which sets are in memory. In an engine in memory only it
// does nothing. O(keys), and waits for transactions on the sets. Errors: ErrClosed.
func (e *Engine) Unload(keys ...string) error {
	if err := e.locks.MayWait(); err != nil {
		return err
	}
	if e.store == nil {
		return nil
	}
	for _, key := range keys {
		for s := e.keys.Find(key); s != nil && !e.unload(s, key); s = e.keys.Find(key) {
		}
	}
	return nil
}

// unload makes a set leave memory, or notes that it should; false: it is not the one with this key any more.
func (e *Engine) unload(s *keyspace.Set, key string) bool {
	e.locks.Lock(&s.Mu, "unload", key)
	defer s.Mu.Unlock()
	if !s.Is(key) {
		return false
	}
	if s.Exists && s.Entries != nil {
		s.Used.Store(keyspace.Leaving)
		e.keys.Accounts.LeaveLater(s)
	}
	return true
}
