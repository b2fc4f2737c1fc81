package engine

import "sync"

// unloading has the sets that are to leave memory as soon as the disk has them and nobody uses them. One that is touched first
// stays: see touch.
type unloading struct {
	mu   sync.Mutex
	sets map[*set]struct{}
}

// leaving is in set.used of one that is to leave memory. Engine.memory.now is never 0.
const leaving = 0

// Unload makes the sets of the keys leave memory, as a closed period may that hardly anybody asks for: with Options.MemoryLimit or
// without. Those that the disk has as they are leave at once; those that have changed since the last snapshot, or are in use, after
// the next. No snapshot is taken for it. A transaction on such a set brings it back as it does any other, or lets it stay if it has
// not left yet; in either case it stays until the next Unload. Usage says which sets are in memory. In an engine in memory only it
// does nothing. O(keys), and waits for transactions on the sets. Errors: ErrClosed.
func (e *Engine) Unload(keys ...string) error {
	if err := e.mayWait(); err != nil {
		return err
	}
	if e.store == nil {
		return nil
	}
	for _, key := range keys {
		for s := e.keys.find(key); s != nil && !e.unload(s, key); s = e.keys.find(key) {
		}
	}
	return nil
}

// unload makes a set leave memory, or notes that it should; false: it is not the one with this key any more.
func (e *Engine) unload(s *set, key string) bool {
	e.lockSet(s, "unload", key)
	defer s.mu.Unlock()
	if !s.is(key) {
		return false
	}
	if s.exists && s.z != nil {
		s.used.Store(leaving)
		e.leaveLater(s)
	}
	return true
}

// leaveLater makes a set leave memory, at once or after the next snapshot. The caller holds its lock for writing.
func (e *Engine) leaveLater(s *set) {
	if e.leave(s) {
		return
	}
	u := &e.unloading
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.sets == nil {
		u.sets = map[*set]struct{}{}
	}
	u.sets[s] = struct{}{}
}

// unloadNoted goes, after a snapshot, through the sets that could not leave before.
func (e *Engine) unloadNoted() {
	u := &e.unloading
	u.mu.Lock()
	noted := u.sets
	u.sets = nil
	u.mu.Unlock()
	for s := range noted {
		s.mu.Lock()
		if !s.gone && s.exists && s.z != nil && s.used.Load() == leaving {
			e.leaveLater(s)
		}
		s.mu.Unlock()
	}
}

// leave lets go of what a set holds in memory if the disk has it as it is and nobody needs it; false: it stays. The caller holds
// its lock for writing.
func (e *Engine) leave(s *set) bool {
	if s.pins.Load() > 0 || s.writing || s.base == 0 || s.changed > s.base {
		return false
	}
	s.z = nil
	s.setDigest(digest{})
	s.slim()
	e.account(s)
	e.memory.evicted.Add(1)
	return true
}
