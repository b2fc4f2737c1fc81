package engine

import (
	"context"
	"sync/atomic"
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
	err = inParallel(len(keys), func(i int) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if e.closed.Load() {
			return ErrClosed
		}
		s := e.keys.find(keys[i])
		if s == nil {
			return nil
		}
		cold, fits := e.roomFor(s)
		if !cold {
			return nil
		}
		if !fits {
			return ErrMemoryLimit
		}
		if err := e.load(s); err != nil {
			return err
		}
		n.Add(1)
		return nil
	})
	return int(n.Load()), err
}

// roomFor reports whether a set is on the disk only, and whether there is room for it in memory.
func (e *Engine) roomFor(s *set) (cold, fits bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.gone || !s.cold() {
		return false, false
	}
	m := &e.memory
	return true, m.limit == 0 || m.used.Load()+int64(guess(s.stored)) <= m.limit
}
