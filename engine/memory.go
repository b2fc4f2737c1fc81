package engine

import (
	"context"
	"sync/atomic"

	"github.com/zrankdb/zrank/engine/internal/keyspace"
	"github.com/zrankdb/zrank/engine/internal/residency"
)

// Preload reads the sets whose keys begin with prefix into memory, several at a time, so that their first use need not wait, and returns how
// many it has read. It evicts no other set. If the next set would not fit, it stops with ErrMemoryLimit. Other errors: ErrClosed,
// ErrCorrupt, that of the context. O(bytes).
func (e *Engine) Preload(ctx context.Context, prefix string) (loaded int, err error) {
	keys, err := e.Keys(prefix)
	if err != nil {
		return 0, err
	}
	var n atomic.Int64
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
		read, fits, err := e.residency.Preload(s)
		switch {
		case err != nil:
			return err
		case !fits:
			return ErrMemoryLimit
		case read:
			n.Add(1)
		}
		return nil
	})
	return int(n.Load()), err
}

// Unload makes the sets of the keys leave memory, with Options.MemoryLimit or without. It is for sets that are rarely used, such as those of
// a closed period. A set leaves at once if the disk has its latest state. A set that has changed since the last snapshot, or is in use, leaves
// after the next snapshot; Unload takes none. A transaction on a set loads it again, or cancels its Unload if it has not left yet; then it
// stays until the next Unload. Usage tells whether a set is in memory. In an engine in memory only, Unload does nothing. It waits for
// transactions on the sets. O(keys). Errors: ErrClosed.
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

// unload makes a set leave memory, now or later. It returns false if the set does not have this key any more.
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
