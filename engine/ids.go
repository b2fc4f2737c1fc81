package engine

import (
	"math"
	"strconv"
	"sync"
)

// In the log and in snapshots a set is called what its key was when it was made: its id. So a set that gets another key keeps
// its pages and its place in the log, and each effect says all that it does by itself. While a set of another key has the id
// that a new one would take, the new one gets an id that nobody has.

// ids has the ids of the sets that have another key.
type ids struct {
	mu  sync.Mutex
	ids map[string]struct{}
}

func (f *ids) has(id string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	_, ok := f.ids[id]
	return ok
}

// add notes an id, and reports whether it is new.
func (f *ids) add(id string) bool {
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

func (f *ids) remove(ids ...string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, id := range ids {
		delete(f.ids, id)
	}
}

// freshID returns an id that no set has or will get, and notes it. seq is the number of the last commit.
func (k *keyspace) freshID(key string, seq uint64) string {
	for n := seq; ; n++ {
		if id := key + "\x00" + strconv.FormatUint(n, 36); k.ids.add(id) {
			if k.find(id) == nil {
				return id
			}
			k.ids.remove(id)
		}
	}
}

// rename notes the key that a set has after a commit. Its lock is held.
func (k *keyspace) rename(s *set, key string) {
	if s.key == key && !s.hidden() {
		return
	}
	id := s.id()
	if r := s.rare; r != nil && r.other && id == key {
		k.ids.remove(id)
	}
	k.accounts.rekey(s, key)
	r := s.extra()
	r.id, r.other, r.hidden = id, id != key, false
}

// notFilled is in keyspace.staged for a set that one commit makes.
const notFilled = math.MaxUint64

// stage adds a set to the listings that cannot be found by a key.
func (k *keyspace) stage(s *set, before uint64) {
	k.moving.Lock()
	defer k.moving.Unlock()
	if k.staged == nil {
		k.staged = map[*set]uint64{}
	}
	k.staged[s] = before
}

// filling returns the last commit before those that fill a set that has no key yet, notFilled if there is none such. O(such sets).
func (k *keyspace) filling() uint64 {
	k.moving.Lock()
	defer k.moving.Unlock()
	first := uint64(notFilled)
	for _, before := range k.staged {
		first = min(first, before)
	}
	return first
}

func (k *keyspace) unstage(s *set) {
	k.moving.Lock()
	defer k.moving.Unlock()
	delete(k.staged, s)
}
