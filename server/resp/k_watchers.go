package resp

import (
	"sync"
	"sync/atomic"
)

// A watched key has changed if the last commit of its sorted set differs from the one when it was watched; every writer makes commits: a
// client, the Go program, a board. A set that has expired since has changed too. Plain values have no commit number: a transaction that
// stores one marks the watches of its key. So does a transaction that creates a sorted set, since a set that is created and dropped again
// leaves no commit number behind. Only a set that the Go program creates and drops again goes unnoticed.
//
// W1: a transaction marks watches and EXEC reads the mark with the key locked. So EXEC sees every earlier change.

// watch is the keys that one client watches. The client's goroutine owns it.
type watch struct {
	keys    []watched
	changed atomic.Bool // a transaction has changed one of the keys; other goroutines set it
}

// watched is a key as it was when a client began to watch it.
type watched struct {
	name string
	seq  uint64 // the last commit of its sorted set; 0: it had none
	kind kind   // of its plain value
}

// watch adds keys, which the transaction has locked, to a watch.
func (t *keyTx) watch(w *watch, names []string) error {
	for _, name := range names {
		key, err := t.state(name)
		if err != nil {
			return err
		}
		w.keys = append(w.keys, key)
		t.space.watchers.enter(name, w)
	}
	return nil
}

// state returns what tells a key's value from earlier ones.
func (t *keyTx) state(name string) (w watched, err error) {
	stat, err := t.tx.Stat(name)
	if err != nil {
		return w, err
	}
	w.name, w.seq = name, stat.LastSeq
	w.kind, err = t.plainKind(name)
	return w, err
}

// changed reports whether a watched key has changed.
func (t *keyTx) changed(w *watch) (bool, error) {
	for _, was := range w.keys {
		if is, err := t.state(was.name); err != nil || is != was {
			return true, err
		}
	}
	return w.changed.Load(), nil
}

// unwatch removes all keys from a watch.
func (s *space) unwatch(w *watch) {
	for _, key := range w.keys {
		s.watchers.leave(key.name, w)
	}
	w.keys = nil
	w.changed.Store(false)
}

// watching reports whether any client watches a key.
func (s *space) watching() bool { return s.watchers.n.Load() > 0 }

// mark marks the watches of a key as changed.
func (s *space) mark(name string) { s.watchers.mark(name) }

// watchers are the watches of each key.
type watchers struct {
	n  atomic.Int64 // keys
	mu sync.Mutex
	of map[string]map[*watch]struct{}
}

func (w *watchers) enter(name string, by *watch) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.of == nil {
		w.of = map[string]map[*watch]struct{}{}
	}
	if w.of[name] == nil {
		w.of[name] = map[*watch]struct{}{}
	}
	w.of[name][by] = struct{}{}
	w.n.Store(int64(len(w.of)))
}

func (w *watchers) leave(name string, by *watch) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.of[name], by)
	if len(w.of[name]) == 0 {
		delete(w.of, name)
	}
	w.n.Store(int64(len(w.of)))
}

// mark marks the watches of a key as changed.
func (w *watchers) mark(name string) {
	if w.n.Load() == 0 {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for by := range w.of[name] {
		by.changed.Store(true)
	}
}

// any reports whether a client watches the key.
func (w *watchers) any(name string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.of[name]) > 0
}

// appendAbsent appends a key that is watched and holds no sorted set.
func (t *keyTx) appendAbsent(names []string, name string) []string {
	if !t.space.watchers.any(name) {
		return names
	}
	if stat, err := t.tx.Stat(name); err == nil && !stat.Exists {
		names = append(names, name)
	}
	return names
}

// markCreated marks the watches of keys that held no sorted set and hold one now.
func (t *keyTx) markCreated(absent []string) {
	for _, name := range absent {
		if stat, err := t.tx.Stat(name); err == nil && stat.Exists {
			t.space.watchers.mark(name)
		}
	}
}
