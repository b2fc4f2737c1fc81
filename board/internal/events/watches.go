package events

import (
	"sync"
	"sync/atomic"
)

// Watches is which members of a board have asked to hear of everybody who overtakes them. They are stored under private keys, and here while the boards are open.
type Watches struct {
	n atomic.Int64

	mu sync.RWMutex
	of map[string]bool
}

// Len returns the number of members. O(1).
func (w *Watches) Len() int { return int(w.n.Load()) }

// Has reports whether a member watches. O(1).
func (w *Watches) Has(member []byte) bool {
	w.mu.RLock()
	defer w.mu.RUnlock()
	return w.of[string(member)]
}

// Set notes that a member watches, or not any more. The caller has locked the board's change of it, or committed it.
func (w *Watches) Set(member string, is bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.of == nil {
		w.of = map[string]bool{}
	}
	if delete(w.of, member); is {
		w.of[member] = true
	}
	w.n.Store(int64(len(w.of)))
}

// each calls fn with each member, while no other call changes them.
func (w *Watches) each(fn func(member string)) {
	w.mu.RLock()
	defer w.mu.RUnlock()
	for member := range w.of {
		fn(member)
	}
}
