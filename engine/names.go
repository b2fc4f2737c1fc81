package engine

import (
	"strconv"
	"sync"
)

// In the log and in snapshots a set is called what its key was when it was made: its id. So a set that gets another key keeps
// its pages and its place in the log, and each effect says all that it does by itself. While a set of another key has the id
// that a new one would take, the new one gets an id that nobody has.

// foreign has the ids of the sets that have another key.
type foreign struct {
	mu  sync.Mutex
	ids map[string]struct{}
}

func (f *foreign) has(id string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	_, ok := f.ids[id]
	return ok
}

// add notes an id, and reports whether it is new.
func (f *foreign) add(id string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, ok := f.ids[id]; ok {
		return false
	}
	if f.ids == nil {
		f.ids = map[string]struct{}{}
	}
	f.ids[id] = struct{}{}
	return true
}

func (f *foreign) remove(ids ...string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, id := range ids {
		delete(f.ids, id)
	}
}

// freshID returns an id that no set has or will get, and notes it.
func (e *Engine) freshID(key string) string {
	for n := e.lastSeq(); ; n++ {
		if id := key + "\x00" + strconv.FormatUint(n, 36); e.foreign.add(id) {
			if e.keys.find(id) == nil {
				return id
			}
			e.foreign.remove(id)
		}
	}
}

// name gives the sets ids that are new to the log, and returns those that have become foreign by it. The keys are locked, so
// that nobody else can take the ids they stand for.
func (tx *Tx) name() (named []string) {
	for c := range tx.changes {
		if id := c.s.id(); c.s.exists && c.moved() && c.s.z.Len() > 0 && id != c.owner.key && tx.e.foreign.add(id) {
			named = append(named, id)
		}
	}
	for c := range tx.changes {
		if s := c.s; !s.exists && c.owner != nil && c.dirty() && s.z.Len() > 0 && tx.e.foreign.has(c.owner.key) {
			r := s.extra()
			r.id, r.other = tx.e.freshID(c.owner.key), true
			named = append(named, r.id)
		}
	}
	return named
}

// rename notes the key that a set has after a commit. Its lock is held.
func (e *Engine) rename(s *set, key string) {
	if s.key == key && !s.hidden() {
		return
	}
	id := s.id()
	if r := s.rare; r != nil && r.other && id == key {
		e.foreign.remove(id)
	}
	e.rekey(s, key)
	r := s.extra()
	r.id, r.other, r.hidden = id, id != key, false
}

// hidden reports whether the set has no key yet.
func (s *set) hidden() bool { return s.rare != nil && s.rare.hidden }
