package session

import (
	"sync"
	"sync/atomic"
)

// waitedKeys are the keys that clients wait for in BZPOPMIN and its like. A run that writes one of them is executed command by command, so
// that a waiting client is served after each.
type waitedKeys struct {
	n    atomic.Int64 // keys
	mu   sync.Mutex
	keys map[string]int // how many clients wait for each
}

// Enter adds a client that waits for keys.
func (w *waitedKeys) Enter(names []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.keys == nil {
		w.keys = map[string]int{}
	}
	for _, name := range names {
		w.keys[name]++
	}
	w.n.Store(int64(len(w.keys)))
}

// Leave removes a client that has waited for keys.
func (w *waitedKeys) Leave(names []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, name := range names {
		if w.keys[name]--; w.keys[name] == 0 {
			delete(w.keys, name)
		}
	}
	w.n.Store(int64(len(w.keys)))
}

// Any reports whether a client waits for one of the keys.
func (w *waitedKeys) Any(names []string) bool {
	if w.n.Load() == 0 {
		return false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, name := range names {
		if w.keys[name] > 0 {
			return true
		}
	}
	return false
}

// Len returns the number of keys that clients wait for.
func (w *waitedKeys) Len() int { return int(w.n.Load()) }
