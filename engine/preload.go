package engine

import (
	"context"
	"sync"
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
	var booking sync.Mutex
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
		e.touch(s)
		cold, fits, err := e.book(s, &booking)
		if err != nil || !cold {
			return err
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

// book reports whether a set is on the disk only, and whether there is room for it in memory, which is its own from then on.
func (e *Engine) book(s *set, booking *sync.Mutex) (cold, fits bool, err error) {
	e.rlockSet(s, "preload", "")
	cold, id := !s.gone && s.cold(), s.id()
	s.mu.RUnlock()
	m := &e.memory
	if !cold || m.limit == 0 {
		return cold, true, nil
	}
	r, err := e.record(id)
	booking.Lock()
	defer booking.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil && !s.gone { // one that has been dropped meanwhile has no record any more
		return false, false, err
	}
	if s.gone || !s.cold() || m.used.Load()+int64(guess(r)) > m.limit {
		return !s.gone && s.cold(), false, nil
	}
	e.expect(s, r)
	return true, true, nil
}
