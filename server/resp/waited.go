package resp

import (
	"sync"
	"sync/atomic"
)

// waited are the keys that clients wait for. Commands on them are done one by one, and not several in a run: who waits is served
// after each.
type waited struct {
	n    atomic.Int64 // keys
	mu   sync.Mutex
	keys map[string]int // how many wait
}

func (w *waited) enter(names []string) {
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

func (w *waited) leave(names []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, name := range names {
		if w.keys[name]--; w.keys[name] == 0 {
			delete(w.keys, name)
		}
	}
	w.n.Store(int64(len(w.keys)))
}

// any says whether somebody waits for one of the keys.
func (w *waited) any(names []string) bool {
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
